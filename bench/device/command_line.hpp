#pragma once

#include <string>
#include <vector>

namespace measure {

struct CommandLine {
  std::vector<std::string> only;
  int device = 0;
  std::string table;   ///< name of the device table; empty: made from the GPU's name
  std::string output;  ///< file; empty or "-": standard output
  int repeats = 5;
  bool probe = false;  ///< the probes in place of the parts
  bool quick = false;
  bool list = false;
  bool help = false;
};

/// @param arguments  without the program's name
/// @throws std::invalid_argument with the fault and the correct form
CommandLine parse_command_line(const std::vector<std::string>& arguments);

std::string help_text();

}  // namespace measure
