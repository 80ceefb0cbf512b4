#ifndef FLATBED_PAGE_NET_WEIGHTS_H
#define FLATBED_PAGE_NET_WEIGHTS_H

#include <stddef.h>

/// The file page-net.weights, built into the program. Its form is told in docs/detection.md.
extern const unsigned char *const flatbed_page_net_weights;
extern const size_t flatbed_page_net_weights_count;

#endif
