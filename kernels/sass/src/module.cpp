#include "warpipe/sass/module.hpp"

#include "warpipe/idg/error.hpp"
#include "warpipe/isa/symbols.hpp"

namespace warpipe::sass {

const Kernel& Module::find(const std::string& name) const {
  if (kernels.empty())
    throw InputError(Diagnostic{file, "the file has no kernel", "", "give one with a __global__ function"});
  std::vector<std::string> symbols;
  for (const auto& kernel : kernels) symbols.push_back(kernel.symbol);
  return kernels[isa::find_symbol(symbols, name, file)];
}

}  // namespace warpipe::sass
