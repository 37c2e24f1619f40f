#include "caches/every_access.hpp"

#include <algorithm>
#include <array>
#include <list>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <variant>

#include "warpipe/idg/op.hpp"
#include "warpipe/idg/place.hpp"

namespace warpipe {
namespace {

using Bytes = std::set<std::int64_t>;  // addresses

struct Event {
  bool is_barrier = false;
  std::size_t instruction = 0;
  Bytes bytes;
  std::size_t after = 0;  ///< 1 + the latest event that the warp waits for behind the event before; 0 without one
};

/// The accesses and barriers of one warp.
class WarpEvents {
 public:
  WarpEvents(const Kernel& kernel, const Device& device, const CacheLaunch& launch, std::int64_t group,
             std::int64_t warp, std::int64_t frame)
      : kernel_(kernel), device_(device), launch_(launch), group_(group), warp_(warp), frame_(frame) {
    Values of_launch = launch.values;
    of_launch["groups"] = static_cast<double>(launch.groups);
    shape_ = launch_shape(kernel, of_launch);
    values_ = body_values(kernel, launch.values, kind(of_launch), warp);
    set_group(values_, shape_, group);
    walk(kernel.body);
  }

  std::vector<Event> events;

 private:
  std::int64_t kind(Values of_launch) const {
    if (!kernel_.kinds) return 0;
    of_launch["group"] = static_cast<double>(group_);
    if (const auto* expression = std::get_if<Expression>(&kernel_.kinds->of_group))
      return expression->evaluate_whole(of_launch, 0);
    const auto& table = std::get<std::vector<GroupKinds::Run>>(kernel_.kinds->of_group);
    std::vector<std::int64_t> kinds;
    for (const GroupKinds::Run& run : table) kinds.insert(kinds.end(), static_cast<std::size_t>(run.groups), run.kind);
    return kinds[static_cast<std::size_t>(group_) % kinds.size()];
  }

  void walk(const std::vector<Item>& items) {
    for (const Item& item : items) {
      if (const auto* instruction = std::get_if<std::size_t>(&item.node)) {
        execute(*instruction);
      } else if (const auto* loop = std::get_if<Loop>(&item.node)) {
        const std::int64_t trips = loop->trip_count.evaluate_whole(values_, 0);
        for (std::int64_t trip = 0; trip < trips; ++trip) {
          values_[loop->name] = static_cast<double>(trip);
          walk(loop->body);
        }
        values_.erase(loop->name);
      } else if (const When& when = std::get<When>(item.node); when.condition.evaluate(values_) != 0) {
        walk(when.body);
      }
    }
  }

  void execute(std::size_t index) {
    const Instruction& instruction = kernel_.instructions[index];
    wait_for(instruction);
    if (class_of(instruction.op) == OpClass::Barrier) events.push_back({true, index, {}, std::exchange(after_, 0)});
    if (!instruction.access) return;
    Event event{false, index, {}, std::exchange(after_, 0)};
    const std::int64_t width = instruction.access->width_bytes.evaluate_whole(values_, 1);
    const auto threads = static_cast<std::int64_t>(launch_.values.at("group_size"));
    for (std::int64_t lane = 0; lane < device_.warp_size; ++lane) {
      const std::int64_t thread = warp_ * device_.warp_size + lane;
      if (thread >= threads) break;
      const auto [array, address] = address_of(index, instruction.access->lanes, thread, lane);
      if (!is_inside(shape_.arrays[array], address)) continue;
      for (std::int64_t byte = address; byte < address + width; ++byte) event.bytes.insert(place(array, byte, lane));
    }
    events.push_back(std::move(event));
    ++executions_[index];
    if (instruction.op.find("store") == std::string::npos) made_[index].push_back(events.size());
  }

  // "an instruction that comes next names one of them in `after`, without a `latency`, and means that execution of it"
  void wait_for(const Instruction& instruction) {
    for (const Dependence& dependence : instruction.after) {
      const std::vector<std::size_t>& made = made_[dependence.producer];
      const auto back = static_cast<std::size_t>(dependence.back.evaluate_whole(values_, 1));
      if (!dependence.latency && back <= made.size()) after_ = std::max(after_, made[made.size() - back]);
    }
  }

