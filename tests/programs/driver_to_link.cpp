// Stands for CUDA's driver where a program is linked: whoever gets here runs without warpipe's.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CALL(name, suffix, parameters)                                         \
  extern "C" int cu##name##suffix parameters {                                 \
    std::fputs("the driver that is linked got cu" #name #suffix "\n", stderr); \
    std::_Exit(77);                                                            \
  }
#include "driver_calls.inc"
#undef CALL
