#include "choose_sample.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <vector>

namespace warpipe {
namespace {

constexpr std::int64_t kLeastTrips = 4;                 // of a cut loop: two halves of two
constexpr std::int64_t kTripsThatTell = 16;             // groups in close succession meet within these
constexpr std::int64_t kParts = 2, kTripsOfParts = 16;  // fewer trips are not worth a second part
constexpr std::int64_t kWavesLookedAt = 4096;
constexpr std::int64_t kGroupsLookedAt = 64;
constexpr std::int64_t kRunsLookedAt = 4096;
constexpr double kLeastWork = 0.5;  // of groups with a weight: relative to the mean

/// The lines looked up by the groups of a sample: estimated from some of the groups, and from each access's lines in
/// its first execution. Every warp and every execution counts as one line at least, for its time.
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
    for (const auto& [program, warps] : warps_) {
      lines += warps.number;
      for (std::size_t i = 0; i < program->accesses.size(); ++i)
        lines += warps.number * warps.lines[i] * executions(*program, program->accesses[i], most_trips);
    }
    return lines * scale_;
  }

  /// Whether each access goes evenly through the cut loop, and in half of the trips through whole lines. With cut loops
  /// inside each other, reuse in a later trip of the outer loop stays unseen.
  bool is_even(std::int64_t most_trips, std::int64_t line_bytes) const {
    return std::ranges::all_of(warps_, [&](const auto& program_warps) {
      const WarpProgram& program = *program_warps.first;
      return std::ranges::all_of(program.accesses, [&](const WarpAccess& access) {
        const auto is_cut = [&](std::size_t loop) { return program.loops[loop].trips > most_trips; };
        const auto cut = std::ranges::find_if(access.loops, is_cut);
        if (cut == access.loops.end()) return true;
        return std::none_of(cut + 1, access.loops.end(), is_cut) &&
               goes_evenly(access, *cut, most_trips / 2, line_bytes);
      });
    });
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
    std::vector<double> lines;  ///< by access: in its first execution
  };

  /// With a single trip, a loop comes to every access once.
  static std::vector<double> lines_of(AddressStreams& streams, std::int64_t group, std::int64_t warp) {
    using Kind = WarpProgram::Node::Kind;
    std::vector<double> lines;
    WarpStream stream;
    for (stream.start(streams, group, warp, 0, 1); stream.now() != Kind::End; stream.advance(Unwatched()))
      if (stream.now() == Kind::Access) lines.push_back(std::max(1.0, static_cast<double>(stream.lines().list.size())));
    return lines;
  }

  static bool goes_evenly(const WarpAccess& access, std::size_t loop, std::int64_t trips, std::int64_t line_bytes) {
    const Boxes::Box* const box = access.boxes ? access.boxes->whole() : nullptr;
    if (box == nullptr) return false;
    const std::size_t counter = kFirstCounter + loop;
    const auto step = std::ranges::find(box->lines.steps, counter, [](const auto& each) { return each.first; });
    return step == box->lines.steps.end() || std::abs(step->second) * trips >= line_bytes;
  }

  std::map<std::shared_ptr<WarpProgram>, Warps> warps_;
  double scale_ = 1;
};

/// The lines looked up by the groups of a launch, if a table gives their kinds; without a table none, as all groups are
/// taken to be alike.
class LinesOfLaunch {
 public:
  explicit LinesOfLaunch(AddressStreams& streams) {
    const auto* runs = streams.table_of_kinds();
    if (runs == nullptr || std::ssize(*runs) > kRunsLookedAt) return;
    std::map<std::int64_t, double> of_kinds;
    const std::int64_t all = streams.launch().groups;
    for (std::int64_t first = 0; const GroupKinds::Run& run : *runs) {
      if (first >= all) return;
      const auto [of_kind, is_new] = of_kinds.try_emplace(run.kind);
      if (is_new) {
        const Cost cost(streams, first, 1);
        of_kind->second = cost.lines(cost.longest_loop());
      }
      runs_.push_back({first, lines_of_cycle_, of_kind->second});
      lines_of_cycle_ += of_kind->second * static_cast<double>(run.groups);
      cycle_ = first += run.groups;
    }
  }

  bool are_known() const { return !runs_.empty(); }

  /// The lines of the groups [first, end).
  double of(std::int64_t first, std::int64_t end) const { return of_first(end) - of_first(first); }

 private:
  struct Run {
    std::int64_t first = 0;
    double before = 0, of_group = 0;
  };

  double of_first(std::int64_t groups) const {
    const std::int64_t in_cycle = groups % cycle_;
    const Run& run = *std::prev(std::ranges::upper_bound(runs_, in_cycle, {}, &Run::first));
    return static_cast<double>(groups / cycle_) * lines_of_cycle_ + run.before +
           run.of_group * static_cast<double>(in_cycle - run.first);
  }

  std::vector<Run> runs_;
  double lines_of_cycle_ = 0;
  std::int64_t cycle_ = 1;
};

/// A possible begin of a part of a launch: at a whole wave of resident groups.
struct Begin {
  std::int64_t along_x = 0;  ///< the place in its row of the first group behind the early groups
  std::int64_t first = 0;
  friend auto operator<=>(const Begin&, const Begin&) = default;
};