  std::pair<std::size_t, std::int64_t> address_of(std::size_t index, const decltype(AccessPattern::lanes)& lanes,
                                                  std::int64_t thread, std::int64_t lane) {
    if (const auto* sampled = std::get_if<AccessPattern::Sampled>(&lanes)) {
      const auto warps = static_cast<std::int64_t>(launch_.values.at("warps"));
      const std::int64_t in_launch = group_ * warps + warp_, bytes = shape_.arrays[sampled->array].bytes;
      const auto& row = sampled_addresses(*sampled, in_launch, executions_[index]);
      const std::int64_t address = row[static_cast<std::size_t>(lane)];
      if (!is_inside(shape_.arrays[sampled->array], address)) return {sampled->array, address};
      return {sampled->array, (address + sampled_shift(*sampled, in_launch, executions_[index], bytes)) % bytes};
    }
    const auto& addressed = std::get<AccessPattern::Addressed>(lanes);
    set_thread(values_, shape_, thread, lane);
    return {addressed.array, addressed.address.evaluate_whole(values_, -kLargestWhole)};
  }

  static std::int64_t round_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b * b; }

  std::int64_t bytes_per_frame(const LaunchShape::Array& array) const {
    return round_up(round_up(array.bytes, 4) * device_.warp_size, 128);
  }

  /// Where a byte of an array lies.
  std::int64_t place(std::size_t array, std::int64_t byte, std::int64_t lane) const {
    std::int64_t origin = 0;
    const auto frames = device_.compute_units * launch_.slots * static_cast<std::int64_t>(launch_.values.at("warps"));
    for (std::size_t i = 0; i < array; ++i) {
      const LaunchShape::Array& before = shape_.arrays[i];
      origin += round_up(before.thread_private ? bytes_per_frame(before) * frames : before.bytes, 4096);
    }
    if (!shape_.arrays[array].thread_private) return origin + byte;
    return origin + frame_ * bytes_per_frame(shape_.arrays[array]) + (byte / 4 * device_.warp_size + lane) * 4 +
           byte % 4;
  }

  const Kernel& kernel_;
  const Device& device_;
  const CacheLaunch& launch_;
  std::int64_t group_, warp_, frame_;
  LaunchShape shape_;
  Values values_;
  std::map<std::size_t, std::int64_t> executions_;
  std::map<std::size_t, std::vector<std::size_t>> made_;  ///< by load or atomic: 1 + its events
  std::size_t after_ = 0;
};

struct Line {
  std::int64_t number = 0;
  std::set<std::int64_t> valid;           ///< sectors, by address / bytes
  std::map<std::int64_t, Bytes> written;  ///< sector -> bytes
  std::size_t writer = 0;
  std::int64_t time = 0, turn_of_warp = 0;  ///< of the latest arrival
  std::size_t level = 0;
};

constexpr int kMost = 64, kTimes = 2;

class EveryAccess {
 public:
  EveryAccess(const Kernel& kernel, const Device& device, const CacheLaunch& launch)
      : kernel_(kernel), device_(device), launch_(launch), levels_(device.memory->levels) {
    warps_ = static_cast<std::int64_t>(launch.values.at("warps"));
    resident_ = launch.slots * warps_;
  }

  std::map<std::size_t, CountedAccess> run() {
    std::vector<Slot> slots(static_cast<std::size_t>(device_.compute_units * launch_.slots));
    for (std::int64_t turn = 0;; ++turn) {
      std::int64_t running = 0;
      for (std::int64_t slot = 0; slot < launch_.slots; ++slot)
        for (std::int64_t unit = 0; unit < device_.compute_units; ++unit)
          fill(slots[static_cast<std::size_t>(unit * launch_.slots + slot)], unit, slot);
      for (const Slot& slot : slots) running += slot.is_done() ? 0 : 1;
      if (running == 0) break;
      for (std::int64_t unit = 0; unit < device_.compute_units; ++unit)
        for (std::int64_t slot = 0; slot < launch_.slots; ++slot)
          for (std::int64_t warp = 0; warp < warps_; ++warp)
            take_turn(slots[static_cast<std::size_t>(unit * launch_.slots + slot)], unit, slot, warp, turn);
    }
    write_rest();
    for (auto& [index, access] : counted_)
      for (std::size_t k = 0; k < levels_.size(); ++k)
        for (double* count : {&access.found[k], &access.share[k], &access.sectors[k]}) *count /= access.executions;
    return counted_;
  }

