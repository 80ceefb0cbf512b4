#pragma once

/// How a call into a codec library ended: 0 is success, anything else is told by `message`.
typedef struct flatbed_status {
  int code;
  char message[200];
} flatbed_status;
