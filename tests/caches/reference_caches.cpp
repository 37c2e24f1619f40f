#include "caches/reference_caches.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <list>
#include <map>
#include <set>
#include <utility>

#include "caches/reference_steps.hpp"
#include "warpipe/idg/op.hpp"
#include "warpipe/idg/place.hpp"

// Headings and words in quotation marks are quoted from docs/caches.md.

namespace warpipe {
namespace {

using Number = std::int64_t;
using Bytes = std::vector<Number>;  // addresses, ascending

Bytes minus(const Bytes& a, const Bytes& b) {
  Bytes left;
  std::ranges::set_difference(a, b, std::back_inserter(left));
  return left;
}
Bytes both(const Bytes& a, const Bytes& b) {
  Bytes common;
  std::ranges::set_intersection(a, b, std::back_inserter(common));
  return common;
}
Bytes plus(const Bytes& a, const Bytes& b) {
  Bytes all;
  std::ranges::set_union(a, b, std::back_inserter(all));
  return all;
}

/// Bytes, line by line or sector by sector.
std::map<Number, Bytes> by(Number size, const Bytes& bytes) {
  std::map<Number, Bytes> parts;
  for (const Number byte : bytes) parts[byte / size].push_back(byte);
  return parts;
}

/// "polynomials": a number's bits are the coefficients.
Number remainder(Number of, Number by) {
  for (Number bit = Number{1} << 40; bit >= 1; bit /= 2)
    if ((of ^ bit * by) < std::min(of, bit * by)) of ^= bit * by;  // both have the same highest bit
  return of;
}
bool is_irreducible(Number polynomial) {
  for (Number factor = 2; factor < polynomial; ++factor)
    if (remainder(polynomial, factor) == 0) return false;
  return true;
}

/// Who makes an access, and when.
struct Turn {
  std::size_t instruction = 0;
  Number unit = 0, number = 0, time = 0;
};

/// "Caches"
class Caches {
 public:
  Caches(const Kernel& kernel, const Device& device, const CacheLaunch& launch)
      : kernel_(kernel),
        device_(device),
        warps_of_unit_(launch.slots * static_cast<Number>(launch.values.at("warps"))),
        longest_(reference_longest_line(device)),
        memory_(device.memory->levels.size() - 1) {
    for (const MemoryLevel& says : device.memory->levels) {
      Level& level = levels_.emplace_back(says);
      level.lines = lines_of_part(says, launch);
      while (level.lines / (2 * level.sets) >= says.ways) level.sets *= 2;
      level.divisor = level.sets + 2 * level.sets / 3;
      while (!is_irreducible(level.divisor)) ++level.divisor;
    }
  }

  /// "An access goes piece by piece"
  /// @param joined  bytes of the stores it joins
  void access(const Turn& turn, const Bytes& bytes, double transactions, const Bytes& joined) {
    turn_ = turn;
    joined_ = joined;
    waits_ = 0;
    std::size_t found = 0;
    for (const auto& [number, line] : by(longest_, bytes)) {
      touch(line);
      found = std::max(found, kind() == AccessKind::Load    ? load_from_nearest(line)
                              : kind() == AccessKind::Store ? store(line)
                                                            : atomic(line));
    }
    AccessLevels& result = result_of(turn.instruction);
    result.executions += 1;
    transactions_[turn.instruction] += transactions;
    result.levels[found].found += 1;
    result.levels[std::max(found, waits_)].share += 1;
  }

  /// "At the end", and "Result"
  std::vector<AccessLevels> end(const CacheLaunch& launch) {
    for (std::size_t k = 0; k < memory_; ++k) write_rest(k);
    for (std::size_t k = 0; k < memory_; ++k)
      for (const auto& [instruction, marked] : levels_[k].marked) count_written(k, instruction, marked);
    std::vector<AccessLevels> all;
    const double bytes = bytes_of_launch(launch);
    for (auto& [instruction, result] : results_) {
      if (launch.repeated) find_again(bytes, result);
      if (kernel_.instructions[instruction].transactions) count_transactions(transactions_[instruction], result);
      for (std::size_t k = 0; k <= memory_; ++k) {
        LevelTraffic& level = result.levels[k];
        level.bytes = level.sectors * static_cast<double>(sector(k));
        for (double* sum : {&level.share, &level.found, &level.sectors}) *sum /= result.executions;
      }
      all.push_back(result);
    }
    return all;
  }

