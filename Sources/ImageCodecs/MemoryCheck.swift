private import Glibc
import Raster

/// Asks the system whether it would give `bytes` of memory for a picture.
///
/// An array that can't be had ends the program, so it is asked for here first, where that can be told as an error.
/// - Throws: `outOfMemory`.
func checkMemory(bytes: Int, for size: PixelSize) throws(CodecError) {
  guard let memory = unsafe malloc(max(1, bytes)) else { throw .outOfMemory(size) }
  unsafe free(memory)
}
