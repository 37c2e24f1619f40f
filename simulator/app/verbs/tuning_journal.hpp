#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace warpipe::app {

/// What a long study has found so far, in a file: a line for each result, in the order in which they are asked for. A
/// run that was killed leaves whole lines, and another one of the same command goes on behind them.
class TuningJournal {
 public:
  /// No file: nothing is kept.
  TuningJournal() = default;
  /// @param header  of the command and all it reads
  /// @throws InputError for a file that cannot be written, that another command has left, or that is there though it is
  ///                    not to be resumed
  TuningJournal(std::string file, const std::string& header, bool resume);

  /// The result of an item that an earlier run has left. To be asked for in order.
  /// @throws InputError where it has left that of another
  std::optional<std::string> kept(std::uint64_t item);
  /// Adds a result.
  /// @throws OutputError where it cannot be written
  void add(std::uint64_t item, const std::string& result);
  /// The results stand elsewhere.
  void remove();

  std::size_t left() const { return lines_.size() - next_; }
  const std::string& file() const { return file_; }

 private:
  std::string file_;
  std::vector<std::string> lines_;  ///< that an earlier run has left
  std::size_t next_ = 0;
  std::ofstream stream_;
};

}  // namespace warpipe::app
