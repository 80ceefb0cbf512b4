import ImageCodecs
import Raster
import Testing

@Suite struct ColorTests {
  @Test(
    "a picture with a profile comes out as its colors are, within ΔE 3",
    arguments: [
      "jpeg_icc_p3.jpg", "jpeg_icc_p3_pieces.jpg", "jpeg_icc_adobe.jpg", "jpeg_icc_srgb.jpg",
      "png_iccp_p3.png",
      "png_iccp_p3_16.png", "png_iccp_p3_rgba.png", "png_chrm_p3.png", "png_gamma_linear16.png",
    ])
  func profiles(name: String) throws {
    let image = try Fixture.decode(name)
    #expect(deltaE(image.raster, try Fixture.page()) < 3)
    #expect(image.warnings == [])
  }

  @Test("without the profile the same pictures would be off")
  func profilesMatter() throws {
    let bytes = try Fixture.bytes("jpeg_icc_p3.jpg")
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: "ICC_PROFILE".utf8) })
    var renamed = bytes
    renamed[place] = 0x58
    #expect(deltaE(try ImageSource(bytes: renamed).decode().raster, try Fixture.page()) > 5)
  }

  @Test("a grey picture with a grey profile")
  func grayProfile() throws {
    let image = try Fixture.decode("png_iccp_gray18.png")
    #expect(image.raster.format == .gray)
    #expect(largestDifference(image.raster, try Fixture.page().grayscale()) <= 2)
  }

  @Test("a CMYK picture with a profile", arguments: ["jpeg_icc_cmyk.jpg", "jpeg_icc_cmyk_bare.jpg"])
  func inkProfile(name: String) throws {
    let image = try Fixture.decode(name)
    #expect(deltaE(image.raster, try Fixture.decode("patches.png").raster) < 3)
    #expect(image.warnings == [])
  }

  @Test(
    "CMYK and YCCK, with Adobe's marker and without, are the same page",
    arguments: [
      "jpeg_cmyk_adobe.jpg", "jpeg_cmyk_ycck.jpg", "jpeg_cmyk_ycck_420.jpg", "jpeg_cmyk_bare.jpg",
      "jpeg_cmyk_bare_inverted.jpg", "jpeg_ycck_bare_420.jpg", "jpeg_cmyk_adobe_upright.jpg",
    ])
  func inks(name: String) throws {
    let image = try Fixture.decode(name)
    let page = try Fixture.page()
    #expect(meanDifference(image.raster, page) < 8)
    // Paper, a line of text, and the patches, away from their edges.
    #expect(image.raster[x: 90, y: 60].allSatisfy { $0 > 200 })
    #expect(image.raster[x: 30, y: 7].allSatisfy { $0 < 70 })
    for patch in 0..<6 {
      let (x, y) = (16 * patch + 7, 47)
      for (one, other) in zip(image.raster[x: x, y: y], page[x: x, y: y]) {
        #expect(abs(Int(one) - Int(other)) <= 10)
      }
    }
  }

  @Test(
    "a profile that is broken or for another kind of picture gives a warning",
    arguments: ["jpeg_icc_mismatch.jpg", "jpeg_icc_broken.jpg", "png_iccp_broken.png"])
  func badProfiles(name: String) throws {
    let image = try Fixture.decode(name)
    #expect(meanDifference(image.raster, try Fixture.page()) < 2)
    #expect(image.warnings.count == 1)
  }

  @Test("a profile with a missing piece gives a warning")
  func missingPiece() throws {
    let source = try ImageSource(bytes: Fixture.bytes("jpeg_icc_piece_missing.jpg"))
    #expect(source.warnings.count == 1)
    #expect(meanDifference(try source.decode().raster, try Fixture.page()) < 2)
  }
}
