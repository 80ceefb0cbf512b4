private import Glibc

/// ENOENT, for files that don't use the C library themselves.
let missingCode = ENOENT
/// ELOOP, which opening a symbolic link gives where none is followed.
let symbolicLinkCode = ELOOP
/// EEXIST.
let existsCode = EEXIST
/// EPERM.
let notPermittedCode = EPERM
/// EIO: the disk can't read what it was given.
let inputOutputCode = EIO
/// EBADMSG: a file system that keeps checksums found another one.
let badMessageCode = EBADMSG
