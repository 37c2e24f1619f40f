#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace warpipe {

/// The end of a program run by this process, and its output.
struct ChildEnd {
  enum class How { Exited, Killed, NotStarted, CutOff };
  How how = How::Exited;
  int status = 0;    ///< exit status; the killing signal; the error of a failed start
  std::string text;  ///< output on both streams together, up to 16 MiB

  bool is_good() const { return how == How::Exited && status == 0; }
};

/// "ended with status 2", "was cut off", "cannot be started: No such file or directory".
std::string to_string(const ChildEnd& end);

/// Called before another program is run, with a function to end the program. The result is kept until then: an object
/// that calls `end` when a signal ends everything. Empty: signals are not handled.
using Guard = std::function<std::shared_ptr<void>(std::function<void()> end)>;

/// A program to run.
struct ChildCall {
  std::vector<std::string>
      words;  ///< a path, or a name to look for on the PATH, and its arguments: no shell reads them
  std::vector<std::pair<std::string, std::string>> environment = {};  ///< set besides this program's own
  std::chrono::milliseconds limit = std::chrono::hours(24);           ///< after which it is killed with all it started
  Guard guard = {};
  /// Found by program_at, and with a result that follows from its input alone: an answer based on it can be kept.
  bool is_function = false;
};

/// Runs a program to its end, without any input. A failure to start is part of the result.
ChildEnd run_child(const ChildCall& call);

/// A new directory for intermediate files, removed with its contents at its end, or at the end of the program.
class TemporaryDirectory {
 public:
  /// @throws InputError where it cannot be made
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::string& path() const { return path_; }

  /// Removes all present directories, once and for all, where other threads go on until the program has ended: a thread
  /// that makes or removes a directory afterwards waits for the end.
  static void remove_all();

 private:
  std::string path_;
};

}  // namespace warpipe
