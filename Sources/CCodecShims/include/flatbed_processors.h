#pragma once

/// How many processors this program may run on, which can be fewer than there are.
int flatbed_available_processors(void);
