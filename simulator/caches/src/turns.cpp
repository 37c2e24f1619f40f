#include "turns.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "joined_stores.hpp"

namespace warpipe {
namespace {

using Kind = WarpProgram::Node::Kind;

/// A warp, and the lines inserted into the caches for it.
struct Warp {
  WarpStream stream;
  std::span<double> taken;     ///< by level: lines
  std::vector<double> before;  ///< by loop, level: `taken` at the begin of the last half of a cut loop
  std::span<double> foreign;   ///< by level: lines of omitted trips, inserted before its next access
};

/// A place of a group on a unit.
struct Slot {
  std::int64_t group = 0;
  double weight = 1;
  std::int64_t running = 0, waiting = 0;  ///< warps that have not ended; waiting: at a barrier
};

/// By access: whether to thread-private memory.
std::vector<std::uint8_t> are_private(const AddressStreams& streams) {
  std::vector<std::uint8_t> are_private;
  for (const std::size_t instruction : streams.instructions()) {
    const std::size_t array = array_of(*streams.kernel().instructions[instruction].access);
    are_private.push_back(streams.shape().arrays[array].thread_private ? 1 : 0);
  }
  return are_private;
}

/// By access.
std::vector<JoinedStores::Place> places_of(const AddressStreams& streams) {
  std::vector<JoinedStores::Place> places;
  for (const std::size_t instruction : streams.instructions()) {
    JoinedStores::Place& place = places.emplace_back(JoinedStores::Place{instruction});
    for (const Dependence& dependence : streams.kernel().instructions[instruction].after)
      if (!dependence.latency && dependence.producer < instruction)
        place.awaited = std::max(place.awaited, dependence.producer + 1);
  }
  return places;
}

/// Units whose loads a level joins take their turns together.
std::int64_t most_joined_units(const Device& device) {
  const auto level = std::ranges::max_element(device.memory->levels, {}, &MemoryLevel::joined_units);
  return level == device.memory->levels.end() ? 1 : level->joined_units;
}

constexpr std::size_t kFewLines = 8;

/// Whether there are more than a few lines, each a multiple of kFarApart behind its predecessor.
bool lie_far_apart(std::span<const TouchedLine> lines, std::int64_t line_bytes) {
  if (lines.size() < kFewLines) return false;
  for (std::size_t i = 1; i < lines.size(); ++i)
    if ((lines[i].line - lines[i - 1].line) * line_bytes % kFarApart != 0) return false;
  return true;
}

class Turns {
 public:
  /// @param part  of the sample
  Turns(AddressStreams& streams, const Device& device, const CacheLaunch& launch, const Sample& sample,
        std::int64_t part, const Turn& turn)
      : streams_(streams),
        sample_(sample),
        of_warp_(turn),
        units_(device.compute_units),
        together_(most_joined_units(device)),
        slots_per_unit_(launch.slots),
        warps_per_group_(streams.warps_per_group()),
        warps_per_unit_(slots_per_unit_ * warps_per_group_),
        hierarchy_(device, launch, are_private(streams), warps_per_unit_, turn.times),
        stores_(hierarchy_.nearest_sectors()),
        places_(places_of(streams)),
        warps_(static_cast<std::size_t>(units_ * warps_per_unit_)),
        slots_(static_cast<std::size_t>(units_ * slots_per_unit_)),
        running_among_(static_cast<std::size_t>((units_ - 1) / together_ + 1)),
        part_(part),
        first_(sample.firsts[static_cast<std::size_t>(part)]),
        next_(first_) {
    const std::size_t accesses = streams.instructions().size();
    made_.resize(accesses + 1);
    counted_.executions.resize(accesses);
    counted_.transactions.resize(accesses);
    counted_.far_apart.resize(accesses);
    counted_.found.assign(accesses, std::vector<double>(hierarchy_.levels()));
    counted_.served = counted_.found;
    lines_of_warps_.resize(2 * warps_.size() * hierarchy_.levels());
    for (std::span<double> rest = lines_of_warps_; Warp & warp : warps_) {
      for (std::span<double>* lines : {&warp.taken, &warp.foreign}) {
        *lines = rest.first(hierarchy_.levels());
        rest = rest.subspan(hierarchy_.levels());
      }
    }
  }

