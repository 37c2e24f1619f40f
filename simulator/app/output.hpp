#pragma once

#include <string>
#include <string_view>

namespace warpipe::app {

/// Where a result goes: standard output or a file.
///
/// A file is checked before the long work and appears when it is whole: it is written beside its place and renamed,
/// so a file that was there stays whole until then. Pipes and devices are written directly.
class Output {
 public:
  /// @param file  a path; "-" or empty: standard output
  /// @throws InputError where it cannot be created
  explicit Output(std::string file = {});

  /// Writes all of the result.
  /// @throws OutputError where that fails, also when the disk is full only at the end; ClosedPipe where the reader of
  ///                     standard output has gone
  void write(std::string_view text) const;

 private:
  enum class Kind { StandardOutput, Special, File };
  Kind kind_ = Kind::StandardOutput;
  std::string file_;  ///< for a File: with symbolic links resolved
};

}  // namespace warpipe::app