 private:
  struct Warp {
    std::vector<Event> events;
    std::size_t next = 0;
    bool is_done() const { return next == events.size(); }
    bool waits() const { return !is_done() && events[next].is_barrier; }
  };
  struct Slot {
    std::vector<Warp> warps;
    bool is_done() const { return std::ranges::all_of(warps, &Warp::is_done); }
  };

  void fill(Slot& slot, std::int64_t unit, std::int64_t index) {
    while (slot.is_done() && next_group_ < launch_.groups) {
      slot.warps.clear();
      for (std::int64_t warp = 0; warp < warps_; ++warp) {
        const std::int64_t frame = unit * resident_ + index * warps_ + warp;
        slot.warps.push_back({WarpEvents(kernel_, device_, launch_, next_group_, warp, frame).events, 0});
      }
      ++next_group_;
      open_barriers(slot);
    }
  }

  static void open_barriers(Slot& slot) {
    const auto waits = [](const Warp& warp) { return warp.is_done() || warp.waits(); };
    while (!slot.is_done() && std::ranges::all_of(slot.warps, waits))
      for (Warp& warp : slot.warps)
        if (warp.waits()) ++warp.next;
  }

  void take_turn(Slot& slot, std::int64_t unit, std::int64_t index, std::int64_t warp_index, std::int64_t turn) {
    if (slot.warps.empty()) return;
    Warp& warp = slot.warps[static_cast<std::size_t>(warp_index)];
    const std::int64_t turn_of_warp = turn * resident_ + index * warps_ + warp_index;
    const std::size_t first = warp.next;
    const Event* before = nullptr;  // in this turn
    for (int made = 0; !warp.is_done() && !warp.waits(); before = &warp.events[warp.next - 1]) {
      const Event& event = warp.events[warp.next];
      if (event.after > first) break;
      if (!(before && merges(*before, event)) && made++ == kMost) break;
      time_ = turn_of_warp * kTimes + std::min(made - 1, kTimes - 1);
      turn_of_warp_ = turn_of_warp;
      unit_ = unit;
      ++warp.next;
      execute(event);
    }
    if (warp.is_done() || warp.waits()) open_barriers(slot);
  }

  bool is_store(const Event& event) const {
    return kernel_.instructions[event.instruction].op.find("store") != std::string::npos;
  }

  // "stores one right behind the other, each of which touches a sector of level 1 that the one before it touches"
  bool merges(const Event& before, const Event& event) const {
    if (!is_store(before) || !is_store(event)) return false;
    const std::set<std::int64_t> one = sectors(0, before.bytes), other = sectors(0, event.bytes);
    return std::ranges::any_of(one, [&](std::int64_t sector) { return other.contains(sector); });
  }

  CountedAccess& counted(std::size_t instruction) {
    CountedAccess& access = counted_[instruction];
    access.found.resize(levels_.size());
    access.share.resize(levels_.size());
    access.sectors.resize(levels_.size());
    return access;
  }

  void execute(const Event& event) {
    const std::string& op = kernel_.instructions[event.instruction].op;
    instruction_ = event.instruction;
    is_private_ = is_of_threads(event.instruction);
    found_ = waits_ = 0;
    std::map<std::int64_t, Bytes> lines;
    for (const std::int64_t byte : event.bytes) lines[byte / longest_line()].insert(byte);
    for (const auto& [number, bytes] : lines) {
      const bool stores = is_store(event), is_atomic = op.find("atomic") != std::string::npos;
      if (!is_private_) touch(bytes, !stores, stores || is_atomic);
      if (stores)
        store(bytes);
      else if (is_atomic)
        atomic(bytes);
      else
        load_past_unit(bytes);
    }
    CountedAccess& access = counted(event.instruction);
    access.executions += 1;
    access.found[found_] += 1;
    access.share[waits_] += 1;
  }

