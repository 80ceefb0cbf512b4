#pragma once

#include "flatbed_cubic.h"
