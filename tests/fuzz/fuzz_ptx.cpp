// Any bytes: the PTX reader yields a module or an InputError, and an entry of a module a kernel or an Error.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "warpipe/idg/error.hpp"
#include "warpipe/ptx/import.hpp"
#include "warpipe/ptx/read_ptx.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto module = warpipe::ptx::read_ptx({reinterpret_cast<const char*>(data), size}, "fuzz.ptx");
    for (const auto& entry : module.entries()) {
      warpipe::ptx::ImportOptions options;
      options.entry = entry;
      options.launch.block = {48, 1, 1};
      options.launch.grid = {3, 1, 1};
      options.launch.dynamic_shared_memory = 4096;
      options.launch.max_instructions = 20'000;
      options.launch.arguments["0"] = "100";
      options.lowering.unknown = {{"class", "skip"}};
      try {
        warpipe::ptx::import_ptx(module, options);
      } catch (const warpipe::Error&) {
      }
    }
  } catch (const warpipe::InputError&) {
  }
  return 0;
}
