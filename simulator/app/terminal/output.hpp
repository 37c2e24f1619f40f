#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace warpipe::app {

/// The destination of a result: an open descriptor such as standard output, a pipe or a device, or a file.
struct Place {
  enum class Kind { Descriptor, Special, File };
  Kind kind = Kind::Descriptor;
  std::string given;   ///< as it was given
  std::string file;    ///< for a File: with symbolic links resolved, also to targets not there yet
  int descriptor = 1;  ///< for a Descriptor

  /// @param path  "-" or empty: standard output; /dev/stdout, /dev/fd/3 and links to them: this descriptor
  /// @throws InputError where it cannot be created
  explicit Place(const std::string& path);
  bool is_standard_output() const { return kind == Kind::Descriptor && descriptor == 1; }
  /// For messages.
  std::string name() const { return is_standard_output() ? "standard output" : file; }
};

/// @return the target of a path: with symbolic links resolved, also to a target not there yet
std::string resolved(const std::string& path);

/// @return whether the value of an option means standard output: empty, "-", "/dev/stdout" or a link to it
bool is_standard_output(const std::string& given);

/// Writes a result to standard output or a file.
///
/// A file is checked before the long work and appears when it is whole: it is written beside its place and renamed, so
/// an existing file stays whole until then. Pipes and devices are written directly.
class Output {
 public:
  /// @param file  a path; "-" or empty: standard output
  /// @throws InputError where it cannot be created
  explicit Output(const std::string& file = {}) : place_(file) {}

  /// Writes all of the result.
  /// @throws OutputError where writing fails, also when the disk is full only at the end; ClosedPipe where the reader
  ///                     of standard output has gone
  void write(std::string_view text) const;
  /// Writes a report for people: on a terminal with colours, and fitted to its width.
  /// @throws as write
  void show(std::string_view report) const;
  /// Writes a result that is too long to have it all at once.
  /// @param make  calls its argument with the pieces in order
  /// @throws as write, and exceptions of `make`; then no part of the file stays
  void write_pieces(const std::function<void(const std::function<void(std::string_view)>&)>& make) const;

 private:
  Place place_;
};

/// The destination of rows that are written as they come.
///
/// A file is checked before the long work. It holds only whole rows whenever the program ends, also after a failed
/// write. A non-empty file stays as it is: the rows go to FILE.part beside it, which replaces it when all rows are
/// there.
class RowOutput {
 public:
  /// @param file    as of an Output
  /// @param resume  go on in FILE.part if it is there, else in FILE
  /// @throws InputError if it cannot be created, or if FILE.part has rows and `resume` is false
  explicit RowOutput(const std::string& file, bool resume = false);
  ~RowOutput();
  RowOutput(const RowOutput&) = delete;
  RowOutput& operator=(const RowOutput&) = delete;

  /// Keeps the first `bytes` of the file and writes the rows after them; otherwise nothing is kept.
  void keep(std::uintmax_t bytes) { size_ = bytes; }

  /// Writes whole rows.
  /// @throws as Output::write
  void append(std::string_view rows);
  /// Must be called after the last row.
  /// @throws as Output::write, for errors that the file system reports late
  void finish();

  /// For messages.
  std::string name() const { return place_.name(); }
  /// The file that has the rows now; empty if it is not a regular file.
  const std::string& file() const { return working_file_; }
  /// Whether the rows are in FILE.part, which will replace FILE.
  bool stands_beside() const { return !working_file_.empty() && working_file_ != place_.file; }

 private:
  void open();
  [[noreturn]] void fail(int error);

  Place place_;
  std::string working_file_;
  std::uintmax_t size_ = 0;  ///< of whole rows
  int descriptor_ = -1;
};

}  // namespace warpipe::app
