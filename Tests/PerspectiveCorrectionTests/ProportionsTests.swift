import Glibc
import Raster
import TestSupport
import Testing

import PerspectiveCorrection

@Suite struct ProportionsTests {
  /// Width over height as found, over the true one.
  private func error(
    _ camera: PinholeCamera, width: Double, height: Double, given: Double?, noise: Double, seed: UInt64
  )
    throws -> Double
  {
    var generator = SeededGenerator(seed: seed)
    let quad = camera.quad(width: width, height: height).shaken(by: noise, &generator)
    let found = try #require(proportions(of: quad, in: camera.photo, focalLength35mm: given))
    return found.aspectRatio / (width / height)
  }

  @Test("an A4 page at 45° has its proportions within 2 %, corners a pixel off or not", arguments: 0..<12)
  func a4At45(step: Int) throws {
    let camera = PinholeCamera(tilt: 45, roll: Double(step) * 30)
    for seed in 0..<5 as Range<UInt64> {
      let ratio = try error(camera, width: 210, height: 297, given: 26, noise: 1, seed: seed)
      #expect(abs(ratio - 1) < 0.02)
    }
  }

  @Test("a 1:3 receipt at 45° has its proportions within 3 %, corners a pixel off or not", arguments: 0..<12)
  func receiptAt45(step: Int) throws {
    let camera = PinholeCamera(tilt: 45, roll: Double(step) * 30)
    for seed in 0..<5 as Range<UInt64> {
      let ratio = try error(camera, width: 80, height: 240, given: 26, noise: 1, seed: seed)
      #expect(abs(ratio - 1) < 0.03)
    }
  }

  @Test(
    "without a focal length, two vanishing points tell it: 20 to 70 mm, tilted both ways",
    arguments: [20.0, 26, 35, 50, 70])
  func solved(focalLength: Double) throws {
    var camera = PinholeCamera(focalLength35mm: focalLength, tilt: 40, yaw: 15, roll: 35)
    camera.closeness = 0.6 * 26 / focalLength
    let quad = camera.quad(width: 210, height: 297)
    let found = try #require(proportions(of: quad, in: camera.photo, focalLength35mm: nil))
    #expect(abs(found.aspectRatio / (210.0 / 297) - 1) < 0.02)
    if focalLength > 40 { #expect(found.source == .focalLengthSolved) }
  }

  @Test("without a focal length, a page leaning straight back is taken for a phone's photo")
  func assumed() throws {
    let camera = PinholeCamera(focalLength35mm: 26, tilt: 45)
    let quad = camera.quad(width: 210, height: 297)
    let found = try #require(proportions(of: quad, in: camera.photo, focalLength35mm: nil))
    #expect(found.source == .focalLengthAssumed)
    #expect(abs(found.aspectRatio / (210.0 / 297) - 1) < 0.03)
    // The side lengths alone would say something else entirely.
    let across = quad.topLeft.distance(to: quad.topRight) + quad.bottomLeft.distance(to: quad.bottomRight)
    let down = quad.topLeft.distance(to: quad.bottomLeft) + quad.topRight.distance(to: quad.bottomRight)
    #expect(abs(across / down / (210.0 / 297) - 1) > 0.2)
  }

  @Test("a focal length that contradicts the outline is not believed", arguments: [13.0, 90, 200])
  func contradicted(wrong: Double) throws {
    let camera = PinholeCamera(focalLength35mm: 26, tilt: 40, yaw: 15, roll: 35)
    let quad = camera.quad(width: 210, height: 297)
    let found = try #require(proportions(of: quad, in: camera.photo, focalLength35mm: wrong))
    #expect(found.source != .focalLengthGiven)
    #expect(abs(found.aspectRatio / (210.0 / 297) - 1) < 0.03)
  }

  @Test(
    "seen from straight above, proportions are the sides', whatever the focal length",
    arguments: [nil, 26, 90.0])
  func frontal(given: Double?) throws {
    var camera = PinholeCamera(roll: 20)
    camera.offset = Point(x: 0.1, y: -0.05)
    let found = try #require(
      proportions(of: camera.quad(width: 85, height: 55), in: camera.photo, focalLength35mm: given))
    #expect(abs(found.aspectRatio / (85.0 / 55) - 1) < 0.002)
  }

  @Test("a photo without EXIF and only 1200 pixels wide keeps A4 within 4 %", arguments: 0..<6)
  func smallPhoto(step: Int) throws {
    let camera = PinholeCamera(
      photo: PixelSize(width: 1200, height: 1600), focalLength35mm: 25, tilt: 30, yaw: Double(step) * 4,
      roll: Double(step) * 9)
    let ratio = try error(camera, width: 210, height: 297, given: nil, noise: 1, seed: 7)
    #expect(abs(ratio - 1) < 0.04)
  }
}
