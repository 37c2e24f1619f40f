#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace warpipe {

/// How a program ended that this one has run, and what it printed.
struct ChildEnd {
  enum class How { Exited, Killed, NotStarted, CutOff };
  How how = How::Exited;
  int status = 0;    ///< the exit status; the signal that killed it; the error for which it was not started
  std::string text;  ///< what it printed on both streams in one, up to 16 MiB

  bool is_good() const { return how == How::Exited && status == 0; }
};

/// "ended with status 2", "was cut off", "cannot be started: No such file or directory".
std::string to_string(const ChildEnd& end);

/// Called before another program is run, with what ends that. What it returns is kept until then: something that calls
/// it where a signal ends everything. Empty: signals are not looked at.
using Guard = std::function<std::shared_ptr<void>(std::function<void()> end)>;

/// A program to run.
struct ChildCall {
  std::vector<std::string>
      words;  ///< a path, or a name to look for on the PATH, and its arguments: no shell reads them
  std::vector<std::pair<std::string, std::string>> environment = {};  ///< set besides that of this program
  std::chrono::milliseconds limit = std::chrono::hours(24);           ///< after which it is killed with all it started
  Guard guard = {};
  /// It was found by program_at, and all that it does follows from its input: an answer that depends on it can be kept.
  bool is_function = false;
};

/// Runs a program to its end, without any input. Whether it could be started is part of the result.
ChildEnd run_child(const ChildCall& call);

/// A new directory for intermediate files, which is gone with its contents at its end, or at that of the program.
class TemporaryDirectory {
 public:
  /// @throws InputError where it cannot be made
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::string& path() const { return path_; }

  /// Removes those that there are, once and for all, where other threads go on until the program has ended: a thread
  /// that makes or removes one after that waits for the end.
  static void remove_all();

 private:
  std::string path_;
};

}  // namespace warpipe