  static std::size_t array_of(const AccessPattern& pattern) {
    if (const auto* sampled = std::get_if<AccessPattern::Sampled>(&pattern.lanes)) return sampled->array;
    return std::get<AccessPattern::Addressed>(pattern.lanes).array;
  }

  void touch(const Bytes& bytes, bool reads, bool writes) {
    const auto count = [&](std::set<std::int64_t>& touched) {
      const std::int64_t sector = levels_.front().sector_bytes;
      for (const std::int64_t byte : bytes)
        if (touched.insert(byte / sector).second) counted(instruction_).compulsory_bytes += static_cast<double>(sector);
    };
    if (reads) count(read_);
    if (writes) count(written_);
  }

  std::set<std::int64_t> sectors(std::size_t k, const Bytes& bytes) const {
    std::set<std::int64_t> sectors;
    for (const std::int64_t byte : bytes) sectors.insert(byte / levels_[k].sector_bytes);
    return sectors;
  }
  Bytes bytes_of(std::size_t k, const std::set<std::int64_t>& sectors) const {
    Bytes bytes;
    for (const std::int64_t sector : sectors)
      for (std::int64_t i = 0; i < levels_[k].sector_bytes; ++i) bytes.insert(sector * levels_[k].sector_bytes + i);
    return bytes;
  }

  bool is_memory(std::size_t k) const { return !levels_[k].bytes; }
  bool keeps_stores(std::size_t k) const {
    return sets_and_ways(k).second > 0 && (levels_[k].write == WritePolicy::Back || (k == 0 && is_private_));
  }

  std::pair<std::int64_t, std::int64_t> sets_and_ways(std::size_t k) const {
    const MemoryLevel& level = levels_[k];
    std::int64_t bytes = *level.bytes;
    if (level.holds_shared_memory) {
      const Limits& limits = device_.limits;
      const std::int64_t needed = launch_.shared_memory + limits.shared_memory_reserved_per_group;
      const std::int64_t granularity = limits.shared_memory_allocation;
      bytes -= launch_.slots * ((needed + granularity - 1) / granularity * granularity);
    }
    const std::int64_t lines = std::max<std::int64_t>(0, bytes / level.parts) / level.line_bytes;
    if (lines == 0) return {0, 0};
    std::int64_t sets = 1;
    while (2 * sets * std::min(level.ways, lines) <= lines) sets *= 2;
    return {sets, lines / sets};
  }

  std::int64_t place(std::size_t k) const { return unit_ / levels_[k].joined_units; }
  std::int64_t instance(std::size_t k) const {
    const LevelScope scope = levels_[k].scope;
    return scope == LevelScope::ComputeUnit ? unit_ : scope == LevelScope::Die ? place(k) % device_.dies : 0;
  }
  std::int64_t near_part(std::size_t k) const {
    const bool is_die = levels_[k].scope == LevelScope::Die;
    return (is_die ? place(k) / device_.dies : place(k)) % levels_[k].parts;
  }
  std::int64_t home_part(std::size_t k, std::int64_t number) const {
    const std::uint64_t spread = static_cast<std::uint64_t>(number) * 0x85ebca6b % (std::uint64_t{1} << 32);
    return static_cast<std::int64_t>(spread * static_cast<std::uint64_t>(levels_[k].parts) >> 32);
  }

  using Set = std::list<Line>;  // the one used last first
  Set& set_of(std::size_t k, std::int64_t part, std::int64_t number) {
    const std::int64_t sets = sets_and_ways(k).first;
    std::int64_t set = 0;
    for (std::int64_t rest = number; rest > 0 && sets > 1; rest /= sets) set ^= rest % sets;
    return sets_[{k, instance(k), part, set}];
  }

  static Line* find(Set& set, std::int64_t number) {
    const auto line = std::ranges::find(set, number, &Line::number);
    if (line == set.end()) return nullptr;
    set.splice(set.begin(), set, line);
    return &set.front();
  }

  Line& insert(std::size_t k, Set& set, std::int64_t number) {
    set.push_front({});
    set.front().number = number;
    if (static_cast<std::int64_t>(set.size()) > sets_and_ways(k).second) {
      const Line victim = set.back();
      set.pop_back();
      leave(k, victim);
    }
    return set.front();
  }

  void found_at(std::size_t k) {
    found_ = std::max(found_, k);
    waits_ = std::max(waits_, k);
  }

