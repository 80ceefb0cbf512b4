private import Glibc

/// What a system call's error number means to someone who has never heard of it, as part of a sentence: `permission denied`.
///
/// Lower case, without a full stop. Common ones have words of our own, the others the system's.
package func systemErrorText(_ code: Int32) -> String {
  switch code {
  case ENOSPC: "no space left on device"
  case EDQUOT: "the disk quota is used up"
  case EACCES, EPERM: "permission denied"
  case EROFS: "the file system is read-only"
  case ENOENT: "no such file or folder"
  case ENOTDIR: "not a folder"
  case EISDIR: "it is a folder"
  case EEXIST: "it exists already"
  case ENOTEMPTY: "the folder is not empty"
  case ELOOP: "it is a symbolic link"
  case EIO: "the disk reported an input/output error"
  case EFBIG: "the file is larger than the file system or a limit allows"
  case ENAMETOOLONG: "the name is too long"
  case EMFILE, ENFILE: "too many open files"
  case EXDEV: "the folders lie on different file systems"
  case ENOLCK, EOPNOTSUPP: "the file system does not support locks"
  case ESTALE: "the network file system has lost the file"
  default: textOfSystem(code)
  }
}

/// The C library's own words, with a small letter at their start unless they begin with an abbreviation.
private func textOfSystem(_ code: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  guard unsafe strerror_r(code, &buffer, buffer.count) == 0 else { return "system error \(code)" }
  let words = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  if words.dropFirst().first?.isUppercase == true { return words }
  return words.prefix(1).lowercased() + words.dropFirst()
}
