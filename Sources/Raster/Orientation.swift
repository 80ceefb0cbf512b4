/// The eight ways in which stored rows and columns can lie against the upright picture, numbered as in EXIF and TIFF.
package enum Orientation: Int, Sendable, CaseIterable {
  /// Row 0 is the top, column 0 the left side.
  case upright = 1
  /// Row 0 is the top, column 0 the right side.
  case mirrored = 2
  /// Row 0 is the bottom, column 0 the right side.
  case upsideDown = 3
  /// Row 0 is the bottom, column 0 the left side.
  case mirroredUpsideDown = 4
  /// Row 0 is the left side, column 0 the top.
  case transposed = 5
  /// Row 0 is the right side, column 0 the top: a quarter turn clockwise makes it upright.
  case turnedLeft = 6
  /// Row 0 is the right side, column 0 the bottom.
  case transverse = 7
  /// Row 0 is the left side, column 0 the bottom: a quarter turn counter-clockwise makes it upright.
  case turnedRight = 8

  /// Whether width and height change places on the way to the upright picture.
  package var swapsAxes: Bool { rawValue >= 5 }
}

/// How far a page is turned clockwise so that it can be read.
package enum QuarterTurn: Int, Sendable, CaseIterable {
  case none = 0
  case clockwise = 1
  case half = 2
  case counterclockwise = 3

  /// This turn followed by another.
  package func followed(by next: QuarterTurn) -> QuarterTurn {
    QuarterTurn(rawValue: (rawValue + next.rawValue) % 4) ?? .none
  }

  /// Whether width and height change places.
  package var swapsAxes: Bool { rawValue % 2 == 1 }

  /// Degrees clockwise: 0, 90, 180 or 270.
  package var degrees: Int { rawValue * 90 }

  var orientation: Orientation {
    switch self {
    case .none: .upright
    case .clockwise: .turnedLeft
    case .half: .upsideDown
    case .counterclockwise: .turnedRight
    }
  }
}

extension Raster {
  /// The picture turned clockwise.
  package func turned(_ turn: QuarterTurn) -> Raster { upright(from: turn.orientation) }

  /// The upright picture, when this one's rows and columns are stored in `orientation`.
  package func upright(from orientation: Orientation) -> Raster {
    guard orientation != .upright else { return self }
    let target = orientation.swapsAxes ? size.transposed : size
    let (width, height) = (target.width, target.height)
    let (sourceWidth, sourceHeight) = (size.width, size.height)
    let channels = format.channels
    // Where the target's first pixel lies in the source, and how far one step right or down moves there.
    let origin: Int
    let stepX: Int
    let stepY: Int
    let lastColumn = sourceWidth - 1
    let lastRow = sourceHeight - 1
    switch orientation {
    case .upright: (origin, stepX, stepY) = (0, 1, sourceWidth)
    case .mirrored: (origin, stepX, stepY) = (lastColumn, -1, sourceWidth)
    case .upsideDown:
      (origin, stepX, stepY) = (lastRow * sourceWidth + lastColumn, -1, -sourceWidth)
    case .mirroredUpsideDown: (origin, stepX, stepY) = (lastRow * sourceWidth, 1, -sourceWidth)
    case .transposed: (origin, stepX, stepY) = (0, sourceWidth, 1)
    case .turnedLeft: (origin, stepX, stepY) = (lastRow * sourceWidth, -sourceWidth, 1)
    case .transverse:
      (origin, stepX, stepY) = (lastRow * sourceWidth + lastColumn, -sourceWidth, -1)
    case .turnedRight: (origin, stepX, stepY) = (lastColumn, sourceWidth, -1)
    }
    return unsafe Raster(size: target, format: format) { output in
      unsafe samples.withUnsafeBufferPointer { input in
        // Square blocks keep both sides' rows in the cache when axes change places.
        let block = 32
        for blockY in stride(from: 0, to: height, by: block) {
          for blockX in stride(from: 0, to: width, by: block) {
            for y in blockY..<min(blockY + block, height) {
              var from = origin + y * stepY + blockX * stepX
              var to = (y * width + blockX) * channels
              for _ in blockX..<min(blockX + block, width) {
                for channel in 0..<channels {
                  unsafe output[to &+ channel] = input[from &* channels &+ channel]
                }
                from &+= stepX
                to &+= channels
              }
            }
          }
        }
      }
    }
  }
}