  Counted run() {
    for (std::int64_t slot = 0; slot < slots_per_unit_; ++slot)
      for (std::int64_t unit = 0; unit < units_; ++unit) free_.push_back(slot * units_ + unit);
    for (place_groups(); running_ > 0; place_groups()) take_turn();
    counted_.moved = hierarchy_.moved(sample_.is_all(), sample_.parts());
    return std::move(counted_);
  }

 private:
  /// Accounts for a cut loop: for the omitted trips, the caches take in lines in proportion to the last half of the
  /// simulated trips.
  struct Watch {
    Warp& warp;
    const std::vector<int>* made = nullptr;  ///< by access: its executions in this turn, if waits for them end it
    bool left_cut_loop = false, waits = false;

    std::size_t place(std::size_t loop) const { return loop * warp.taken.size(); }
    void half(std::size_t loop) {
      if (warp.before.size() < place(loop + 1)) warp.before.resize(place(loop + 1));
      std::copy(warp.taken.begin(), warp.taken.end(), warp.before.begin() + static_cast<std::ptrdiff_t>(place(loop)));
    }
    void left(std::size_t loop, std::int64_t trips, std::int64_t most_trips) {
      const double times = static_cast<double>(trips - most_trips) / static_cast<double>(most_trips / 2);
      for (std::size_t level = 0; level < warp.taken.size(); ++level) {
        const double lines = times * (warp.taken[level] - warp.before[place(loop) + level]);
        warp.taken[level] += lines;
        warp.foreign[level] += lines;
      }
      left_cut_loop = true;
    }
    void wait(const std::vector<WarpProgram::Awaited>& awaited) {
      if (made == nullptr || waits) return;
      waits = std::ranges::any_of(awaited, [&](const auto& load) { return (*made)[load.number] >= load.back; });
    }
  };

  /// Free slots take groups in the order of their index, then that of their units. A group without accesses leaves its
  /// slot at once.
  void place_groups() {
    const std::int64_t end = first_ + sample_.groups;
    while (!free_.empty() && next_ < end) {
      std::vector<std::int64_t> free = std::exchange(free_, {});
      std::ranges::sort(free);
      for (std::size_t i = 0; i < free.size() && next_ < end; ++i) place(next_++, free[i] % units_, free[i] / units_);
    }
  }

  void place(std::int64_t group, std::int64_t unit, std::int64_t slot) {
    Slot& place = slots_[static_cast<std::size_t>(unit * slots_per_unit_ + slot)];
    place = {group, sample_.weight(part_, group - first_), warps_per_group_, 0};
    ++running_;
    ++running_among_[static_cast<std::size_t>(unit / together_)];
    for (std::int64_t i = 0; i < warps_per_group_; ++i) {
      const std::int64_t index = unit * warps_per_unit_ + slot * warps_per_group_ + i;
      warp(index).stream.start(streams_, group, i, index, sample_.most_trips);
    }
    for (std::int64_t i = 0; i < warps_per_group_; ++i) arrive(unit, slot, i);
  }

  void take_turn() {
    for (std::size_t neighbours = 0; neighbours < running_among_.size(); ++neighbours) {
      const std::int64_t first = static_cast<std::int64_t>(neighbours) * together_;
      const std::int64_t end = std::min(first + together_, units_);
      for (std::int64_t slot = 0; running_among_[neighbours] > 0 && slot < slots_per_unit_; ++slot)
        take_turn(first, end, slot);
    }
    for (const auto& [warp, unit] : owing_) add_foreign(*warp, unit);
    owing_.clear();
    ++turn_;
  }

  /// Of the groups in a slot of units from `first` to `end`, the first warps take their turns, then the second.
  void take_turn(std::int64_t first, std::int64_t end, std::int64_t slot) {
    for (std::int64_t i = 0; i < warps_per_group_; ++i)
      for (std::int64_t unit = first; unit < end; ++unit)
        if (slots_[static_cast<std::size_t>(unit * slots_per_unit_ + slot)].running > 0) make_accesses(unit, slot, i);
  }

