#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace warpipe::programs {

/// A file of lines that grows while a program runs. A line is whole once `append` returns, however the program ends,
/// also where it has closed descriptors of other owners. A process forked by a program gets a file of its own.
class Log {
 public:
  /// The file is FOLDER/NAME.jsonl, or NAME_2.jsonl, ... where another process has taken the name.
  Log(std::string folder, std::string name) : folder_(std::move(folder)), name_(std::move(name)) {}
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  /// @param line  ends with a newline
  /// @return      false where it could not be written
  bool append(std::string_view line);

 private:
  bool is_open() const;
  bool open();

  std::string folder_, name_, path_;
  int descriptor_ = -1;
  pid_t process_ = 0;
  dev_t device_ = 0;
  ino_t file_ = 0;
};

}  // namespace warpipe::programs
