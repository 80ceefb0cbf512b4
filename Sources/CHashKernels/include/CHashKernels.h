#pragma once

#include "flatbed_sha256.h"
