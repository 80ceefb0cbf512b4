import ImageCodecs
import Testing

@Suite struct SniffingTests {
  @Test(
    "the first bytes tell the format",
    arguments: [
      ([0xFF, 0xD8, 0xFF, 0xE0], ImageFormat.jpeg),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
      ([0x49, 0x49, 42, 0, 8, 0, 0, 0], .tiff),
      ([0x4D, 0x4D, 0, 42, 0, 0, 0, 8], .tiff),
      ([0, 0, 0, 24] + Array("ftypheic\0\0\0\0mif1heic".utf8), .heif),
      ([0, 0, 0, 24] + Array("ftypmif1\0\0\0\0mif1heic".utf8), .heif),
    ] as [([UInt8], ImageFormat)])
  func formats(bytes: [UInt8], format: ImageFormat) {
    #expect(ImageFormat.sniff(bytes) == format)
  }

  @Test(
    "other files are named for what they are",
    arguments: [
      (Array("%PDF-1.7\n".utf8), ForeignFile.pdf),
      (Array("GIF89a".utf8), .gif),
      (Array("RIFF\0\0\0\0WEBPVP8 ".utf8), .webP),
      ([0, 0, 0, 28] + Array("ftypavif\0\0\0\0avifmif1miaf".utf8), .avif),
      ([0, 0, 0, 28] + Array("ftypmif1\0\0\0\0mif1avifmiaf".utf8), .avif),
      ([0, 0, 0, 24] + Array("ftypcrx \0\0\0\u{1}crx isom".utf8), .raw("CR3")),
      ([0x49, 0x49, 42, 0, 16, 0, 0, 0, 0x43, 0x52, 2, 0], .raw("CR2")),
      ([0, 0, 0, 24] + Array("ftypmp42\0\0\0\0mp42isom".utf8), .video),
      (Array("PK\u{3}\u{4}".utf8), .zip),
      (Array("Dear Sir,\nthis is a letter – not a photo.\n".utf8), .text),
      (Array("<!DOCTYPE html><html>".utf8), .html),
      (Array("<?xml version='1.0'?>\n<svg xmlns='x'>".utf8), .svg),
      ([UInt8](repeating: 0, count: 4096), .zeros),
      ([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1], .program),
    ] as [([UInt8], ForeignFile)])
  func foreignFiles(bytes: [UInt8], kind: ForeignFile) {
    #expect(throws: CodecError.notAnImage(looksLike: kind)) { try ImageSource(bytes: bytes) }
  }

  @Test("an empty file is called empty")
  func empty() {
    #expect(throws: CodecError.emptyFile) { try ImageSource(bytes: []) }
    #expect(CodecError.emptyFile.description == "the file is empty")
  }

  @Test("unknown bytes are no image, without a guess")
  func unknown() {
    #expect(throws: CodecError.notAnImage(looksLike: nil)) {
      try ImageSource(bytes: [0x90, 0xEB, 0x01, 0xFE, 0x00, 0x13])
    }
  }
}
