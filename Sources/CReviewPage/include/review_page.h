#ifndef FLATBED_REVIEW_PAGE_H
#define FLATBED_REVIEW_PAGE_H

#include <stddef.h>

/// A file of the review's page, built into the program.
struct flatbed_review_file {
  /// Its address, such as "/main.js".
  const char *_Nonnull path;
  const char *_Nonnull content_type;
  const unsigned char *_Nonnull bytes;
  size_t count;
};

/// The files of Sources/CReviewPage/page, one by one; NULL after the last.
const struct flatbed_review_file *_Nullable flatbed_review_file_at(size_t index);

#endif
