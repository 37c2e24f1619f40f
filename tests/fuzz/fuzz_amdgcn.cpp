// Any bytes: the reader of AMD assembly yields a module or an InputError, and a kernel of a module a graph or an Error.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "warpipe/amdgcn/entries.hpp"
#include "warpipe/amdgcn/import.hpp"
#include "warpipe/amdgcn/listing.hpp"
#include "warpipe/amdgcn/read_assembly.hpp"
#include "warpipe/idg/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    warpipe::amdgcn::is_assembly(text);
    const auto module = warpipe::amdgcn::read_assembly(text, "fuzz.s");
    warpipe::amdgcn::entries(module);
    for (const auto& kernel : module.kernels) {
      warpipe::isa::ImportOptions options;
      options.entry = kernel.symbol;
      options.launch.block = {96, 1, 1};
      options.launch.grid = {3, 1, 1};
      options.launch.dynamic_shared_memory = 4096;
      options.launch.max_instructions = 20'000;
      options.launch.assume = true;
      try {
        warpipe::amdgcn::listing(module, kernel.symbol);
        warpipe::amdgcn::import_assembly(module, options);
      } catch (const warpipe::Error&) {
      }
    }
  } catch (const warpipe::InputError&) {
  }
  return 0;
}
