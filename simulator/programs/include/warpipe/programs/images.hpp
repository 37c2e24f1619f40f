#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/code/module.hpp"

namespace warpipe::programs {

/// The code of a module, or of a fat binary, registered by a program before it launches.
struct ImageTexts {
  std::string ptx;           ///< empty: none
  std::string machine_code;  ///< a cubin that the device runs, or without PTX any; empty: none
  std::string problem;       ///< the reason why a piece could not be read
};

/// Finds the code for a device.
/// @param bytes   a fat binary from its header on, machine code, or else text of PTX
/// @param device  the compilers' name for it, "sm_90"
/// @throws InputError for damaged code
ImageTexts read_code(std::string_view bytes, const std::string& device);

/// Adds the PTX of a program's separately compiled parts (`nvcc -rdc=true`), linked, to its code without PTX: linkers
/// of devices leave machine code alone.
/// @param texts  the linked code
/// @param parts  fat binaries
/// @throws as read_code
void add_ptx_of_parts(ImageTexts& texts, const std::vector<std::string_view>& parts, const std::string& device);

/// The fat binaries of the parts from which a fat binary was linked; none for a program compiled as a whole.
/// @param wrapper  the compilers' argument to the runtime
std::vector<std::string_view> parts_of(const void* wrapper);

/// The bytes of a fat binary as it lies in memory; empty where there is none.
/// @param wrapper  the compilers' argument to the runtime, or the fat binary itself
std::string_view fat_binary_of(const void* wrapper);

}  // namespace warpipe::programs
