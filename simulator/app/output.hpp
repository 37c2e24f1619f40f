#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace warpipe::app {

/// A place that takes a result: standard output, a pipe or a device, or a file.
struct Place {
  enum class Kind { StandardOutput, Special, File };
  Kind kind = Kind::StandardOutput;
  std::string file;  ///< for a File: with symbolic links resolved

  /// @param given  a path; "-" or empty: standard output
  /// @throws InputError where it cannot be created
  explicit Place(std::string given);
  /// For messages.
  std::string name() const { return kind == Kind::StandardOutput ? "standard output" : file; }
};

/// Where a result goes: standard output or a file.
///
/// A file is checked before the long work and appears when it is whole: it is written beside its place and renamed,
/// so a file that was there stays whole until then. Pipes and devices are written directly.
class Output {
 public:
  /// @param file  a path; "-" or empty: standard output
  /// @throws InputError where it cannot be created
  explicit Output(const std::string& file = {}) : place_(file) {}

  /// Writes all of the result.
  /// @throws OutputError where that fails, also when the disk is full only at the end; ClosedPipe where the reader of
  ///                     standard output has gone
  void write(std::string_view text) const;
  /// Writes a result that is too long to have it all at once.
  /// @param make  calls what it is given with one piece after the other
  /// @throws as write, and what `make` throws; then nothing stays of the file
  void write_pieces(const std::function<void(const std::function<void(std::string_view)>&)>& make) const;

 private:
  Place place_;
};

/// Where rows go as they come.
///
/// A file is checked before the long work, and what was there stays until the first rows come. From then on it holds
/// whole rows only, whenever the program ends; also after a write that fails.
class RowOutput {
 public:
  /// @param file  as of an Output
  /// @param kept  so many bytes of the file that is there stay, the rows are written behind them
  /// @throws InputError where it cannot be created
  explicit RowOutput(const std::string& file, std::uintmax_t kept = 0) : place_(file), size_(kept) {}
  ~RowOutput();
  RowOutput(const RowOutput&) = delete;
  RowOutput& operator=(const RowOutput&) = delete;

  /// Writes whole rows.
  /// @throws as Output::write
  void append(std::string_view rows);
  /// To be called after the last row.
  /// @throws as Output::write, for what the file system kept back
  void finish();

  /// The file; empty where it is no regular one.
  std::string file() const { return place_.kind == Place::Kind::File ? place_.file : std::string(); }

 private:
  void open();
  [[noreturn]] void fail(int error);

  Place place_;
  std::uintmax_t size_;  ///< of whole rows
  int descriptor_ = -1;
};

}  // namespace warpipe::app
