#pragma once

#include <mutex>
#include <string>
#include <thread>

namespace warpipe::test {

/// A pseudo terminal that keeps its output.
class Terminal {
 public:
  Terminal();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// The writable side, for programs: "/dev/pts/3".
  const std::string& path() const { return path_; }
  /// The output so far.
  std::string text_so_far() const;
  /// All output, byte by byte. To be called once, when the program has ended.
  std::string text();

 private:
  int master_ = -1, slave_ = -1;
  std::string path_, text_;
  mutable std::mutex mutex_;  ///< of text_
  std::thread reader_;
};

}  // namespace warpipe::test