  void load_past_unit(const Bytes& bytes) {
    std::size_t k = 0;
    const bool past = kernel_.instructions[instruction_].access->past_unit;
    for (; past && !is_memory(k) && levels_[k].scope == LevelScope::ComputeUnit; ++k)
      counted(instruction_).sectors[k] += static_cast<double>(sectors(k, bytes).size());
    load(k, bytes);
  }

  static std::int64_t place_of(std::int64_t number) {
    return static_cast<std::int64_t>(
        static_cast<std::uint64_t>(number) * 0x85ebca6b % (std::uint64_t{1} << 32) * 1024 >> 32);
  }

  /// Those of a line's sectors that no neighbour brings who asked for them at the same time.
  std::set<std::int64_t> not_joined(std::size_t k, std::int64_t number, std::set<std::int64_t> wanted) {
    const std::int64_t together = levels_[k].joined_units;
    Joined& last = joined_[{k, unit_ / together, place_of(number)}];
    if (last.units.empty() || last.number != number || std::abs(time_ - last.time) >= resident_ ||
        last.units.contains(unit_)) {
      last = {number, time_, wanted, {unit_}};
      return wanted;
    }
    last.units.insert(unit_);
    for (auto sector = wanted.begin(); sector != wanted.end();)
      sector = last.sectors.insert(*sector).second ? std::next(sector) : wanted.erase(sector);
    return wanted;
  }

  void load(std::size_t k, const Bytes& bytes, bool is_atomic = false) {
    const std::set<std::int64_t> wanted = sectors(k, bytes);
    if (is_memory(k)) {
      counted(instruction_).sectors[k] += static_cast<double>(wanted.size());
      return found_at(k);
    }
    std::map<std::int64_t, std::set<std::int64_t>> lines;
    for (const std::int64_t sector : wanted)
      lines[sector * levels_[k].sector_bytes / levels_[k].line_bytes].insert(sector);
    for (auto& [number, of_line] : lines) {
      if (levels_[k].joined_units > 1 && !is_atomic) of_line = not_joined(k, number, of_line);
      counted(instruction_).sectors[k] += static_cast<double>(of_line.size());
      if (of_line.empty())
        found_at(k);
      else
        load_line(k, near_part(k), number, of_line);
    }
  }

  /// From a part of a level; what is missing there comes from the line's own part, or from below.
  void load_line(std::size_t k, std::int64_t part, std::int64_t number, const std::set<std::int64_t>& wanted) {
    const auto from_elsewhere = [&](const std::set<std::int64_t>& missing) {
      if (part != home_part(k, number)) return load_line(k, home_part(k, number), number, missing);
      load(k + 1, bytes_of(k, missing));
    };
    if (sets_and_ways(k).second == 0) return from_elsewhere(wanted);
    Set& set = set_of(k, part, number);
    Line* line = find(set, number);
    std::set<std::int64_t> missing = wanted;
    if (line)
      for (const std::int64_t sector : line->valid) missing.erase(sector);
    if (missing.size() < wanted.size()) {
      found_at(k);
      const bool is_under_way = k == 0 && time_ - line->time < resident_ && line->turn_of_warp != turn_of_warp_;
      if (is_under_way) waits_ = std::max(waits_, line->level);
    }
    if (missing.empty()) return;
    if (!line) line = &insert(k, set, number);
    const auto [found_before, waits_before] = std::pair{std::exchange(found_, 0), std::exchange(waits_, 0)};
    from_elsewhere(missing);
    line->valid.insert(missing.begin(), missing.end());
    if (k == 0) {
      line->time = time_;
      line->turn_of_warp = turn_of_warp_;
      line->level = found_;
    }
    found_ = std::max(found_, found_before);
    waits_ = std::max(waits_, waits_before);
  }

  std::int64_t longest_line() const {
    std::int64_t longest = 0;
    for (const MemoryLevel& level : levels_) longest = std::max(longest, level.line_bytes);
    return longest;
  }

