#pragma once

#include <functional>
#include <string>

namespace warpipe {

/// A file that has been read.
struct TextFile {
  std::string name;  ///< for messages: its path, or "standard input"
  std::string text;
  std::string source = {};  ///< the CUDA source that the text was compiled from; empty where it was not
};

/// Called with the path of a file before it is read; what it throws goes on to the caller. Empty: nothing is done.
using BeforeReading = std::function<void(const std::string& path)>;

/// @param path  `-` for standard input
/// @throws InputError if it cannot be read, UsageError for an empty path
TextFile read_file(const std::string& path, const BeforeReading& before = {});

/// Reads the file of a kernel, which is JSON or PTX.
/// @throws as read_file; InputError for source and binaries, with the command that makes PTX of them
TextFile read_kernel_file(const std::string& path, const BeforeReading& before = {});

/// Refuses source and binaries.
/// @throws InputError with the command that makes PTX of the file
void refuse_foreign(const TextFile& file);

/// Whether a path has the ending of CUDA source, .cu or .cuh.
bool is_cuda_source(const std::string& path);

/// @return whether a KERNEL is PTX, by its ending or, for standard input and pipes, by its text, which begins with a
///         directive or a comment
bool is_code(const TextFile& kernel);

/// @return whether the name of a kernel or device is a path, or `-`, and not the name of a shipped file
bool is_path(const std::string& name);

}  // namespace warpipe