 private:
  struct Line {
    Number number = 0;
    Bytes held, marked, known;
    std::size_t writer = 0;
    Number time = 0, turn = 0;  ///< of the last fetch
    std::size_t farthest = 0;   ///< level of the last fetch
  };
  struct Request {
    Number line = -1, time = 0;
    Bytes bytes;
    std::set<Number> units;
  };
  struct Level {
    explicit Level(const MemoryLevel& level) : says(level) {}
    const MemoryLevel& says;
    Number lines = 0, sets = 1, divisor = 1;                                       ///< of each part
    std::map<std::pair<Number, Number>, std::map<Number, std::list<Line>>> parts;  ///< by instance and part: sets, the
                                                                                   ///< line used last is the first
    std::map<std::pair<Number, Number>, Request> requests;                         ///< by joined units and place
    std::map<std::size_t, double> marked;     ///< by instruction: sectors of the next level
    double staying = 0, private_staying = 0;  ///< likewise
  };

  Number lines_of_part(const MemoryLevel& level, const CacheLaunch& launch) const {
    const Limits& limits = device_.limits;
    Number taken = launch.shared_memory + limits.shared_memory_reserved_per_group;
    while (taken % limits.shared_memory_allocation != 0) ++taken;
    const Number left = level.bytes.value_or(0) - (level.holds_shared_memory ? launch.slots * taken : 0);
    return std::max<Number>(0, left) / level.parts / level.line_bytes;
  }

  AccessKind kind() const { return access_kind(kernel_.instructions[turn_.instruction].op); }
  bool is_private(std::size_t instruction) const {
    return kernel_.arrays[reference_array(*kernel_.instructions[instruction].access)].thread_private;
  }

  AccessLevels& result_of(std::size_t instruction) {
    AccessLevels& result = results_[instruction];
    result.instruction = instruction;
    result.levels.resize(levels_.size());
    return result;
  }

  Number sector(std::size_t k) const { return levels_[k].says.sector_bytes; }
  std::map<Number, Bytes> lines(std::size_t k, const Bytes& bytes) const {
    return by(levels_[k].says.line_bytes, bytes);
  }
  /// All bytes of the touched sectors of a level.
  Bytes whole(std::size_t k, const Bytes& bytes) const {
    Bytes all;
    for (const auto& [number, some] : by(sector(k), bytes))
      for (Number byte = number * sector(k); byte < (number + 1) * sector(k); ++byte) all.push_back(byte);
    return all;
  }
  double sectors(std::size_t k, const Bytes& bytes) const { return static_cast<double>(by(sector(k), bytes).size()); }
  void count(std::size_t k, double sectors) { result_of(turn_.instruction).levels[k].sectors += sectors; }

  // "Instances"

  Number joined_unit(std::size_t k) const { return turn_.unit / levels_[k].says.joined_units; }
  Number dies(std::size_t k) const { return levels_[k].says.scope == LevelScope::Die ? device_.dies : 1; }
  Number instance(std::size_t k) const {
    return levels_[k].says.scope == LevelScope::ComputeUnit ? turn_.unit : joined_unit(k) % dies(k);
  }
  Number near_part(std::size_t k) const { return joined_unit(k) / dies(k) % levels_[k].says.parts; }
  /// floor(*spread* x times)
  static Number spread(Number line, Number times) {
    const std::uint64_t fraction = static_cast<std::uint64_t>(line) * 0x85ebca6b % (std::uint64_t{1} << 32);
    return static_cast<Number>(fraction * static_cast<std::uint64_t>(times) >> 32);
  }
  Number home_part(std::size_t k, Number line) const { return spread(line, levels_[k].says.parts); }

  // "Sets"

  std::list<Line>& set_of(std::size_t k, Number part, Number line) {
    Level& level = levels_[k];
    return level.parts[{instance(k), part}][remainder(line, level.divisor)];
  }

  /// @return null where the part does not have the line
  Line* find(std::size_t k, Number part, Number number) {
    std::list<Line>& set = set_of(k, part, number);
    const auto line = std::ranges::find(set, number, &Line::number);
    return line == set.end() ? nullptr : &*line;
  }

  /// Uses a line where the part has it.
  void use(std::size_t k, Number part, Number number) {
    std::list<Line>& set = set_of(k, part, number);
    const auto line = std::ranges::find(set, number, &Line::number);
    if (line != set.end()) set.splice(set.begin(), set, line);
  }

