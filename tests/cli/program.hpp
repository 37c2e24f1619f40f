#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace warpipe::test {

/// The results of a run of the program.
struct Outcome {
  int status = -1;
  std::string out, err;
  std::int64_t peak_kib = 0;  ///< the most resident memory
};

using Files = std::map<std::string, std::string>;  ///< contents by name

/// A new directory with files, working directory of the program; deleted at the end.
class Workplace {
 public:
  explicit Workplace(const Files& files = {});
  ~Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  struct Settings {
    std::string standard_input = {};                      ///< content
    std::string standard_output = {};                     ///< a path to write to instead of capturing it
    std::string standard_error = {};                      ///< likewise
    bool reader_has_gone = false;                         ///< standard output is a pipe without a reader
    bool small_files_only = false;                        ///< no file may grow beyond 512 bytes, as on a full disk
    bool interrupts_ignored = false;                      ///< SIGINT is, as under nohup
    std::vector<int> signals = {};                        ///< sent as soon as a file has so many lines
    std::pair<std::string, std::ptrdiff_t> sent_at = {};  ///< the file, or its first letters and a *; the lines
    std::function<bool()> sent_when = {};                 ///< or sent as soon as this is so
    std::map<std::string, std::string> environment =
        {};  ///< beside WARPIPE_DATA (the tests' data), WARPIPE_CACHE (off), WARPIPE_FORM (ptx)
  };

  /// Runs the real binary. A run longer than a minute fails the test.
  Outcome run(const std::vector<std::string>& arguments, const Settings& settings) const;
  Outcome run(const std::vector<std::string>& arguments) const { return run(arguments, Settings{}); }

  std::string path(const std::string& name) const { return directory_ + "/" + name; }
  std::string read(const std::string& name) const;
  void write(const std::string& name, const std::string& content) const;
  /// The names of its files, but for the files of run() itself.
  std::vector<std::string> files() const;

 private:
  bool has_lines(const std::string& name, std::ptrdiff_t lines) const;
  void wait_until(const std::function<bool()>& is_so, pid_t process) const;

  std::string directory_;
};

using Words = std::vector<std::string>;  ///< of a command line

inline Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Runs the program in an empty directory.
Outcome warpipe(const std::vector<std::string>& arguments);

/// Replaces the places of this build and of these tests by words: outputs are alike everywhere.
std::string without_paths(std::string text);

}  // namespace warpipe::test
