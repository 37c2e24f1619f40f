#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "warpipe/elf/object.hpp"

namespace warpipe::elf {

/// What the launch of a kernel of AMD puts into registers, and the memory that it takes: its kernel descriptor.
struct AmdDescriptor {
  std::string kernel;
  std::map<std::string, std::int64_t> directives;  ///< by the assembler's names without ".amdhsa_"
};

/// The kernel descriptors of a code object of AMD, in the order of its symbols.
/// @throws InputError where one leads outside of its section
std::vector<AmdDescriptor> read_amd_descriptors(const Object& object);

}  // namespace warpipe::elf
