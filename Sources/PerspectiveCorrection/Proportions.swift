package import Raster
private import Glibc

/// The natural logarithm.
func naturalLogarithm(_ value: Double) -> Double { log(value) }

/// Width over height of a flat page, as far as its outline in a photo tells it.
package struct Proportions: Sendable {
  /// Natural logarithm of width over height.
  package var logAspectRatio: Double
  /// Standard deviation of that logarithm.
  package var uncertainty: Double
  /// What they rest on.
  package var source: ProportionSource

  /// Width over height.
  package var aspectRatio: Double { exp(logAspectRatio) }

  package init(logAspectRatio: Double, uncertainty: Double, source: ProportionSource) {
    self.logAspectRatio = logAspectRatio
    self.uncertainty = uncertainty
    self.source = source
  }
}

/// The diagonal of a frame of 35 mm film in millimetres: what "35 mm equivalent" focal lengths refer to.
private let filmDiagonal = 43.27

/// Focal lengths that are tried, in millimetres for 35 mm film, and in how many equal steps of their logarithm.
private let focalLengthRange = 12.0...240.0
private let focalLengthSteps = 240

/// What is believed of a focal length before the outline is looked at: a mixture of bell curves over its logarithm.
private struct FocalLengthBelief {
  /// Weight, centre in millimetres, and spread of the logarithm.
  var parts: [(weight: Double, centre: Double, spread: Double)]

  /// The main cameras of phones are 23 to 28 mm; the second, wide part stands for all other cameras and for cut photos.
  static let unknown = FocalLengthBelief(parts: [(0.6, 26, 0.08), (0.4, 30, 0.5)])

  /// The file's word, rounded to whole millimetres as it is, unless the photo has been cut or the word is wrong.
  static func given(_ focalLength: Double) -> FocalLengthBelief {
    FocalLengthBelief(parts: [(0.95, focalLength, 0.02), (0.03, 26, 0.08), (0.02, 30, 0.5)])
  }

  func density(logFocalLength: Double) -> (total: Double, first: Double) {
    var total = 0.0
    var first = 0.0
    for (index, part) in parts.enumerated() {
      let distance = (logFocalLength - log(part.centre)) / part.spread
      let density = part.weight / part.spread * exp(-0.5 * distance * distance)
      total += density
      if index == 0 { first = density }
    }
    return (total, first)
  }
}

/// What a camera of one focal length makes of an outline: how far from a rectangle, and of what shape.
private struct Shape {
  /// Cosine of the angle between the page's sides; 0 for a rectangle.
  var cosine: Double
  var logAspectRatio: Double

