#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "command_line/ptx_kernel.hpp"

namespace warpipe::app {

/// What Triton writes beside the PTX of a kernel.
struct TritonMetadata {
  std::string file;  ///< its name, for notes
  std::optional<std::int64_t> threads, shared_memory;
};

/// Reads the file of --metadata, else the one with the name of the PTX and the ending .json, where that is Triton's
/// and of this entry.
/// @throws InputError for a file that --metadata names and that is none
TritonMetadata read_triton_metadata(const TextFile& file, const Arguments& arguments, const std::string& entry);

/// Puts the block, the grid and the dynamic shared memory into the options: what is given, else what the entry is
/// compiled for or Triton says, else something to be asked for or assumed.
void choose_launch(const GivenLaunch& given, const ptx::Function& entry, const TritonMetadata& metadata,
                   ptx::ImportOptions& options);

}  // namespace warpipe::app
