// Any bytes: the kernel reader yields a kernel or an InputError.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "warpipe/idg/error.hpp"
#include "warpipe/kernels/read_kernel.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    warpipe::read_kernel_json({reinterpret_cast<const char*>(data), size}, "fuzz.json");
  } catch (const warpipe::InputError&) {
  }
  return 0;
}