  /// The bytes of parts that are written as a whole.
  Bytes covered(const Bytes& bytes) const {
    const std::int64_t part = longest_line() / 32;
    std::map<std::int64_t, Bytes> parts;
    for (const std::int64_t byte : bytes) parts[byte / part].insert(byte);
    Bytes covered;
    for (const auto& [number, of_part] : parts)
      if (std::ssize(of_part) == part) covered.insert(of_part.begin(), of_part.end());
    return covered;
  }

  void store(const Bytes& bytes) {
    for (std::size_t k = 0;; ++k) {
      counted(instruction_).sectors[k] += static_cast<double>(sectors(k, bytes).size());
      if (is_memory(k)) {
        counted(instruction_).sectors[k] += partial_sectors(k, bytes);
        return found_at(k);
      }
      if (keeps_stores(k)) {
        keep(k, instruction_, bytes, covered(bytes));
        return found_at(k);
      }
      if (sets_and_ways(k).second == 0) continue;
      for (const std::int64_t number : line_numbers(k, bytes)) find(set_of(k, near_part(k), number), number);
    }
  }

  void atomic(const Bytes& bytes) {
    for (std::size_t k = 0;; ++k) {
      if (is_memory(k)) {
        counted(instruction_).sectors[k] += 2 * static_cast<double>(sectors(k, bytes).size());
        return found_at(k);
      }
      if (levels_[k].scope != LevelScope::ComputeUnit && keeps_stores(k)) {
        load(k, bytes, true);
        const Bytes whole = bytes_of(k, sectors(k, bytes));
        return keep(k, instruction_, whole, whole);
      }
      counted(instruction_).sectors[k] += static_cast<double>(sectors(k, bytes).size());
      if (sets_and_ways(k).second == 0) continue;
      for (const std::int64_t number : line_numbers(k, bytes))
        forget(set_of(k, near_part(k), number), number, sectors(k, bytes));
    }
  }

  static void forget(Set& set, std::int64_t number, const std::set<std::int64_t>& sectors) {
    const auto line = std::ranges::find(set, number, &Line::number);
    if (line == set.end()) return;
    for (const std::int64_t sector : sectors) line->valid.erase(sector);
  }

  std::set<std::int64_t> line_numbers(std::size_t k, const Bytes& bytes) const {
    std::set<std::int64_t> numbers;
    for (const std::int64_t byte : bytes) numbers.insert(byte / levels_[k].line_bytes);
    return numbers;
  }

  double partial_sectors(std::size_t k, const Bytes& bytes) const {
    if (levels_[k].masked_writes) return 0;
    std::map<std::int64_t, std::int64_t> written;
    for (const std::int64_t byte : bytes) ++written[byte / levels_[k].sector_bytes];
    return static_cast<double>(
        std::ranges::count_if(written, [&](const auto& sector) { return sector.second < levels_[k].sector_bytes; }));
  }

  /// @param known  those of the bytes that have a value
  void keep(std::size_t k, std::size_t writer, const Bytes& bytes, const Bytes& known) {
    for (const std::int64_t number : line_numbers(k, bytes)) {
      Set& set = set_of(k, home_part(k, number), number);
      Line* line = find(set, number);
      if (!line) line = &insert(k, set, number);
      line->writer = writer;
      const std::set<std::int64_t> before = marked_sectors(k, *line);
      for (const std::int64_t byte : bytes)
        if (byte / levels_[k].line_bytes == number) {
          Bytes& written = line->written[byte / levels_[k].sector_bytes];
          if (known.contains(byte)) written.insert(byte);
        }
      marked_[{k, writer}] += static_cast<double>(marked_sectors(k, *line).size() - before.size());
      for (const auto& [sector, written] : line->written)
        if (static_cast<std::int64_t>(written.size()) == levels_[k].sector_bytes) line->valid.insert(sector);
      for (std::int64_t part = 0; part < levels_[k].parts; ++part)
        if (part != home_part(k, number)) forget(set_of(k, part, number), number, sectors(k, bytes));
    }
  }

  /// The sectors of the next level that a line has marked as written.
  std::set<std::int64_t> marked_sectors(std::size_t k, const Line& line) const {
    Bytes bytes;
    for (const auto& [sector, known] : line.written) bytes.merge(bytes_of(k, {sector}));
    return sectors(k + 1, bytes);
  }