  void make_accesses(std::int64_t unit, std::int64_t slot, std::int64_t i) {
    const std::int64_t in_unit = slot * warps_per_group_ + i;
    Warp& taker = warp(unit * warps_per_unit_ + in_unit);
    const std::int64_t time = (turn_ * warps_per_unit_ + in_unit) * of_warp_.times;
    Hierarchy::Use use{0, static_cast<std::size_t>(unit), 0, 0, taker.taken.data()};
    const double weight = slots_[static_cast<std::size_t>(unit * slots_per_unit_ + slot)].weight;
    Watch watch{taker, &made_};
    stores_.clear();
    for (const std::size_t access : made_in_turn_) made_[access] = 0;
    made_in_turn_.clear();
    made_.back() = 0;
    for (int made = 0; taker.stream.now() == Kind::Access && !watch.waits;) {
      const bool shares = share_sectors(taker);
      if (!shares && made++ == of_warp_.most) return;
      use.time = static_cast<std::uint32_t>(time + std::min(made, of_warp_.times) - 1);
      count_made(taker.stream.access().number);
      if (watch.left_cut_loop) add_foreign(taker, use.unit);
      use.weight = weight * taker.stream.weight();
      make_access(taker, use, shares);
      taker.stream.advance(watch);
      if (watch.left_cut_loop) owing_.push_back({&taker, use.unit});
      if (taker.stream.now() != Kind::Access) return arrive(unit, slot, i);
    }
  }

  void count_made(std::size_t access) {
    if (made_[access]++ == 0) made_in_turn_.push_back(access);
    ++made_.back();
  }

  /// Whether the next access of a warp and its last ones in this turn are stores to common sectors. Nothing waits for a
  /// store, so they come right one behind the other.
  bool share_sectors(Warp& warp) const {
    return warp.stream.access().kind == AccessKind::Store && stores_.share_sectors(warp.stream.lines());
  }

  void add_foreign(Warp& warp, std::size_t unit) {
    for (std::size_t level = 0; level < warp.foreign.size(); ++level)
      hierarchy_.add_foreign(level, unit, std::exchange(warp.foreign[level], 0));
  }

  /// @param shares  sectors with the stores before it in this turn
  void make_access(Warp& warp, Hierarchy::Use& use, bool shares) {
    const WarpAccess& access = warp.stream.access();
    use.access = access.number;
    use.past_unit = access.past_unit;
    use.is_atomic = access.kind == AccessKind::Atomic;
    const Lines lines = warp.stream.lines();
    const Served served = access.kind == AccessKind::Store ? store(use, lines, shares) : load(use, lines, access.kind);
    counted_.lines += static_cast<double>(lines.list.size());
    counted_.executions[access.number] += use.weight;
    if (lie_far_apart(lines.list, streams_.line_bytes())) counted_.far_apart[access.number] += use.weight;
    counted_.transactions[access.number] += use.weight * access.transactions;
    counted_.found[access.number][served.from] += use.weight;
    counted_.served[access.number][served.waits] += use.weight;
  }

  Served load(const Hierarchy::Use& use, const Lines& lines, AccessKind kind) {
    stores_.clear();
    Served served;
    for (TouchedLine line : lines.list) {
      line.line += lines.first;
      served.add(kind == AccessKind::Load ? hierarchy_.load(use, line) : hierarchy_.atomic(use, line));
    }
    return served;
  }

  Served store(const Hierarchy::Use& use, const Lines& lines, bool shares) {
    const std::span<const std::uint32_t> before = stores_.add(lines, places_[use.access], shares);
    Served served;
    for (std::size_t i = 0; i < lines.list.size(); ++i) {
      TouchedLine line = lines.list[i];
      line.line += lines.first;
      served.add(hierarchy_.store(use, line, before.empty() ? 0 : before[i]));
    }
    return served;
  }