/// Whether the groups of a part beginning there do at least kLeastWork of the mean work; a part with little work would
/// represent the launch as having little too.
bool is_busy(const LinesOfLaunch& lines, const Sample& sample, std::int64_t first) {
  if (!lines.are_known()) return true;
  const double share = static_cast<double>(sample.groups) / static_cast<double>(sample.all);
  return lines.of(first, first + sample.groups) >= kLeastWork * share * lines.of(0, sample.all);
}

/// Data shared by the groups of a wave depends on their places in their rows: the parts' places differ as all waves'
/// do.
std::vector<std::int64_t> first_groups(const Sample& sample, const LinesOfLaunch& lines, std::int64_t parts,
                                       std::int64_t wave, std::int64_t groups_along_x) {
  const std::int64_t waves = (sample.all - sample.groups) / wave + 1;
  const std::int64_t distance = (waves - 1) / kWavesLookedAt + 1;
  std::vector<Begin> begins;
  for (std::int64_t i = 0; i < waves; i += distance)
    if (is_busy(lines, sample, i * wave)) begins.push_back({(i * wave + sample.early) % groups_along_x, i * wave});
  if (begins.empty()) begins.push_back({});
  std::ranges::sort(begins);
  std::vector<std::int64_t> firsts;
  for (std::int64_t part = 0; part < parts; ++part)
    firsts.push_back(begins[static_cast<std::size_t>((2 * part + 1) * std::ssize(begins) / (2 * parts))].first);
  std::ranges::sort(firsts);
  return firsts;
}

class SampleChoice {
 public:
  SampleChoice(AddressStreams& streams, const Device& device)
      : line_bytes_(streams.line_bytes()),
        groups_along_x_(streams.shape().grid_x),
        all_(streams.launch().groups),
        wave_(std::min(all_, device.compute_units * streams.launch().slots)),
        lines_(streams),
        least_(in_parts(1, 2)),
        cost_(streams, least_.firsts.front(), least_.groups),
        longest_loop_(cost_.longest_loop()) {}

  Sample within(const CacheEffort& effort) const {
    const double lines = std::max(1.0, cost_.lines(longest_loop_));
    if (lines > effort.lines) return with_cut_loops(effort);
    const double waves = effort.lines / lines * static_cast<double>(least_.groups) / static_cast<double>(wave_);
    if (waves >= static_cast<double>(all_) / static_cast<double>(wave_)) return in_parts(1, all_ / wave_ + 1);
    const std::int64_t parts = has_parts() && waves >= 2 * kParts ? kParts : 1;
    return in_parts(parts, std::max<std::int64_t>(2, static_cast<std::int64_t>(waves) / parts));
  }

 private:
  bool has_parts() const { return all_ >= kParts * 2 * wave_; }

  Sample in_parts(std::int64_t parts, std::int64_t waves) const {
    Sample sample{{0}, std::min(all_, waves * wave_), all_, 0, INT64_MAX, false, false, 1};
    if (sample.groups == all_) return sample;
    sample.early = waves / 2 * wave_;
    sample.firsts = first_groups(sample, lines_, parts, wave_, groups_along_x_);
    sample.work_of_others = work_of_others(sample);
    return sample;
  }

  /// Scales the work of the groups with a weight to the work of all groups represented by them, if known.
  double work_of_others(const Sample& sample) const {
    if (!lines_.are_known()) return 1;
    double of_sample = 0;
    for (std::int64_t part = 0; part < sample.parts(); ++part) {
      const std::int64_t first = sample.firsts[static_cast<std::size_t>(part)];
      of_sample += sample.weight(part, sample.early) * lines_.of(first + sample.early, first + sample.groups);
    }
    const std::int64_t first = sample.firsts.front();
    const double of_others = lines_.of(0, sample.all) - lines_.of(first, first + sample.early);
    return of_sample > 0 ? of_others / of_sample : 1;
  }

  Sample with_cut_loops(const CacheEffort& effort) const {
    const std::int64_t parts = has_parts() && trips(kParts, effort) >= kTripsOfParts ? kParts : 1;
    Sample sample = in_parts(parts, 2);
    const std::int64_t most_trips = trips(parts, effort);
    sample.is_cut = most_trips < longest_loop_;
    if (sample.is_cut) sample.most_trips = most_trips;
    sample.is_even = sample.is_cut && most_trips >= kTripsThatTell && cost_.is_even(most_trips, line_bytes_);
    return sample;
  }

  /// Trips of each loop, chosen to keep this many parts within the effort.
  std::int64_t trips(std::int64_t parts, const CacheEffort& effort) const {
    auto trips = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(longest_loop_)));
    while (trips > kLeastTrips && static_cast<double>(parts) * cost_.lines(trips) > effort.lines) trips /= 2;
    return trips;
  }

  std::int64_t line_bytes_, groups_along_x_, all_, wave_;
  LinesOfLaunch lines_;
  Sample least_;  ///< two waves in one part
  Cost cost_;     ///< of `least_`
  std::int64_t longest_loop_;
};

}  // namespace

std::vector<Sample> choose_samples(AddressStreams& streams, const Device& device,
                                   const std::vector<CacheEffort>& efforts) {
  const SampleChoice choice(streams, device);
  std::vector<Sample> samples;
  for (const CacheEffort& effort : efforts) samples.push_back(choice.within(effort));
  return samples;
}

}  // namespace warpipe
