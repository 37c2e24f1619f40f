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

}  // namespace warpipe::app
