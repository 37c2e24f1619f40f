#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpipe::app {

/// A part of the output of a run.
struct Said {
  enum class To : char {
    StandardOutput = 'o',
    StandardError = 'e',
    File = 'f',  ///< by an Output
    Rows = 'r',  ///< by a RowOutput
  };
  To to = To::StandardOutput;
  std::string file;  ///< as it was given
  std::string text;  ///< all of a file; else a piece, in the order of the output
};

/// Records the output of the program while it lives, except lines of progress. Only one lives at a time.
class Transcript {
 public:
  /// @param most_bytes  a run with more output is not recorded
  explicit Transcript(std::size_t most_bytes);
  ~Transcript();
  Transcript(const Transcript&) = delete;
  Transcript& operator=(const Transcript&) = delete;

  void add(Said::To to, const std::string& file, std::string_view text);
  /// Begins a file; a second beginning of the same file ends the recording.
  void begin(Said::To to, const std::string& file);
  /// The output cannot be repeated later.
  void give_up();
  /// @return the whole output; nothing where it cannot be repeated
  std::optional<std::vector<Said>> take();

 private:
  std::mutex mutex_;
  std::size_t most_bytes_, bytes_ = 0;
  bool has_given_up_ = false;
  std::vector<Said> said_;
};

/// @return the living transcript, else nullptr
Transcript* transcript();

}  // namespace warpipe::app
