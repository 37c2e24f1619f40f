#pragma once

#include <string>
#include <vector>

namespace warpipe::programs {

/// The end of a program.
struct ProgramEnd {
  bool was_started = true;
  int status = 0;  ///< its exit status; the error for which it was not started
  int signal = 0;  ///< the killing signal; 0: none
  bool is_good() const { return was_started && status == 0 && signal == 0; }
};

/// "ended with status 2", "was killed: Segmentation fault", "cannot be started: No such file or directory".
std::string to_string(const ProgramEnd& end);

/// The time shown by the clocks of the host to a program: the time on this machine, or the time that it would take with
/// the device.
enum class Clocks { OfHost, OfDevice };

/// Runs a program with warpipe's runtime in the place of CUDA's, and waits for its end. Of its environment, only the
/// loader's variables are changed, and the name of the options is added. Signals of the terminal are its own.
/// @param words    a path, or a name to look for on the PATH, and its arguments
/// @param folder   of libwarpipe_cudart.so
/// @param options  the file of the options
ProgramEnd run_program(const std::vector<std::string>& words, const std::string& folder, const std::string& options,
                       Clocks clocks = Clocks::OfHost);

/// The files written under a name by the processes of a program: launches.jsonl, launches_2.jsonl, ...
std::vector<std::string> logs_in(const std::string& folder, const std::string& name);

}  // namespace warpipe::programs
