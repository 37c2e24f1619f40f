#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "warpipe/idg/kernel.hpp"

namespace warpipe::isa {

/// Which places along an axis of groups stand for which: for all groups along it, in order.
struct AxisProfile {
  /// So many places that the one at `place` stands for.
  struct Run {
    std::int64_t place = 0;
    std::int64_t places = 1;
  };
  /// Runs, one after the other, again and again.
  struct Stretch {
    std::vector<Run> runs;
    std::int64_t repeats = 1;
  };
  std::vector<Stretch> stretches;
  bool exact = true;  ///< what changes was followed to where it does; else a place stands for those nearest to it

  /// The place that stands for another.
  std::int64_t representative_of(std::int64_t place) const;
  /// How many places each stands for.
  std::map<std::int64_t, double> weights() const;
  std::int64_t size() const;
};

/// The behaviour at a place: equal numbers for equal behaviour.
using BehaviourAt = std::function<std::uint32_t(std::int64_t)>;

/// Each place stands for itself.
AxisProfile every_place(std::int64_t size);

/// The first, the last, and `inner` places between them that share no stride: for what does not change along an axis.
AxisProfile some_places(std::int64_t size, std::size_t inner);

/// Finds what stands for what along an axis: every place, where they are few; runs of equal behaviour, where they are
/// few, with their ends found by halving; a pattern that repeats, with what lies before and behind it. Looked at are
/// places that share no stride with powers of two, the first and the last.
/// @param most  places to look at
/// @return      exact, or with the places that were looked at standing for those nearest to them
AxisProfile profile_axis(std::int64_t size, const BehaviourAt& at, std::size_t most);

/// Places spread evenly, one at random in each of so many equal parts, so that they are in no step with any period.
/// @return ascending, each once, fewer than `count` where the axis is short
std::vector<std::int64_t> spread_places(std::int64_t size, std::size_t count);

/// Appends a list of runs so many times; runs of one kind that meet become one. Where that makes more than 2^16 runs,
/// it is appended less often with longer runs: as many groups of each kind, in a coarser order.
void append_repeated(std::vector<GroupKinds::Run>& runs, const std::vector<GroupKinds::Run>& pattern,
                     std::int64_t times);

/// @return the shortest list that, begun anew wherever it ends, gives the same groups
std::vector<GroupKinds::Run> shorten_runs(const std::vector<GroupKinds::Run>& runs);

}  // namespace warpipe::isa
