// Any bytes: the reader of machine code yields a module or an InputError, and a kernel of a module a graph or an Error.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "warpipe/idg/error.hpp"
#include "warpipe/sass/entries.hpp"
#include "warpipe/sass/import.hpp"
#include "warpipe/sass/least_distances.hpp"
#include "warpipe/sass/listing.hpp"
#include "warpipe/sass/read_cubin.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpipe;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    sass::is_cubin(bytes);
    const auto module = sass::read_cubin(bytes, "fuzz.cubin");
    sass::entries(module);
    for (const auto& kernel : module.kernels) {
      isa::ImportOptions options;
      options.entry = kernel.symbol;
      options.launch.block = {48, 1, 1};
      options.launch.grid = {3, 1, 1};
      options.launch.dynamic_shared_memory = 4096;
      options.launch.max_instructions = 20'000;
      options.launch.arguments["0"] = "100";
      options.lowering.unknown = {{"class", "skip"}};
      try {
        sass::listing(module, kernel.symbol);
        sass::least_distances(module, kernel);
        sass::import_cubin(module, options);
      } catch (const Error&) {
      }
    }
  } catch (const InputError&) {
  }
  return 0;
}
