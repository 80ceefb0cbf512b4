package import Raster

/// Makes a page readable: divides the light out of it, and pushes ink away from paper.
///
/// A pure function: the same page, mode and amount give the same pixels, whatever else runs.
/// - Parameters:
///   - page: the flat page as it was photographed, never one that was enhanced before.
///   - amount: 0…10, beyond which it is cut off. Between 0 and 1 the result is a blend with the page itself, so 0 changes nothing
///     (and makes plain grey of it for `bw`); above 1 the contrast grows further.
///   - processor: whose instructions are used, without any effect on the result.
/// - Returns: a picture of the same size: always grey for `bw`, else in the page's own format.
package func enhance(
  _ page: Raster, mode: EnhancementMode, amount: Double = 1, on processor: Processor = .current
) -> Raster {
  let amount =
    amount.isNaN ? 1 : min(max(amount, enhancementAmounts.lowerBound), enhancementAmounts.upperBound)
  switch mode {
  case .original:
    return page
  case .enhanced, .bw:
    var plain: Raster { mode == .bw ? page.grayscale() : page }
    guard amount > 0 else { return plain }
    let light = LightMap(of: page, on: processor)
    let levels = PageLevels(of: page, under: light, on: processor)
    // Turning what isn't paper white would wipe out what is on it.
    if light.paperShare < leastPaper || levels.hasLightPrint { return plain }
    let curve = ToneCurve(mode, ink: levels.ink, amount: amount)
    let developed = develop(page, under: light, levels: levels, curve: curve, on: processor)
    return amount < 1 ? blend(plain, with: developed, share: amount) : developed
  }
}

/// With less of it than this, what was taken for paper is something bright in a room, not a page.
private let leastPaper = 0.15

/// A share of `second` in `first`, from 0 to 1.
private func blend(_ first: Raster, with second: Raster, share: Double) -> Raster {
  let weight = Int32((share * 256).rounded())
  return unsafe Raster(size: first.size, format: first.format) { output in
    unsafe first.samples.withUnsafeBufferPointer { from in
      unsafe second.samples.withUnsafeBufferPointer { to in
        for index in 0..<from.count {
          let start = unsafe Int32(from[index])
          let change = unsafe Int32(to[index]) &- start
          unsafe output[index] = UInt8(truncatingIfNeeded: start &+ (change &* weight &+ 128) &>> 8)
        }
      }
    }
  }
}