  /// Uses a line; makes room for a missing line.
  Line& take_in(std::size_t k, Number part, Number number) {
    std::list<Line>& set = set_of(k, part, number);
    use(k, part, number);
    if (!set.empty() && set.front().number == number) return set.front();
    set.emplace_front().number = number;
    if (static_cast<Number>(set.size()) > levels_[k].lines / levels_[k].sets) {
      leave(k, set.back());
      set.pop_back();
    }
    return set.front();
  }

  // "Loads"

  std::size_t load_from_nearest(const Bytes& bytes) {
    std::size_t k = 0;
    if (kernel_.instructions[turn_.instruction].access->past_unit)
      for (; levels_[k].says.scope == LevelScope::ComputeUnit; ++k) count(k, sectors(k, bytes));
    return load(k, bytes);
  }

  /// @return the farthest level that supplies a sector
  std::size_t load(std::size_t k, const Bytes& bytes) {
    count(k, sectors(k, bytes));
    std::size_t farthest = k;
    if (k < memory_)
      for (const auto& [number, asked] : lines(k, whole(k, bytes)))
        farthest = std::max(farthest, load_line(k, number, asked));
    return farthest;
  }

  std::size_t load_line(std::size_t k, Number number, Bytes asked) {
    if (levels_[k].says.joined_units > 1 && kind() == AccessKind::Load) asked = take_part(k, number, asked);
    std::vector<Line*> fetching;
    for (const Number part : {near_part(k), home_part(k, number)}) {
      if (asked.empty() || levels_[k].lines == 0) break;
      Line& line = take_in(k, part, number);
      const Bytes lacking = minus(asked, line.held);
      if (k == 0 && lacking.size() < asked.size()) wait_for(line);
      if (!lacking.empty()) fetching.push_back(&line);
      line.held = plus(line.held, asked);
      asked = lacking;
      if (near_part(k) == home_part(k, number)) break;
    }
    const std::size_t farthest = asked.empty() ? k : load(k + 1, asked);
    for (Line* line : fetching) {
      line->time = turn_.time;
      line->turn = turn_.number;
      line->farthest = farthest;
    }
    return farthest;
  }

  /// "the line is still under way"
  void wait_for(const Line& line) {
    const Number since = turn_.time - line.time;
    if (line.turn != turn_.number && since >= 0 && since < warps_of_unit_) waits_ = std::max(waits_, line.farthest);
  }

  /// "Joined units"
  /// @return the bytes still asked of the level
  Bytes take_part(std::size_t k, Number number, const Bytes& bytes) {
    Request& request = levels_[k].requests[{joined_unit(k), spread(number, 1024)}];
    if (request.line != number || request.units.contains(turn_.unit) ||
        std::abs(turn_.time - request.time) >= warps_of_unit_)
      request = {number, turn_.time, {}, {}};
    request.units.insert(turn_.unit);
    const Bytes asked = minus(bytes, request.bytes);
    request.bytes = plus(request.bytes, bytes);
    count(k, sectors(k, asked) - sectors(k, bytes));
    return asked;
  }

  // "Stores"

  /// @return the first level, `k` or beyond, that keeps stores, else the memory
  std::size_t keeper(std::size_t k, std::size_t instruction) const {
    const auto keeps = [&](const Level& level) {
      return level.says.write == WritePolicy::Back || (&level == levels_.data() && is_private(instruction));
    };
    while (k < memory_ && (levels_[k].lines == 0 || !keeps(levels_[k]))) ++k;
    return k;
  }

  std::size_t store(const Bytes& bytes) {
    const std::size_t last = keeper(0, turn_.instruction);
    Bytes known;
    for (const auto& [piece, some] : by(longest_ / 32, bytes))
      if (static_cast<Number>(some.size()) == longest_ / 32) known = plus(known, some);
    for (std::size_t k = 0; k < last; ++k) {
      count(k, sectors(k, not_joined(k, bytes)));
      for (const auto& [number, line] : lines(k, bytes)) use(k, near_part(k), number);
    }
    count(last, sectors(last, not_joined(last, bytes)));
    if (last == memory_)
      count(last, sectors(last, in_part(not_joined(last, bytes), known)));
    else
      mark(last, turn_.instruction, bytes, known);
    return last;
  }

  /// "the sectors that these stores have not touched"
  Bytes not_joined(std::size_t k, const Bytes& bytes) const { return k == 0 ? bytes : minus(bytes, whole(k, joined_)); }

