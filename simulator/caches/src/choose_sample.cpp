#include "choose_sample.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <vector>

namespace warpipe {
namespace {

constexpr std::int64_t kLeastTrips = 4;  // of a loop that is cut: two halves of two
constexpr std::int64_t kGroupsLookedAt = 64;

/// How many lines the groups of a sample look up: estimated from some of them, and by the lines of each access in its
/// first execution.
class Cost {
 public:
  Cost(AddressStreams& streams, std::int64_t first, std::int64_t groups) {
    const std::int64_t distance = (groups - 1) / kGroupsLookedAt + 1;
    std::int64_t looked_at = 0;
    for (std::int64_t group = first; group < first + groups; group += distance, ++looked_at)
      for (std::int64_t warp = 0; warp < streams.warps_per_group(); ++warp) {
        const std::shared_ptr<WarpProgram> program = streams.program(group, warp);
        Warps& warps = warps_[program];
        if (warps.number++ == 0) warps.lines = lines_of(streams, group, warp);
      }
    scale_ = static_cast<double>(groups) / static_cast<double>(looked_at);
  }

  /// @param most_trips  of each loop
  double lines(std::int64_t most_trips) const {
    double lines = 0;
    for (const auto& [program, warps] : warps_)
      for (std::size_t i = 0; i < program->accesses.size(); ++i)
        lines += warps.number * warps.lines[i] * executions(*program, program->accesses[i], most_trips);
    return lines * scale_;
  }

  std::int64_t longest_loop() const {
    std::int64_t trips = 1;
    for (const auto& [program, warps] : warps_)
      for (const WarpProgram::Loop& loop : program->loops) trips = std::max(trips, loop.trips);
    return trips;
  }

 private:
  struct Warps {
    double number = 0;
    std::vector<double> lines;  ///< by access: of its first execution
  };

  /// A loop that is run once comes to every access once.
  static std::vector<double> lines_of(AddressStreams& streams, std::int64_t group, std::int64_t warp) {
    using Kind = WarpProgram::Node::Kind;
    std::vector<double> lines;
    WarpStream stream;
    for (stream.start(streams, group, warp, 0, 1); stream.now() != Kind::End; stream.advance(Unwatched()))
      if (stream.now() == Kind::Access) lines.push_back(static_cast<double>(stream.lines().list.size()));
    return lines;
  }

  std::map<std::shared_ptr<WarpProgram>, Warps> warps_;
  double scale_ = 1;
};

}  // namespace

Sample choose_sample(AddressStreams& streams, const Device& device, const CacheEffort& effort) {
  const std::int64_t all = streams.launch().groups;
  const std::int64_t wave = std::min(all, device.compute_units * streams.launch().slots);
  const auto in_the_middle = [&](std::int64_t groups) {
    const std::int64_t first = (all - groups) / 2 / wave * wave, early = groups / wave / 2 * wave;
    return Sample{first, groups, all, early, INT64_MAX, false};
  };
  Sample sample = in_the_middle(std::min(all, 2 * wave));
  const Cost cost(streams, sample.first, sample.groups);
  const std::int64_t longest = cost.longest_loop();
  const double lines = cost.lines(longest);
  if (lines <= effort.lines) {
    const double waves = std::floor(effort.lines * static_cast<double>(sample.groups) /
                                    (std::max(1.0, lines) * static_cast<double>(wave)));
    if (waves >= static_cast<double>(all) / static_cast<double>(wave)) return in_the_middle(all);
    return in_the_middle(std::max(sample.groups, static_cast<std::int64_t>(waves) * wave));
  }
  auto trips = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(longest)));
  while (trips > kLeastTrips && cost.lines(trips) > effort.lines) trips /= 2;
  sample.is_cut = trips < longest;
  if (sample.is_cut) sample.most_trips = trips;
  return sample;
}

}  // namespace warpipe
