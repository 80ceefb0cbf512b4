// What Swift cannot call by itself: libraries that report errors by longjmp, macros and variadic functions.
#pragma once
#include "flatbed_heif.h"
#include "flatbed_jpeg.h"
#include "flatbed_lcms.h"
#include "flatbed_png.h"
#include "flatbed_processors.h"
#include "flatbed_status.h"
#include "flatbed_tiff.h"
