#pragma once

#include <cstddef>
#include <cstdint>

namespace warpipe::isa {

/// Budgets of an import, sample sizes taken for enough, and the price of running short: all thresholds of this library
/// not given by hardware, a format or a paper. None was measured; together they keep an import within about a second of
/// a processor of 2020, whatever the size of the launch.
struct Effort {
  // Unit: an instruction of the slice, executed for a warp in one lane; each further lane is a 16th more.
  // `Launch::max_instructions`, 10^8 by default, limits the sum: beyond it an import fails.
  double further_lane = 1.0 / 16;
  double start_of_warp = 15;  ///< before its first instruction: its registers

  // Kinds of groups. Short: groups are taken to be like their neighbours; a note says how far off.
  std::int64_t rests_of_groups = 1024;       ///< of group numbers along an axis, told apart by arithmetic
  std::size_t boxes_of_groups = 4096;        ///< of the grid, told apart by arithmetic
  double every_group = 250'000;              ///< all groups are executed, if they cost no more
  double order_of_groups = 2'500'000;        ///< all groups are executed, one of each kind, or as many as this allows
  double tiles_of_groups = 10'000'000;       ///< a group of each tile of the grid is executed, as many as this allows
  std::int64_t kinds = 1'500'000;            ///< beyond this, as few groups as possible are executed for their kinds
  std::int64_t kinds_in_tiles = 24'000'000;  ///< likewise, where tiles of the grid differ
  std::int64_t first_group = 1'000'000;      ///< a group that takes more stands for all groups

  // Accesses of groups. Short: fewer groups stand for all, with a note; the mean cost of accesses is less certain.
  std::int64_t statistics = 1'000'000;        ///< beyond this, no further group is executed for statistics
  std::int64_t sample = 150'000;              ///< of groups for statistics: with more the mean hardly moves
  std::int64_t atomics_by_form = 512;         ///< executions of an atomic with places computed from its form
  std::int64_t alike_atomics_by_form = 4096;  ///< likewise where the lanes of a warp go to one word
  std::int64_t one_warp = 200'000;            ///< of a warp, for its addresses, where no group can be executed whole

  // Unknown arguments and data. Short: questions come separately; a size stays any size.
  std::int64_t until_asked = 250'000;    ///< of warps, before their questions are asked
  std::int64_t sizes = 4'000'000;        ///< all trials of sizes
  std::int64_t trial_of_sizes = 32'768;  ///< a warp in a trial: masks may hide a loop that nothing known ends
  std::int64_t far_trial = 16'384;       ///< a single warp, to see how far the rows of a pitch extend
  std::int64_t near_trial = 1'024;       ///< a single warp, to see the steps of the rows

  // Loops of a warp, as parts of `max_instructions`. Short: iterations are skipped, with a note; trips that depend on
  // data are off by the skipped share.
  std::int64_t parts = 100;            ///< a group gets one of so many before its loops are sampled
  std::int64_t small_parts = 1'000;    ///< where a 16th is spent
  std::int64_t tiny_parts = 65'536;    ///< where half is
  std::int64_t most_parts = 8;         ///< of a warp, before trips of its loops are assumed, where the launch allows it
  std::int64_t share_of_sample = 16;   ///< an iteration stands for this part of the earlier iterations
  std::int64_t share_beyond_two = 4;   ///< where the warp has executed two of its parts
  std::int64_t share_beyond_four = 1;  ///< where it has executed four
  std::int64_t part_of_trips = 8;      ///< assumed trips of a loop are this part of its iterations so far

  /// So many repetitions in a row show whether anything goes on as before: places of groups, iterations of a loop,
  /// executions of an access, rounds of questions. Short: a longer pattern is taken for none, and is sampled.
  std::int64_t pattern = 64;

  // Numbers of groups looked at, where the budget is enough for more. Short: as above.
  std::size_t fewest_groups = 32, most_groups = 4096;  ///< of the statistics; the fewest also for questions
  std::size_t fewest_places = 16, most_places = 65536, costly_places = 4;  ///< along an axis; of groups that take long
  double little_change = 1.0 / 8, least_change = 1.0 / 64;  ///< along an axis, as parts of its share of the threads
  std::size_t most_tiles = 16384;                           ///< of the grid, along several axes
  std::size_t checked = 256;                                ///< to confirm an order
  double alike_work = 1.1;  ///< times the least work of recorded groups: one may stand for all where they take long
  std::int64_t looks = 8;   ///< at as many places, in the worst case
  std::int64_t fewest_further = 8, most_further = 128, fewest_followed = 6;  ///< for addresses alone; by one warp
  std::size_t parts_with_corners = 16;  ///< of the grid, each of which shows the extent of addresses

  // Addresses without a formula. Short: samples show less of the caches' view.
  std::int64_t sampled_executions = 512, sampled_of_all = 4096, fewest_sampled = 16;  ///< of a copy; of all copies
  std::int64_t fewest_sampled_groups = 4;   ///< at least so many groups are sampled where each group does much
  std::size_t looked_at = 4;                ///< times the sampled executions, looked at to see how a warp goes on
  std::size_t copies_without_formula = 16;  ///< in a row, after which no further copy is tried
  double most_elsewhere = 0.1;  ///< share of executions in other arrays; without a formula, all would miss all caches
  double idle_sectors = 0.02;   ///< share reached by inactive lanes alone: below it they are not left out
  double hot_share = 0.5;       ///< of sectors also reached by other groups: the array is a few hot sectors
  double line_share = 0.9;      ///< of the variance of means: they lie on a line
  double seen_share = 0.75;     ///< of the formulas' sectors; groups that reach less show that formulas reach too much
  std::int64_t counted_executions = 1024;  ///< of an access in a loop, for its cost
  std::int64_t sectors_of_lane = 8;        ///< of a moving lane, where the budget of kept sectors is used up

  // Kept numbers. Short: the rest is counted, not kept.
  std::size_t kept_numbers = std::size_t{1} << 23;  ///< of addresses: 64 MiB
  std::size_t kept_sectors = std::size_t{1} << 15;  ///< of an array, then every second sector, and so on: within 1 %
  std::size_t kept_places = std::size_t{1} << 16;   ///< places where atomics meet

  // Size of a written kernel. Short: loops are mixed, kinds of groups put together; a note says how far off.
  std::size_t kinds_of_groups = 1024;
  std::int64_t runs = std::int64_t{1} << 20;  ///< of groups of a kind in a row
  std::size_t steps = std::size_t{1} << 20;   ///< instructions x warps of a group x kinds
  std::size_t copies = 20'000;                ///< instructions of a loop and its enclosing loops
  std::size_t instructions = 200'000;         ///< of the kernel: beyond them the import fails
  std::int64_t mixed_parts = 32;              ///< of a loop
  std::int64_t fewer_within = 8;              ///< times, in an inner loop
  double worth_a_note = 0.01;                 ///< share of the work
};
inline constexpr Effort kEffort;

}  // namespace warpipe::isa
