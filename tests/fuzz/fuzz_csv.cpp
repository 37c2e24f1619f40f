// Any bytes: the reader of measured data yields rows or an InputError.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "warpipe/accuracy/accuracy.hpp"
#include "warpipe/idg/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    warpipe::read_measurements_csv({reinterpret_cast<const char*>(data), size}, "fuzz.csv", {});
  } catch (const warpipe::InputError&) {
  }
  return 0;
}
