#include <stdio.h>  // jpeglib.h needs FILE and size_t
#include <jpeglib.h>
#include <jerror.h>