  void mark(std::size_t k, std::size_t writer, const Bytes& bytes, const Bytes& known) {
    Level& level = levels_[k];
    for (const auto& [number, stored] : lines(k, bytes)) {
      Line& line = take_in(k, home_part(k, number), number);
      const Bytes marked = whole(k, stored);
      level.marked[writer] += sectors(k + 1, minus(whole(k + 1, marked), whole(k + 1, line.marked)));
      line.marked = plus(line.marked, marked);
      line.known = plus(line.known, both(known, stored));
      line.writer = writer;
      for (const auto& [place, all] : by(sector(k), marked))
        if (std::ranges::includes(line.known, all)) line.held = plus(line.held, all);
      for (Number part = 0; part < level.says.parts; ++part)
        if (Line* other = find(k, part, number); other && other != &line) other->held = minus(other->held, marked);
    }
  }

  /// The sectors read first by the memory.
  Bytes in_part(const Bytes& bytes, const Bytes& known) const {
    Bytes in_part;
    if (levels_[memory_].says.masked_writes) return in_part;
    for (const auto& [place, all] : by(sector(memory_), whole(memory_, bytes)))
      if (!std::ranges::includes(known, all)) in_part = plus(in_part, all);
    return in_part;
  }

  void leave(std::size_t k, const Line& line) {
    if (line.marked.empty()) return;
    const std::size_t to = keeper(k + 1, line.writer);
    const Bytes known = plus(line.known, line.held);
    if (to < memory_) return mark(to, line.writer, line.marked, known);
    written_[line.writer] += sectors(to, line.marked);
    read_first_[line.writer] += sectors(to, in_part(line.marked, known));
  }

  /// "At the end, each level in turn"
  void write_rest(std::size_t k) {
    Level& level = levels_[k];
    for (const auto& [place, sets] : level.parts) {
      turn_.unit = place.first * level.says.joined_units;
      for (const auto& [number, set] : sets)
        for (const Line& line : set) {
          if (line.marked.empty()) continue;
          (is_private(line.writer) ? level.private_staying : level.staying) += sectors(k + 1, line.marked);
          if (!is_private(line.writer)) leave(k, line);
        }
    }
  }

  Number instances(std::size_t k) const {
    const MemoryLevel& level = levels_[k].says;
    if (level.scope == LevelScope::ComputeUnit) return device_.compute_units;
    return std::min(dies(k), (device_.compute_units - 1) / level.joined_units + 1);
  }

  /// "Who is counted": of the sectors marked by an instruction at a level.
  void count_written(std::size_t k, std::size_t instruction, double marked) {
    const Level& level = levels_[k];
    double all = 0, staying = level.private_staying;
    for (const auto& [other, some] : level.marked) all += is_private(other) == is_private(instruction) ? some : 0;
    if (!is_private(instruction)) {
      const Number in_sets = level.lines / level.sets * level.sets * level.says.line_bytes * level.says.parts;
      const double dirty = static_cast<double>(level.says.dirty_bytes.value_or(0) * instances(k) * in_sets) /
                           static_cast<double>(*level.says.bytes);
      staying = std::min(level.staying, dirty / static_cast<double>(sector(k + 1)));
    }
    const double bytes = marked * (1 - std::min(1.0, staying / all)) * static_cast<double>(sector(k + 1));
    turn_.instruction = instruction;
    const std::size_t last = keeper(k + 1, instruction);
    for (std::size_t to = k + 1; to <= last; ++to) count(to, bytes / static_cast<double>(sector(to)));
    if (last == memory_ && written_[instruction] > 0)
      count(last, bytes / static_cast<double>(sector(last)) * read_first_[instruction] / written_[instruction]);
  }

  /// "Atomics"
  std::size_t atomic(const Bytes& bytes) {
    const std::size_t at = keeper(first_shared_level(device_.memory->levels), turn_.instruction);
    for (std::size_t k = 0; k < at; ++k) {
      count(k, sectors(k, bytes));
      for (const auto& [number, some] : lines(k, whole(k, bytes)))
        if (Line* line = find(k, near_part(k), number)) line->held = minus(line->held, some);
    }
    const std::size_t found = load(at, bytes);
    if (at == memory_)
      count(at, sectors(at, bytes));
    else
      mark(at, turn_.instruction, whole(at, bytes), whole(at, bytes));
    return found;
  }

  // "Result"

