#pragma once

#include <optional>
#include <string>

#include "warpipe/inputs/data_files.hpp"
#include "warpipe/inputs/text_file.hpp"

namespace warpipe::app {

/// As warpipe::read_file.
/// @throws also UsageError if a result would overwrite it
TextFile read_input(const std::string& path);
/// As warpipe::read_kernel_file.
/// @throws also UsageError if a result would overwrite it
TextFile read_kernel_input(const std::string& path, const std::string& device = {});

/// The kernels and devices named by a command line. A file that a result would overwrite is not read.
class DataFiles : public warpipe::DataFiles {
 public:
  /// @param data  the directory of --data
  explicit DataFiles(const std::optional<std::string>& data);
};

/// The file of a kernel, and its entry.
struct NamedKernel {
  std::string path;
  std::string entry;  ///< of FILE:ENTRY; else empty
};

/// @param name  a shipped name, a file, or FILE:ENTRY
NamedKernel named_kernel(const std::string& name, const DataFiles& files);

/// @throws InputError for an entry of a kernel file, which has none
void require_entry(const NamedKernel& kernel, const TextFile& file);

}  // namespace warpipe::app
