import Glibc
import Raster
import TestSupport
import Testing

import PerspectiveCorrection

@Suite struct FlattenTests {
  /// A photo whose samples tell their place: red grows to the right, green downward.
  private func ramp(_ width: Int, _ height: Int) -> Raster {
    var samples: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        samples += [UInt8(x * 255 / (width - 1)), UInt8(y * 255 / (height - 1)), 77]
      }
    }
    return Raster(size: PixelSize(width: width, height: height), format: .rgb, samples: samples)
  }

  private func box(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> Quad {
    Quad(
      topLeft: Point(x: left, y: top), topRight: Point(x: right, y: top),
      bottomRight: Point(x: right, y: bottom),
      bottomLeft: Point(x: left, y: bottom))
  }

  @Test("a box on whole pixels is cut out unchanged")
  func exactCut() throws {
    let photo = ramp(120, 90)
    let page = try flattenPage(
      in: photo, quad: box(10, 5, 110, 75), focalLength35mm: nil, options: CorrectionOptions(paper: .none))
    #expect(page.raster.size == PixelSize(width: 100, height: 70))
    #expect(page.raster[x: 0, y: 0] == photo[x: 10, y: 5])
    #expect(page.raster[x: 99, y: 69] == photo[x: 109, y: 74])
    #expect(page.raster[x: 50, y: 33] == photo[x: 60, y: 38])
  }

  @Test(
    "the whole photo as a page is the photo itself, to the last sample", arguments: [PixelFormat.rgb, .gray])
  func wholePhoto(format: PixelFormat) throws {
    let photo = format == .rgb ? ramp(64, 48) : ramp(64, 48).grayscale()
    let page = try flattenPage(in: photo, quad: Quad(wholeOf: photo.size), focalLength35mm: 26)
    #expect(page.raster == photo)
    #expect(page.proportions == .wholePhoto)
    #expect(page.resolution == nil)
  }

  @Test(
    "each corner of the page comes from its corner of the photo, for a page turned by any angle",
    arguments: 0..<12)
  func corners(step: Int) throws {
    // A small photo, whose four quarters of the page have colours of their own.
    let camera = PinholeCamera(
      photo: PixelSize(width: 600, height: 600), tilt: 30, roll: Double(step) * 30 + 7)
    let quad = camera.quad(width: 100, height: 140)
    let map = try #require(Homography(from: quad, to: Quad(wholeOf: PixelSize(width: 2, height: 2))))
    var photo = Raster(size: camera.photo, format: .rgb, filledWith: 0)
    let colours: [[UInt8]] = [[250, 20, 20], [20, 250, 20], [20, 20, 250], [240, 240, 20]]
    unsafe photo.withMutableSamples { samples in
      for y in 0..<600 {
        for x in 0..<600 {
          let place = map.apply(Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
          let colour = colours[(place.y < 1 ? 0 : 2) + (place.x < 1 ? 0 : 1)]
          for channel in 0..<3 { unsafe samples[(y * 600 + x) * 3 + channel] = colour[channel] }
        }
      }
    }
    let page = try flattenPage(in: photo, quad: quad, focalLength35mm: 26).raster
    for (index, colour) in colours.enumerated() {
      let x = index % 2 == 0 ? page.width / 8 : page.width * 7 / 8
      let y = index < 2 ? page.height / 8 : page.height * 7 / 8
      #expect(Array(page[x: x, y: y]) == colour)
    }
  }

  @Test("a page has at least as many pixels as its outline covers", arguments: [0.0, 20, 45, 60])
  func noSilentShrinking(tilt: Double) throws {
    let camera = PinholeCamera(
      photo: PixelSize(width: 1008, height: 756), tilt: tilt, yaw: tilt / 3, roll: 15)
    let photo = Raster(size: camera.photo, format: .gray, filledWith: 99)
    for (width, height) in [(210.0, 297.0), (80, 240), (297, 210)] {
      let quad = camera.quad(width: width, height: height)
      let page = try flattenPage(in: photo, quad: quad, focalLength35mm: 26)
      #expect(Double(page.raster.width * page.raster.height) >= quad.area)
      #expect(abs(Double(page.raster.width) / Double(page.raster.height) / page.aspectRatio - 1) < 0.01)
    }
  }

  @Test("no page has more pixels than allowed, and keeps its shape", arguments: [1, 50, 1000, 20_000])
  func pixelLimit(limit: Int) throws {
    let photo = ramp(400, 300)
    for quad in [box(20, 10, 380, 290), Quad(wholeOf: photo.size)] {
      let page = try flattenPage(
        in: photo, quad: quad, focalLength35mm: nil,
        options: CorrectionOptions(paper: .none, maximumPixels: limit))
      #expect(page.raster.width * page.raster.height <= limit)
      if limit >= 1000 {
        #expect(abs(Double(page.raster.width) / Double(page.raster.height) - page.aspectRatio) < 0.1)
      }
    }
  }

  @Test("what lies outside of the photo is white")
  func outside() throws {
    let photo = Raster(size: PixelSize(width: 100, height: 100), format: .rgb, filledWith: 40)
    let page = try flattenPage(
      in: photo, quad: box(-20, 0, 80, 100), focalLength35mm: nil, options: CorrectionOptions(paper: .none))
    #expect(Array(page.raster[x: 5, y: 50]) == [255, 255, 255])
    #expect(Array(page.raster[x: 19, y: 50]) == [255, 255, 255])
    #expect(Array(page.raster[x: 20, y: 50]) == [40, 40, 40])
  }

  @Test("a fine pattern made much smaller turns to its mean, not to moiré", arguments: [2.0, 3.3, 7.7])
  func areaCorrect(factor: Double) throws {
    // Stripes of one pixel, 0 and 200.
    var photo = Raster(size: PixelSize(width: 512, height: 512), format: .gray, filledWith: 0)
    unsafe photo.withMutableSamples { samples in
      for index in 0..<512 * 512 where index % 2 == 1 { unsafe samples[index] = 200 }
    }
    let page = try flattenPage(
      in: photo, quad: box(0, 0, 512, 512), focalLength35mm: nil,
      options: CorrectionOptions(paper: .none, maximumPixels: Int(512 * 512 / factor / factor)))
    let inner = (2..<page.raster.width - 2).map {
      Int(page.raster[x: $0, y: page.raster.height / 2].first ?? 0)
    }
    // Reading single points would swing from 0 to 200; an exact area's mean from 85 to 115 at a factor of 3.3.
    #expect(inner.allSatisfy { abs(Double($0) - 100) <= 25 })
  }

  @Test("a smooth picture made larger is as exact as cubics make it")
  func smoothEnlargement() throws {
    // sin waves of 16 pixels; the page is drawn at 2.5 times the size by forcing a limitless outline through the resampler.
    func wave(_ x: Double, _ y: Double) -> Double {
      128 + 60 * sin(x / 16 * 2 * .pi) + 50 * cos(y / 16 * 2 * .pi)
    }
    var photo = Raster(size: PixelSize(width: 96, height: 96), format: .gray, filledWith: 0)
    unsafe photo.withMutableSamples { samples in
      for y in 0..<96 {
        for x in 0..<96 {
          unsafe samples[y * 96 + x] = UInt8(wave(Double(x) + 0.5, Double(y) + 0.5).rounded())
        }
      }
    }
    let size = PixelSize(width: 240, height: 240)
    let map = try #require(Homography(from: Quad(wholeOf: size), to: Quad(wholeOf: photo.size)))
    let larger = resample(photo, size: size, map: map)
    var worst = 0.0
    for y in 12..<228 {
      for x in 12..<228 {
        let exact = wave((Double(x) + 0.5) / 2.5, (Double(y) + 0.5) / 2.5)
        worst = max(worst, abs(exact - Double(larger[x: x, y: y].first ?? 0)))
      }
    }
    #expect(worst < 2.5)
  }
}