  /// Compulsory accesses: first reads and first writes of sectors of level 1.
  void touch(const Bytes& bytes) {
    if (is_private(turn_.instruction)) return;
    AccessLevels& result = result_of(turn_.instruction);
    const auto size = static_cast<double>(sector(0));
    for (const auto& [number, some] : by(sector(0), bytes)) {
      if (!read_.contains(number) && !stored_.contains(number)) result.footprint_bytes += size;
      if (kind() != AccessKind::Store && read_.insert(number).second) result.compulsory_bytes += size;
      if (kind() != AccessKind::Load && stored_.insert(number).second) result.compulsory_bytes += size;
    }
  }

  double bytes_of_launch(const CacheLaunch& launch) const {
    Values values = launch.values;
    values["groups"] = static_cast<double>(launch.groups);
    const LaunchShape shape = launch_shape(kernel_, values);
    std::map<std::size_t, double> of_arrays;
    for (const auto& [instruction, result] : results_)
      of_arrays[reference_array(*kernel_.instructions[instruction].access)] += result.footprint_bytes;
    double all = 0;
    for (const auto& [array, bytes] : of_arrays) all += std::min(bytes, static_cast<double>(shape.arrays[array].bytes));
    return all;
  }

  /// "A launch that is repeated"
  void find_again(double bytes, AccessLevels& result) const {
    for (std::size_t k = first_shared_level(device_.memory->levels); k < memory_; ++k) {
      const MemoryLevel& level = levels_[k].says;
      if (static_cast<double>(*level.bytes) / static_cast<double>(level.parts) < bytes) continue;
      for (std::size_t behind = k + 1; behind <= memory_; ++behind) {
        result.levels[k].share += result.levels[behind].share;
        result.levels[k].found += result.levels[behind].found;
        result.levels[behind] = {};
      }
    }
  }

  /// "Where the instruction gives `transactions` itself"
  static void count_transactions(double transactions, AccessLevels& result) {
    const double touched = result.levels.front().sectors;
    for (LevelTraffic& level : result.levels)
      level.sectors = touched > 0 && transactions >= touched ? level.sectors * transactions / touched
                                                             : std::min(level.sectors, transactions);
  }

  const Kernel& kernel_;
  const Device& device_;
  Number warps_of_unit_, longest_;
  std::size_t memory_;  ///< index of the last level
  std::vector<Level> levels_;
  Turn turn_;
  Bytes joined_;
  std::size_t waits_ = 0;                               ///< the farthest level awaited by the access
  std::map<std::size_t, double> written_, read_first_;  ///< sectors that came to the memory, by the last writer
  std::set<Number> read_, stored_;                      ///< sectors
  std::map<std::size_t, AccessLevels> results_;
  std::map<std::size_t, double> transactions_;
};

/// "Order"
class Order {
 public:
  /// @param most   accesses of a turn
  /// @param times  of a turn
  Order(const Kernel& kernel, const Device& device, const CacheLaunch& launch, std::size_t most, std::size_t times)
      : kernel_(kernel), device_(device), launch_(launch), most_(most), times_(times), caches_(kernel, device, launch) {
    for (Number unit = 0; unit < device.compute_units; ++unit)
      for (Number slot = 0; slot < launch.slots; ++slot) slots_[{unit, slot}];
  }

  std::vector<AccessLevels> run() {
    for (Number round = 0; take_groups(); ++round)
      for (const auto& [neighbours, slot, warp, unit] : order_of_turns()) {
        Group& group = slots_[{unit, slot}];
        if (group.empty()) continue;
        take_turn(group, group[static_cast<std::size_t>(warp)],
                  {0, unit, (round * launch_.slots + slot) * warps_ + warp, 0});
      }
    return caches_.end(launch_);
  }

 private:
  struct Warp {
    std::vector<ReferenceStep> steps;
    std::size_t next = 0;
    bool has_ended() const { return next == steps.size(); }
    bool is_at_barrier() const { return !has_ended() && steps[next].kind == ReferenceStep::Barrier; }
  };
  using Group = std::vector<Warp>;

  /// By the largest number of joined units: their index, slot, warp, unit.
  std::set<std::array<Number, 4>> order_of_turns() const {
    Number joined = 1;
    for (const MemoryLevel& level : device_.memory->levels) joined = std::max(joined, level.joined_units);
    std::set<std::array<Number, 4>> order;
    for (const auto& [place, group] : slots_)
      for (Number warp = 0; warp < warps_; ++warp)
        order.insert({place.first / joined, place.second, warp, place.first});
    return order;
  }

