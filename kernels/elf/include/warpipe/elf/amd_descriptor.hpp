#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "warpipe/elf/object.hpp"

namespace warpipe::elf {

/// The kernel descriptor of an AMD kernel: register contents at its launch, and the memory it takes.
struct AmdDescriptor {
  std::string kernel;
  std::map<std::string, std::int64_t> directives;  ///< by the assembler's names without ".amdhsa_"
};

/// The kernel descriptors of a code object of AMD, in the order of its symbols.
/// @throws InputError where a symbol leads outside of its section
std::vector<AmdDescriptor> read_amd_descriptors(const Object& object);

}  // namespace warpipe::elf
