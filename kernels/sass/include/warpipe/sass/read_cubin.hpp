#pragma once

#include <string>
#include <string_view>

#include "warpipe/sass/module.hpp"

namespace warpipe::sass {

/// Whether bytes are machine code of NVIDIA GPUs: an ELF file for machine 190, or a fat binary with one inside.
bool is_cubin(std::string_view bytes);

/// Reads the kernels of a cubin, without decoding them.
/// @param bytes   of the file
/// @param file    for messages
/// @param device  "sm_80": of a fat binary the cubin for this device counts, else the first
/// @throws InputError for a file without a cubin, a damaged cubin or an unknown architecture
/// @source layout: experiments with ptxas 13.0, docs/cubins.md
Module read_cubin(std::string_view bytes, std::string file, std::string_view device = {});

}  // namespace warpipe::sass