  static bool has_ended(const Group& group) { return std::ranges::all_of(group, &Warp::has_ended); }

  /// "Free slots take groups"
  /// @return whether any group is there
  bool take_groups() {
    for (bool again = true; again;) {
      again = false;
      for (Number slot = 0; slot < launch_.slots; ++slot)
        for (Number unit = 0; unit < device_.compute_units; ++unit) {
          if (next_ == launch_.groups || !has_ended(slots_[{unit, slot}])) continue;
          slots_[{unit, slot}] = group(next_++, (unit * launch_.slots + slot) * warps_);
          again = true;
        }
    }
    return !std::ranges::all_of(slots_, [](const auto& slot) { return has_ended(slot.second); });
  }

  Group group(Number index, Number first_frame) const {
    Group group;
    for (Number warp = 0; warp < warps_; ++warp)
      group.push_back({reference_steps(kernel_, device_, launch_, index, warp, first_frame + warp)});
    open_barriers(group);
    return group;
  }

  static void open_barriers(Group& group) {
    const auto waits = [](const Warp& warp) { return warp.has_ended() || warp.is_at_barrier(); };
    while (!has_ended(group) && std::ranges::all_of(group, waits))
      for (Warp& warp : group)
        if (warp.is_at_barrier()) ++warp.next;
  }

  void take_turn(Group& group, Warp& warp, Turn turn) {
    const std::size_t first = warp.next;
    std::size_t made = 0;
    Bytes joined;  // of the last stores in this turn
    std::size_t first_joined = 0, last_joined = 0;
    for (; !warp.has_ended() && !warp.is_at_barrier(); ++warp.next) {
      const ReferenceStep& step = warp.steps[warp.next];
      if (step.kind == ReferenceStep::Wait) {
        if (step.waited >= first) break;
        continue;
      }
      const bool shares = is_store(step) && share_sectors(joined, step.bytes);
      if (!shares && made++ == most_) break;
      if (!shares || !come_together(first_joined, last_joined, step.instruction) ||
          by(device_.memory->levels.front().sector_bytes, plus(joined, step.bytes)).size() > 16) {
        joined.clear();
        first_joined = step.instruction;
      }
      last_joined = step.instruction;
      turn.instruction = step.instruction;
      turn.time = turn.number * static_cast<Number>(times_) + static_cast<Number>(std::min(made, times_)) - 1;
      caches_.access(turn, step.bytes, step.transactions, joined);
      if (is_store(step)) joined = plus(joined, step.bytes);
    }
    open_barriers(group);
  }

  bool is_store(const ReferenceStep& step) const {
    return access_kind(kernel_.instructions[step.instruction].op) == AccessKind::Store;
  }

  /// "its `after` names, without a `latency`, no instruction between the first of them and itself"
  bool come_together(std::size_t first, std::size_t last, std::size_t store) const {
    return store > last && std::ranges::none_of(kernel_.instructions[store].after, [&](const Dependence& dependence) {
             return !dependence.latency && dependence.producer > first && dependence.producer < store;
           });
  }

  bool share_sectors(const Bytes& a, const Bytes& b) const {
    const auto sectors = by(device_.memory->levels.front().sector_bytes, b);
    return std::ranges::any_of(by(device_.memory->levels.front().sector_bytes, a),
                               [&](const auto& sector) { return sectors.contains(sector.first); });
  }

  const Kernel& kernel_;
  const Device& device_;
  const CacheLaunch& launch_;
  std::size_t most_, times_;
  Number warps_ = static_cast<Number>(launch_.values.at("warps")), next_ = 0;  ///< of a group; the group to come
  std::map<std::pair<Number, Number>, Group> slots_;                           ///< by unit and slot
  Caches caches_;
};

}  // namespace

std::vector<AccessLevels> reference_caches(const Kernel& kernel, const Device& device, const CacheLaunch& launch) {
  std::vector<AccessLevels> all = Order(kernel, device, launch, 64, 2).run();
  CacheLaunch once = launch;
  once.repeated = false;
  const std::vector<AccessLevels> one = launch.repeated ? Order(kernel, device, once, 64, 2).run() : all;
  const std::vector<AccessLevels> other = Order(kernel, device, once, 1, 1).run();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < all[i].levels.size(); ++k)
      all[i].spread = std::max(all[i].spread, std::abs(one[i].levels[k].found - other[i].levels[k].found));
  return all;
}

}  // namespace warpipe
