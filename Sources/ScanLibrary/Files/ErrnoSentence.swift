private import Glibc

/// What an `errno` means to someone who has never heard of it: lower case, no full stop.
func sentence(forErrno code: Int32) -> String {
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
  case EXDEV: "the library's folders lie on different file systems"
  case ENOLCK, EOPNOTSUPP: "the file system does not support locks"
  case ESTALE: "the network file system has lost the file"
  default:
    if let text = unsafe strerror(code) {
      unsafe String(cString: text).lowercased()
    } else {
      "system error \(code)"
    }
  }
}

/// ENOENT, for files that don't use the C library themselves.
let missingCode = ENOENT
/// ELOOP, which opening a symbolic link gives where none is followed.
let symbolicLinkCode = ELOOP
/// EEXIST.
let existsCode = EEXIST
/// EPERM.
let notPermittedCode = EPERM