  /// A warp has come to a barrier, its end or an access.
  void arrive(std::int64_t unit, std::int64_t slot, std::int64_t i) {
    Slot& place = slots_[static_cast<std::size_t>(unit * slots_per_unit_ + slot)];
    const Kind at = warp(unit * warps_per_unit_ + slot * warps_per_group_ + i).stream.now();
    if (at == Kind::Barrier) ++place.waiting;
    if (at == Kind::End) --place.running;
    while (place.running > 0 && place.waiting == place.running) open_barrier(unit, slot, place);
    if (place.running > 0 || at == Kind::Access) return;
    free_.push_back(slot * units_ + unit);
    --running_;
    --running_among_[static_cast<std::size_t>(unit / together_)];
  }

  void open_barrier(std::int64_t unit, std::int64_t slot, Slot& place) {
    place.waiting = 0;
    for (std::int64_t i = 0; i < warps_per_group_; ++i) {
      Warp& waiting = warp(unit * warps_per_unit_ + slot * warps_per_group_ + i);
      if (waiting.stream.now() != Kind::Barrier) continue;
      Watch watch{waiting};
      waiting.stream.advance(watch);
      if (watch.left_cut_loop) owing_.push_back({&waiting, static_cast<std::size_t>(unit)});
      if (waiting.stream.now() == Kind::Barrier) ++place.waiting;
      if (waiting.stream.now() == Kind::End) --place.running;
    }
  }

  Warp& warp(std::int64_t index) { return warps_[static_cast<std::size_t>(index)]; }

  AddressStreams& streams_;
  const Sample& sample_;
  Turn of_warp_;
  std::int64_t units_, together_, slots_per_unit_, warps_per_group_, warps_per_unit_;
  Hierarchy hierarchy_;
  JoinedStores stores_;                               ///< the last accesses of the current warp in its turn
  std::vector<JoinedStores::Place> places_;           ///< by access
  std::vector<Warp> warps_;                           ///< by unit, slot, index in the group
  std::vector<double> lines_of_warps_;                ///< for `taken` and `foreign` of the warps
  std::vector<Slot> slots_;                           ///< by unit
  std::vector<std::int64_t> running_among_;           ///< groups, by `together_` neighbouring units
  std::vector<std::int64_t> free_;                    ///< slots: index x units + unit
  std::vector<std::pair<Warp*, std::size_t>> owing_;  ///< warps out of a cut loop in this turn, with their units
  std::vector<int> made_;                             ///< by access: executions in this turn; the last: of all
  std::vector<std::size_t> made_in_turn_;             ///< accesses
  std::int64_t part_, first_;                         ///< of the sample; its first group
  std::int64_t next_;                                 ///< group to be placed
  std::int64_t running_ = 0;                          ///< groups
  std::int64_t turn_ = 0;
  Counted counted_;
};

void add(const std::vector<double>& some, std::vector<double>& sum) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += some[i];
}

void add(const Counted& some, Counted& sum) {
  sum.lines += some.lines;
  add(some.executions, sum.executions);
  add(some.transactions, sum.transactions);
  add(some.far_apart, sum.far_apart);
  for (std::size_t access = 0; access < sum.executions.size(); ++access) {
    add(some.found[access], sum.found[access]);
    add(some.served[access], sum.served[access]);
    add(some.moved[access].sectors, sum.moved[access].sectors);
    sum.moved[access].compulsory += some.moved[access].compulsory;
    sum.moved[access].footprint += some.moved[access].footprint;
    sum.moved[access].first_of_memory += some.moved[access].first_of_memory;
    sum.moved[access].read_first += some.moved[access].read_first;
  }
}

}  // namespace

Counted take_turns(AddressStreams& streams, const Device& device, const CacheLaunch& launch, const Sample& sample,
                   const Turn& turn) {
  const auto run = [&](std::int64_t part) { return Turns(streams, device, launch, sample, part, turn).run(); };
  Counted sum = run(0);
  for (std::int64_t part = 1; part < sample.parts(); ++part) add(run(part), sum);
  return sum;
}

}  // namespace warpipe
