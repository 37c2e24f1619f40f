#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe::app {

/// A file that has been read.
struct TextFile {
  std::string name;  ///< for messages: its path, or "standard input"
  std::string text;
  std::string source = {};  ///< the CUDA source that the text was compiled from; empty where it was not
};

/// @param path  `-` for standard input
/// @throws InputError if it cannot be read, UsageError if a result would overwrite it
TextFile read_input(const std::string& path);
/// Whether a path has the ending of CUDA source, .cu or .cuh.
bool is_cuda_source(const std::string& path);
/// Reads the file of a kernel, which is JSON or PTX.
/// @throws as read_input; InputError for source and binaries, with the command that makes PTX of them
TextFile read_kernel_input(const std::string& path);

/// The kernels and devices that a command line names: a path (with a separator or the ending of a file), `-` for
/// standard input, or the name of a shipped file in upper or lower case.
class DataFiles {
 public:
  /// @param data  the directory of --data, which is searched first, before WARPIPE_DATA and the data of the program
  /// @throws InputError if --data or WARPIPE_DATA is not a directory
  explicit DataFiles(const std::optional<std::string>& data);

  /// @throws InputError for an unknown name (with the nearest one and the directories that were searched), and for a
  ///                    file that cannot be read or is wrong
  Kernel kernel(const std::string& name) const;
  /// The path of a kernel's file.
  std::string kernel_path(const std::string& name) const;
  Device device(const std::string& name) const;

  enum class Kind { Kernels, Devices };
  /// The names of the shipped files, sorted, each once.
  std::vector<std::string> names(Kind kind) const;

 private:
  std::string path_of(Kind kind, const std::string& name) const;
  std::optional<std::string> shipped_path(Kind kind, const std::string& name) const;
  [[noreturn]] void refuse_unknown(Kind kind, const std::string& name) const;
  std::vector<std::filesystem::path> directories_;  ///< in the order of the search
};

/// @return whether a KERNEL or DEVICE is a path, or `-`, and not the name of a shipped file
bool is_path(const std::string& name);

}  // namespace warpipe::app
