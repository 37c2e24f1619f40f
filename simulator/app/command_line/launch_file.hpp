#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "command_line/imported_kernel.hpp"

namespace warpipe::app {

/// A line of a launch file.
struct FileLaunch {
  std::size_t line = 0;  ///< from 1
  std::string where;     ///< for messages: "launches.jsonl: line 3"
  std::string file;      ///< of the kernel, beside the launch file; empty: not given
  GivenLaunch given;
  std::int64_t times = 1;  ///< the number of its launches
};

/// Reads a launch file: a JSON object per line. Blank lines count and hold nothing.
/// @param file   its text
/// @param usual  the values that a line does not give; the arguments and other answers by name are put together
/// @throws InputError with all problems of the file, each with its line
/// @source docs/formats.md, "Launch file"
std::vector<FileLaunch> read_launch_file(const TextFile& file, const GivenLaunch& usual);

}  // namespace warpipe::app
