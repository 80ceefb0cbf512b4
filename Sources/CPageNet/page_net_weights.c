#include "page_net_weights.h"

static const unsigned char weights[] = {
#embed "page-net.weights"
};

const unsigned char *const flatbed_page_net_weights = weights;
const size_t flatbed_page_net_weights_count = sizeof weights;
