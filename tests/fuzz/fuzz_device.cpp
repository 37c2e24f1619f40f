// Any bytes: the device reader yields a device or an InputError, and a yielded device survives writing.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "warpipe/idg/error.hpp"
#include "warpipe/latency_tables/device.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const warpipe::Device device = warpipe::read_device_json({reinterpret_cast<const char*>(data), size}, "fuzz.json");
    if (warpipe::read_device_json(warpipe::write_device_json(device), "fuzz.json") != device) std::abort();
  } catch (const warpipe::InputError&) {
  }
  return 0;
}