  /// - Parameters:
  ///   - corners: the outline's corners relative to the middle of the photo, in pixels.
  ///   - focalLength: in pixels.
  init?(corners: [Point], focalLength: Double) {
    let quad = Quad(
      topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
    guard let map = Homography(unitSquareTo: quad) else { return nil }
    // The map's first two columns are the page's sides as the camera sees them (Zhang and He 2007, section 3).
    let m = map.elements
    let across = (m[0] / focalLength, m[3] / focalLength, m[6])
    let down = (m[1] / focalLength, m[4] / focalLength, m[7])
    let width = (across.0 * across.0 + across.1 * across.1 + across.2 * across.2).squareRoot()
    let height = (down.0 * down.0 + down.1 * down.1 + down.2 * down.2).squareRoot()
    cosine = (across.0 * down.0 + across.1 * down.1 + across.2 * down.2) / (width * height)
    logAspectRatio = log(width / height)
    guard cosine.isFinite, logAspectRatio.isFinite else { return nil }
  }
}

/// Finds a page's true proportions from its outline in a photo.
///
/// The camera is a pinhole whose axis goes through the middle of the photo. Every focal length is weighed by what is believed of it
/// beforehand and by how nearly it makes the outline a rectangle, next to what corners a little off would do; the answer
/// is the mean over all of them. So an outline with two clear vanishing points speaks for itself, one without
/// leans on the usual cameras, and a focal length that contradicts the outline loses its weight.
///
/// - Parameters:
///   - quad: in the photo's pixels; the result is the length of its top and bottom over that of its left and right side.
///   - photo: the size of the photo.
///   - focalLength35mm: in millimetres for 35 mm film; `nil` or out of 12…240 when it isn't known.
/// - Returns: `nil` for a degenerate quad.
package func proportions(of quad: Quad, in photo: PixelSize, focalLength35mm: Double?) -> Proportions? {
  let (width, height) = (Double(photo.width), Double(photo.height))
  let diagonal = (width * width + height * height).squareRoot()
  let middle = Point(x: width / 2, y: height / 2)
  let corners = quad.corners.map { $0 - middle }
  // How far corners are off: a fair detector's error, and a pixel's worth in small photos.
  let cornerError = max(0.7, 0.0004 * diagonal)

  let given = focalLength35mm.flatMap { focalLengthRange.contains($0) ? $0 : nil }
  let belief = given.map(FocalLengthBelief.given) ?? .unknown
  let logRange = (log(focalLengthRange.lowerBound), log(focalLengthRange.upperBound))

  var samples:
    [(weight: Double, first: Double, prior: Double, logFocal: Double, mean: Double, variance: Double)] = []
  for step in 0...focalLengthSteps {
    let logFocal = logRange.0 + (logRange.1 - logRange.0) * Double(step) / Double(focalLengthSteps)
    let focalLength = exp(logFocal) * diagonal / filmDiagonal
    guard let sample = weigh(corners, focalLength: focalLength, cornerError: cornerError) else { continue }
    let prior = belief.density(logFocalLength: logFocal)
    samples.append(
      (
        prior.total * sample.likelihood, prior.first * sample.likelihood, prior.total, logFocal, sample.mean,
        sample.variance
      ))
  }
  let total = samples.reduce(0) { $0 + $1.weight }
  guard total > 0, total.isFinite else { return nil }
  func average(_ value: (Int) -> Double) -> Double {
    samples.indices.reduce(0) { $0 + samples[$1].weight * value($1) } / total
  }
  let mean = average { samples[$0].mean }
  let variance = average { index in
    let distance = samples[index].mean - mean
    return samples[index].variance + distance * distance
  }

  let firstShare = samples.reduce(0) { $0 + $1.first } / total
  let source: ProportionSource
  if given != nil, firstShare > 0.5 {
    source = .focalLengthGiven
  } else {
    // Solved when the outline has narrowed the focal length down to less than half of what was believed before.
    let priorTotal = samples.reduce(0) { $0 + $1.prior }
    let priorMean = samples.reduce(0) { $0 + $1.prior * $1.logFocal } / priorTotal
    let priorVariance =
      samples.reduce(0) { $0 + $1.prior * ($1.logFocal - priorMean) * ($1.logFocal - priorMean) } / priorTotal
    let focalMean = average { samples[$0].logFocal }
    let focalVariance = average { (samples[$0].logFocal - focalMean) * (samples[$0].logFocal - focalMean) }
    source = focalVariance < priorVariance / 4 ? .focalLengthSolved : .focalLengthAssumed
  }
  return Proportions(logAspectRatio: mean, uncertainty: variance.squareRoot(), source: source)
}

/// How likely an outline is with one focal length, and the page's proportions with it.
///
/// A rectangle seen by a known camera has seven degrees of freedom, the outline has eight: the eighth tells how far the
/// corners are off, and the proportions are read after the smallest move of the corners that makes up for it.
private func weigh(
  _ corners: [Point], focalLength: Double, cornerError: Double
) -> (likelihood: Double, mean: Double, variance: Double)? {
  guard let shape = Shape(corners: corners, focalLength: focalLength) else { return nil }
  // Derivatives by the eight coordinates.
  let step = 0.25 * cornerError
  var angleByAngle = 0.0
  var shapeByAngle = 0.0
  var shapeByShape = 0.0
  for index in 0..<8 {
    var moved = corners
    if index % 2 == 0 { moved[index / 2].x += step } else { moved[index / 2].y += step }
    guard let other = Shape(corners: moved, focalLength: focalLength) else { return nil }
    let angle = (other.cosine - shape.cosine) / step
    let ratio = (other.logAspectRatio - shape.logAspectRatio) / step
    angleByAngle += angle * angle
    shapeByAngle += ratio * angle
    shapeByShape += ratio * ratio
  }
  guard angleByAngle > 0 else { return nil }
  let variance = cornerError * cornerError
  let deviation = (angleByAngle * variance).squareRoot()
  let distance = shape.cosine / deviation
  // Real pages aren't quite rectangles: beyond a few deviations the likelihood falls off slowly (Student's t, 4 degrees).
  let likelihood = pow(1 + distance * distance / 4, -2.5) / deviation
  return (
    likelihood, shape.logAspectRatio - shapeByAngle / angleByAngle * shape.cosine,
    max(0, shapeByShape - shapeByAngle * shapeByAngle / angleByAngle) * variance
  )
}
