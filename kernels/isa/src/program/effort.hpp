#pragma once

#include <cstddef>
#include <cstdint>

namespace warpipe::isa {

/// What an import may spend, and what it costs where that is short: the only thresholds of this library that no
/// hardware, format or paper gives. All of it together is about a second of a processor of 2020 for a launch of any
/// size.
///
/// Unit: an instruction of the slice that is executed for a warp in one lane, about 15 ns; each further lane is a 16th
/// more. `Launch::max_instructions`, 10^8 by default, is the most that is executed at all: beyond it an import fails.
struct Effort {
  // Which groups behave alike. Short: groups are taken to be like their neighbours; a note says how far that is off.
  double every_group = 250'000;        ///< all groups are executed before any order is looked for: a 40th of a second
  double order_of_groups = 2'500'000;  ///< an order is looked for, or all groups are executed where there is none
  double start_of_warp = 15;           ///< what a warp costs before its first instruction: its registers
  double further_lane = 1.0 / 16;      ///< of an instruction: lanes are computed at once
  std::int64_t kinds = 1'500'000;      ///< after which as few groups as may be are executed for their kinds
  std::int64_t first_group =
      1'000'000;  ///< a group that takes more stands for all: no second one is executed for its kind

  // What groups reach. Short: fewer groups stand for all, with a note; the mean of what accesses cost is less certain.
  std::int64_t statistics = 1'000'000;  ///< after which no further group is executed for statistics
  std::int64_t sample = 150'000;        ///< of groups for statistics: with more the mean hardly moves
  std::int64_t one_warp = 200'000;  ///< of a warp that tells where lanes reach, where no group can be executed whole

  // What nobody says. Short: questions come one after the other, sizes stay any size.
  std::int64_t until_asked = 250'000;    ///< of warps, before questions are asked that they led to
  std::int64_t sizes = 4'000'000;        ///< all trials of sizes
  std::int64_t trial_of_sizes = 32'768;  ///< one warp in one trial: masks may hide that nothing known ends a loop
  std::int64_t far_trial = 16'384;       ///< one warp, to see how far the rows of a pitch extend
  std::int64_t near_trial = 1'024;       ///< one warp, to see in what steps they come

  // Loops of one warp, as parts of `max_instructions`. Short: iterations stand for others, with a note; trips that end
  // by data are off by the largest share below.
  std::int64_t parts = 100;            ///< a group gets one of so many before its loops are sampled
  std::int64_t small_parts = 1'000;    ///< where a 16th is spent
  std::int64_t tiny_parts = 65'536;    ///< where half is
  std::int64_t most_parts = 8;         ///< of a warp, before trips of its loops are assumed, where that may be
  std::int64_t share_of_sample = 16;   ///< an iteration stands for this part of those before it
  std::int64_t share_beyond_two = 4;   ///< where the warp has executed two of its parts
  std::int64_t share_beyond_four = 1;  ///< where it has executed four
};
inline constexpr Effort kEffort;

}  // namespace warpipe::isa
