// How far a sample is below paper once the light is divided out, in eighths of a level: 0 is paper, 2040 black, less than 0 brighter than
// paper. With eighths, everything fits 16 bits, sums of nine included. The kernels read it.

/// Black: the darkness of a sample of 0 where paper is at 255.
let blackest: Int16 = 2040
