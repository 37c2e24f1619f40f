#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpipe::app {

/// A part of what a run says.
struct Said {
  enum class To : char {
    StandardOutput = 'o',
    StandardError = 'e',
    File = 'f',  ///< by an Output
    Rows = 'r',  ///< by a RowOutput
  };
  To to = To::StandardOutput;
  std::string file;  ///< as it was given
  std::string text;  ///< all of a file; of the others a piece, in the order in which they come
};

/// Writes down what the program says while it lives, but for lines of progress. There is one at a time.
class Transcript {
 public:
  /// @param most_bytes  a run that says more is not written down
  explicit Transcript(std::size_t most_bytes);
  ~Transcript();
  Transcript(const Transcript&) = delete;
  Transcript& operator=(const Transcript&) = delete;

  void add(Said::To to, const std::string& file, std::string_view text);
  /// A file is begun: that is its only one.
  void begin(Said::To to, const std::string& file);
  /// What is said cannot be said again later.
  void give_up();
  /// @return all that was said; nothing where it cannot be said again
  std::optional<std::vector<Said>> take();

 private:
  std::mutex mutex_;
  std::size_t most_bytes_, bytes_ = 0;
  bool has_given_up_ = false;
  std::vector<Said> said_;
};

/// @return that which lives now, else nullptr
Transcript* transcript();

}  // namespace warpipe::app
