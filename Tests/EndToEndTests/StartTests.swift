import TestSupport
import Testing

/// What every run of the program costs before it does anything.
@Suite("The start")
struct StartTests {
  @Test("loads no codec of video, which the first HEIF file does", arguments: ["--version", "--help"])
  func libraries(option: String) throws {
    let place = try Workplace()
    let start = try place.program.shell(
      #"strace -f -qq -e trace=openat -o trace flatbed "$1" && grep -o 'lib[a-z0-9]*\.so' trace | sort -u"#,
      [option])
    #expect(start.status == 0, "\(start.errors)")
    let loaded = Set(start.lines)
    #expect(loaded.contains("libjpeg.so"))
    #expect(loaded.isDisjoint(with: ["libheif.so", "libx265.so", "libde265.so", "libaom.so", "libdav1d.so"]))
    let detect = try place.program.shell(
      #"strace -f -qq -e trace=openat -o trace flatbed detect "$1" >out && grep -c 'libde265\.so' trace"#,
      [Samples.path("note-ruled-shadow.heic")])
    #expect(detect.status == 0, "\(detect.errors)")
  }
}
