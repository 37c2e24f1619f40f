#pragma once

#include <cstddef>
#include <string>

#include "command_line/arguments.hpp"
#include "terminal/interruptible.hpp"
#include "terminal/output.hpp"
#include "terminal/progress.hpp"
#include "verbs/kept_rows.hpp"

namespace warpipe::app {

/// Writes the rows of a long study as they come, so that an interrupt leaves all that are done, and goes on behind the
/// rows that an earlier run has left.
class RowWriter {
 public:
  /// @param voice   whether progress is shown
  /// @param work    the rows: what there is to play for each, and what would make it shorter
  /// @param file    the value of --csv or --jsonl
  /// @param resume  keep the rows of the file
  /// @throws UsageError for a resume without a file, InputError as Place and read_kept_rows
  RowWriter(Voice voice, const std::string& file, ExpectedRows expected, bool resume, LongWork work);

  /// The first row to compute. The last one that is kept is computed again: another kernel or device would show there.
  std::size_t first() const { return kept_.count == 0 ? 0 : kept_.count - 1; }
  /// So many of the kept rows have a prediction.
  std::size_t kept_predicted() const { return kept_.predicted; }

  /// Takes the rows from first() on, in order.
  /// @throws InputError where the first one is not what was kept; OutputError, ClosedPipe
  void take(const std::string& row);
  /// To be called after the last row.
  void finish();

 private:
  void say_interrupted();

  ExpectedRows expected_;
  RowOutput output_;
  KeptRows kept_;
  std::size_t done_;
  ProgressLine progress_;
  Interruptible interruptible_;
};

}  // namespace warpipe::app
