#pragma once

#include <string>
#include <vector>

#include "warpipe/explain/difference.hpp"
#include "warpipe/views/text_table.hpp"

namespace warpipe {

/// The time of a part in both runs.
struct ChangedPart {
  std::string name;
  Seconds a, b;
  double change() const { return b.count - a.count; }
};
/// The states of warps, the largest change first; they add up to the change of the run. Empty where a run has no
/// stalls.
std::vector<ChangedPart> changes_by_stall(const Difference& difference);
/// The lines of the source; empty where they are not known.
std::vector<ChangedPart> changes_by_line(const Difference& difference);

/// The times of both runs, and how far they differ: sentences, a line each.
std::string show_change(const Difference& difference);
/// The parts of the change, and further differences; the title of a table is the title of its first column.
std::vector<TextTable> tables_of(const Difference& difference);
/// The run without stalls; empty where both have them.
std::string show_missing(const Difference& difference);

/// The changes from run A to run B, and their parts, as text; equal values are left out.
///
///     A  naive on tiny: 2 us, 2000 cycles, limited by pipeline memory
///     B  padded on tiny: 1.5 us, 1500 cycles, limited by latency
///     B takes 0.5 us less, 25.0 % of A.
///
///     Stalls           A        B    change  of A's time
///       pipeline  1.6 us  0.62 us  -0.98 us      -49.0 %
///       result    0.4 us  0.88 us  +0.48 us      +24.0 %
///       all         2 us   1.5 us   -0.5 us      -25.0 %
///
///     Accounts for it             A        B    change  of A's time
///       load: pipeline       1.6 us   0.6 us     -1 us      -50.0 %
///       fma: result of load  0.4 us  0.88 us  +0.48 us      +24.0 %
///       pad: pipeline          0 us  0.02 us  +0.02 us       +1.0 %
///       all                    2 us   1.5 us   -0.5 us      -25.0 %
///
///     Instructions  op           runs A  runs B  lambda A  lambda B  Lambda A  Lambda B    change
///       load        global.load      64      64         8         4       400       400     -1 us
///       pad         imad                     64                   1                   6  +0.02 us  added
///       gone        iadd             64                 1                   6                0 us  removed
///
///     Bounds             cycles A  cycles B   change
///       pipeline memory      1900       950  -50.0 %
///       schedulers                       64
///
///     Pipelines  busy A  busy B
///       memory   95.0 %  63.3 %
///
///     Launch             A   B
///       resident warps  32  64
///       pad                  1
///
/// The time of a part is its share of all warps' time, in the run's own time: the rows of the first two tables add up
/// to the change, once by state and once by instruction.
std::string write_text(const Difference& difference);

/// As a JSON object of format "warpipe-diff", with all parts.
std::string write_json(const Difference& difference);

}  // namespace warpipe
