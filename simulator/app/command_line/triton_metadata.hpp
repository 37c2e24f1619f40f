#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "command_line/arguments.hpp"
#include "command_line/data_files.hpp"

namespace warpipe::app {

/// The metadata file of Triton beside the PTX of a kernel.
struct TritonMetadata {
  std::string file;  ///< its name, for notes
  std::optional<std::int64_t> threads, shared_memory;
};

/// Reads the file of --metadata, else the file with the name of the PTX and the ending .json, where it is Triton's and
/// of this entry.
/// @throws InputError for a file of --metadata that is not metadata
TritonMetadata read_triton_metadata(const TextFile& file, const Arguments& arguments, const std::string& entry);

}  // namespace warpipe::app
