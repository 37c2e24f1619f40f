#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace warpipe::app {

/// Keeps the results so far of a long study in a file: a line for each result, in the order of the items. A killed run
/// leaves whole lines, and another run of the same command goes on behind them.
class TuningJournal {
 public:
  /// No file: nothing is kept.
  TuningJournal() = default;
  /// @param header  of the command and all its inputs
  /// @throws InputError for a file that cannot be written, for a file of another command, and for an existing file
  ///                    without a resume
  TuningJournal(std::string file, const std::string& header, bool resume);

  /// The result of an item from an earlier run. To be asked for in order.
  /// @throws InputError where the earlier run has left another item's result
  std::optional<std::string> kept(std::uint64_t item);
  /// Adds a result.
  /// @throws OutputError where it cannot be written
  void add(std::uint64_t item, const std::string& result);
  /// Removes the file: the results stand elsewhere.
  void remove();

  std::size_t left() const { return lines_.size() - next_; }
  const std::string& file() const { return file_; }

 private:
  std::string file_;
  std::vector<std::string> lines_;  ///< left by an earlier run
  std::size_t next_ = 0;
  std::ofstream stream_;
};

}  // namespace warpipe::app
