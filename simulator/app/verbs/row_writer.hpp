#pragma once

#include <cstddef>
#include <string>

#include "command_line/arguments.hpp"
#include "terminal/interruptible.hpp"
#include "terminal/output.hpp"
#include "terminal/progress.hpp"
#include "verbs/kept_rows.hpp"

namespace warpipe::app {

/// Writes the rows of a long study as they come, so that an interrupt leaves all finished rows, and goes on after the
/// rows left by an earlier run.
class RowWriter {
 public:
  /// @param voice   whether progress is shown
  /// @param work    the instructions to simulate for each row, and advice to shorten the work
  /// @param file    the value of --csv or --jsonl
  /// @param resume  keep the rows of the file
  /// @throws UsageError for a resume without a file, InputError as Place and read_kept_rows
  RowWriter(Voice voice, const std::string& file, ExpectedRows expected, bool resume, LongWork work);

  /// The first row to compute. The last kept row is computed again, which shows whether the kernel or device has
  /// changed.
  std::size_t first() const { return kept_.count == 0 ? 0 : kept_.count - 1; }
  /// The number of kept rows with a prediction.
  std::size_t kept_predicted() const { return kept_.predicted; }

  /// Takes the rows from first() on, in order.
  /// @throws InputError if the first row differs from the kept row; OutputError, ClosedPipe
  void take(const std::string& row);
  /// Must be called after the last row.
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
