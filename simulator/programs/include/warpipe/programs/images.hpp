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

/// The code of one fat binary, which a program registers before it launches, or of a module.
struct ImageTexts {
  std::string ptx;           ///< empty: none
  std::string machine_code;  ///< a cubin that the device runs, or without PTX any; empty: none
  std::string problem;       ///< why a piece could not be read
};

/// Finds the code for a device.
/// @param bytes   a fat binary from its header on, machine code, or else text of PTX
/// @param device  what compilers call it, "sm_90"
/// @throws InputError for what is damaged
ImageTexts read_code(std::string_view bytes, const std::string& device);

/// The bytes of a fat binary as it lies in memory; empty where that is none.
/// @param wrapper  what compilers hand to the runtime, or the fat binary itself
std::string_view fat_binary_of(const void* wrapper);

}  // namespace warpipe::programs