  /// "When a line leaves, its marked sectors go to the next level that keeps stores, which marks them."
  void leave(std::size_t k, const Line& line) {
    if (line.written.empty()) return;
    Bytes known, dirty;  // bytes whose values are known here; of sectors that were written
    for (const auto& [sector, bytes] : line.written) {
      known.insert(bytes.begin(), bytes.end());
      dirty.merge(bytes_of(k, {sector}));
    }
    known.merge(bytes_of(k, line.valid));
    std::size_t to = k + 1;
    while (!is_memory(to) && !keeps_stores(to)) ++to;
    if (!is_memory(to)) return keep(to, line.writer, dirty, known);
    for (const std::int64_t sector : sectors(to, dirty)) {
      came_[line.writer] += 1;
      const bool is_known = std::ranges::includes(known, bytes_of(to, {sector}));
      if (!is_known && !levels_[to].masked_writes) read_first_[line.writer] += 1;
    }
  }

  // "At the end, each level in turn does the same with all lines that it still holds", but for thread-private arrays.
  void write_rest() {
    for (std::size_t k = 0; !is_memory(k); ++k) {
      double staying_of_threads = 0;
      for (const auto& [place, set] : sets_) {
        if (std::get<0>(place) != k) continue;
        for (unit_ = 0; instance(k) != std::get<1>(place);) ++unit_;
        for (const Line& line : set)
          if (!line.written.empty() && is_of_threads(line.writer))
            staying_of_threads += static_cast<double>(marked_sectors(k, line).size());
          else
            leave(k, line);
      }
      count_written(k, staying_of_threads);
    }
  }

  // "Of what each instruction marked at a level, the same part goes on to the next level that keeps stores and is
  // counted there and at the levels on the way: 1 - *staying* / (all that was marked there)." `dirty_bytes` no device
  // has here. "Of what goes there for an instruction the same part counts twice as of those lines that it wrote to
  // last."
  void count_written(std::size_t k, double staying_of_threads) {
    double of_threads = 0;
    for (const auto& [key, sectors] : marked_)
      if (key.first == k && is_of_threads(key.second)) of_threads += sectors;
    for (const auto& [key, marked] : marked_) {
      const auto [level, writer] = key;
      if (level != k) continue;
      const double part = is_of_threads(writer) ? 1 - std::min(1.0, staying_of_threads / of_threads) : 1;
      for (std::size_t to = k + 1;; ++to) {
        const double twice = is_memory(to) && came_[writer] > 0 ? read_first_[writer] / came_[writer] : 0;
        counted(writer).sectors[to] += part * marked * (1 + twice);
        if (is_memory(to) || levels_[to].write == WritePolicy::Back) break;
      }
    }
  }

  bool is_of_threads(std::size_t instruction) const {
    return kernel_.arrays[array_of(*kernel_.instructions[instruction].access)].thread_private;
  }

  const Kernel& kernel_;
  const Device& device_;
  const CacheLaunch& launch_;
  const std::vector<MemoryLevel>& levels_;
  std::int64_t warps_ = 1, resident_ = 1, next_group_ = 0;
  struct Joined {
    std::int64_t number = 0, time = 0;
    std::set<std::int64_t> sectors, units;
  };
  std::map<std::tuple<std::size_t, std::int64_t, std::int64_t>, Joined> joined_;           // level, neighbours, place
  std::map<std::tuple<std::size_t, std::int64_t, std::int64_t, std::int64_t>, Set> sets_;  // level, instance, part, set
  std::set<std::int64_t> read_, written_;                                                  // sectors
  std::map<std::pair<std::size_t, std::size_t>, double> marked_;                           // by level, instruction
  std::map<std::size_t, double> came_, read_first_;  // at the memory, by the instruction that wrote to the line last
  std::map<std::size_t, CountedAccess> counted_;
  // Of the access at hand:
  std::int64_t time_ = 0, turn_of_warp_ = 0, unit_ = 0;
  std::size_t instruction_ = 0, found_ = 0, waits_ = 0;
  bool is_private_ = false;
};

}  // namespace

std::map<std::size_t, CountedAccess> count_every_access(const Kernel& kernel, const Device& device,
                                                        const CacheLaunch& launch) {
  return EveryAccess(kernel, device, launch).run();
}

}  // namespace warpipe
