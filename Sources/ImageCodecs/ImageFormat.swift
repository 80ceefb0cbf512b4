/// The formats that can be read, told by the first bytes of a file and never by its name.
package enum ImageFormat: String, Sendable, CaseIterable {
  case jpeg
  case png
  case tiff
  case heif
}
