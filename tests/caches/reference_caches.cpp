#include "caches/reference_caches.hpp"

#include <algorithm>
#include <cmath>
#include <list>
#include <map>
#include <set>
#include <utility>

#include "warpipe/idg/op.hpp"
#include "warpipe/idg/place.hpp"

// Headings and words in quotation marks are those of docs/caches.md.

namespace warpipe {
namespace {

using Number = std::int64_t;
using Bytes = std::set<Number>;  // addresses

Number round_up(Number a, Number b) { return (a + b - 1) / b * b; }

std::size_t array_of(const AccessPattern& pattern) {
  if (const auto* sampled = std::get_if<AccessPattern::Sampled>(&pattern.lanes)) return sampled->array;
  return std::get<AccessPattern::Addressed>(pattern.lanes).array;
}

Number longest_line(const std::vector<MemoryLevel>& levels) {
  return std::ranges::max(levels, {}, &MemoryLevel::line_bytes).line_bytes;
}

/// What a warp does, as far as caches see it.
struct Step {
  enum { Access, Barrier, Wait } kind = Access;
  std::size_t instruction = 0;
  Bytes bytes;             ///< of an access
  std::size_t waited = 0;  ///< of a wait: the step that it is for
};

/// One warp goes through the body of the kernel. Finds "Places".
class Walk {
 public:
  Walk(const Kernel& kernel, const Device& device, const CacheLaunch& launch, Number group, Number warp, Number frame)
      : kernel_(kernel), device_(device), launch_(launch), group_(group), warp_(warp), frame_(frame) {
    Values of_launch = launch.values;
    of_launch["groups"] = static_cast<double>(launch.groups);
    shape_ = launch_shape(kernel, of_launch);
    values_ = body_values(kernel, launch.values, kernel.kinds ? kind(of_launch) : 0, warp);
    set_group(values_, shape_, group);
    walk(kernel.body);
    drop_waits();
  }

  std::vector<Step> steps;

 private:
  Number kind(Values of_launch) const {
    of_launch["group"] = static_cast<double>(group_);
    if (const auto* expression = std::get_if<Expression>(&kernel_.kinds->of_group))
      return expression->evaluate_whole(of_launch, 0);
    std::vector<Number> kinds;
    for (const GroupKinds::Run& run : std::get<std::vector<GroupKinds::Run>>(kernel_.kinds->of_group))
      kinds.insert(kinds.end(), static_cast<std::size_t>(run.groups), run.kind);
    return kinds[static_cast<std::size_t>(group_) % kinds.size()];
  }

  void walk(const std::vector<Item>& items) {
    for (const Item& item : items) {
      if (const auto* instruction = std::get_if<std::size_t>(&item.node)) {
        execute(*instruction);
      } else if (const auto* loop = std::get_if<Loop>(&item.node)) {
        const Number trips = loop->trip_count.evaluate_whole(values_, 0);
        for (Number trip = 0; trip < trips; ++trip) {
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
    for (const Dependence& dependence : instruction.after) {
      const std::vector<std::size_t>& executions = executions_[dependence.producer];
      const auto back = static_cast<std::size_t>(dependence.back.evaluate_whole(values_, 1));
      if (!dependence.latency && back <= executions.size() &&
          access_kind(kernel_.instructions[dependence.producer].op) != AccessKind::Store)
        steps.push_back({Step::Wait, index, {}, executions[executions.size() - back]});
    }
    if (class_of(instruction.op) == OpClass::Barrier) {
      drop_waits();
      steps.push_back({Step::Barrier, index, {}, 0});
    }
    if (!has_addresses(instruction)) return;
    steps.push_back({Step::Access, index, bytes_of(instruction, static_cast<Number>(executions_[index].size())), 0});
    executions_[index].push_back(steps.size() - 1);
  }

  /// "A warp waits there as soon as the access before the barrier is made", and ends as soon as its last one is.
  void drop_waits() {
    while (!steps.empty() && steps.back().kind == Step::Wait) steps.pop_back();
  }

  Bytes bytes_of(const Instruction& instruction, Number execution) {
    const AccessPattern& access = *instruction.access;
    const Number width = access.width_bytes.evaluate_whole(values_, 1);
    const LaunchShape::Array& array = shape_.arrays[array_of(access)];
    Bytes bytes;
    for (Number lane = 0; lane < device_.warp_size; ++lane) {
      const Number thread = warp_ * device_.warp_size + lane;
      if (thread >= static_cast<Number>(launch_.values.at("group_size"))) break;
      const Number address = address_of(access, array, execution, thread, lane);
      if (!is_inside(array, address)) continue;
      for (Number byte = address; byte < address + width; ++byte) bytes.insert(place_of(array_of(access), byte, lane));
    }
    return bytes;
  }

  Number address_of(const AccessPattern& access, const LaunchShape::Array& array, Number execution, Number thread,
                    Number lane) {
    set_thread(values_, shape_, thread, lane);
    if (const auto* addressed = std::get_if<AccessPattern::Addressed>(&access.lanes))
      return addressed->address.evaluate_whole(values_, -kLargestWhole);
    const auto& sampled = std::get<AccessPattern::Sampled>(access.lanes);
    const Number warp = group_ * static_cast<Number>(launch_.values.at("warps")) + warp_;
    const Number address = sampled_addresses(sampled, warp, execution)[static_cast<std::size_t>(lane)];
    if (!is_inside(array, address)) return address;
    return (address + sampled_shift(sampled, warp, execution, array.bytes)) % array.bytes;
  }

  Number frame_bytes(const LaunchShape::Array& array) const {
    return round_up(round_up(array.bytes, 4) * device_.warp_size, longest_line(device_.memory->levels));
  }

  Number place_of(std::size_t index, Number byte, Number lane) const {
    const Number frames = device_.compute_units * launch_.slots * static_cast<Number>(launch_.values.at("warps"));
    Number start = 0;
    for (std::size_t i = 0; i < index; ++i) {
      const LaunchShape::Array& array = shape_.arrays[i];
      start = round_up(start + (array.thread_private ? frames * frame_bytes(array) : array.bytes), 4096);
    }
    const LaunchShape::Array& array = shape_.arrays[index];
    if (!array.thread_private) return start + byte;
    return start + frame_ * frame_bytes(array) + (byte / 4 * device_.warp_size + lane) * 4 + byte % 4;
  }

  const Kernel& kernel_;
  const Device& device_;
  const CacheLaunch& launch_;
  Number group_, warp_, frame_;
  LaunchShape shape_;
  Values values_;
  std::map<std::size_t, std::vector<std::size_t>> executions_;  ///< by instruction: their steps
};

/// Who makes an access, and when.
struct Turn {
  std::size_t instruction = 0;
  Number unit = 0, number = 0, time = 0;
};

/// "Caches"
class Caches {
 public:
  Caches(const Kernel& kernel, const Device& device, const CacheLaunch& launch)
      : kernel_(kernel), device_(device), warps_of_unit_(launch.slots * whole(launch, "warps")) {
    for (const MemoryLevel& says : device.memory->levels) levels_.push_back({says, lines_of(says, launch)});
    memory_ = levels_.size() - 1;
    longest_ = longest_line(device.memory->levels);
  }

  /// "An access goes line by line"
  void access(const Turn& turn, const Bytes& bytes) {
    turn_ = turn;
    waits_ = 0;
    std::size_t found = 0;
    const AccessKind kind = access_kind(kernel_.instructions[turn.instruction].op);
    for (const auto& [line, of_line] : by(longest_, bytes)) {
      if (!is_private(turn.instruction)) touch(kind, of_line);
      found = std::max(found, kind == AccessKind::Load    ? load(0, of_line, true)
                              : kind == AccessKind::Store ? store(of_line)
                                                          : atomic(of_line));
    }
    AccessLevels& result = result_of(turn.instruction);
    result.executions += 1;
    result.levels[found].found += 1;
    result.levels[std::max(found, waits_)].share += 1;
  }

  /// "At the end", and "Result"
  std::vector<AccessLevels> end(bool repeated) {
    for (std::size_t k = 0; k < memory_; ++k) write_rest(k);
    for (std::size_t k = 0; k < memory_; ++k)
      for (const auto& [instruction, marked] : levels_[k].marked) count_written(k, instruction, marked);
    std::vector<AccessLevels> all;
    for (auto& [instruction, result] : results_) {
      if (repeated) move_nearer(result);
      for (std::size_t k = 0; k <= memory_; ++k) {
        LevelTraffic& level = result.levels[k];
        level.bytes = level.sectors * static_cast<double>(levels_[k].says.sector_bytes);
        for (double* sum : {&level.share, &level.found, &level.sectors}) *sum /= result.executions;
      }
      all.push_back(result);
    }
    return all;
  }

 private:
  struct Line {
    Number number = 0;
    std::set<Number> held, marked;  ///< sectors
    Bytes known;                    ///< of the marked sectors
    std::size_t writer = 0;
    Number time = 0, turn = 0;  ///< of the last fetch
    std::size_t farthest = 0;   ///< level of the last fetch
  };
  using Set = std::list<Line>;  ///< the line used last is the first
  struct Request {
    Number line = -1, time = 0;
    std::set<Number> sectors, units;
  };
  struct Level {
    const MemoryLevel& says;
    Number lines = 0;                                                    ///< of each part
    std::map<std::pair<Number, Number>, std::map<Number, Set>> parts{};  ///< by instance and part: sets
    std::map<std::pair<Number, Number>, Request> requests{};             ///< by joined units and place
    std::map<std::size_t, double> marked{};                              ///< by instruction: sectors
    std::map<bool, double> staying{};                                    ///< thread-private or not: sectors
  };

  static Number whole(const CacheLaunch& launch, const char* name) {
    return static_cast<Number>(launch.values.at(name));
  }

  Number lines_of(const MemoryLevel& level, const CacheLaunch& launch) const {
    const Limits& limits = device_.limits;
    const Number asked = launch.shared_memory == 0 ? 0 : launch.shared_memory + limits.shared_memory_reserved_per_group;
    const Number taken = launch.slots * round_up(asked, limits.shared_memory_allocation);
    const Number bytes = level.bytes.value_or(0) - (level.holds_shared_memory ? taken : 0);
    return std::max<Number>(0, bytes) / level.parts / level.line_bytes;
  }

  bool is_private(std::size_t instruction) const {
    return kernel_.arrays[array_of(*kernel_.instructions[instruction].access)].thread_private;
  }

  AccessLevels& result_of(std::size_t instruction) {
    AccessLevels& result = results_[instruction];
    result.instruction = instruction;
    result.levels.resize(levels_.size());
    return result;
  }

  /// The bytes of each line, or sector.
  static std::map<Number, Bytes> by(Number size, const Bytes& bytes) {
    std::map<Number, Bytes> parts;
    for (const Number byte : bytes) parts[byte / size].insert(byte);
    return parts;
  }

  std::set<Number> sectors_of(std::size_t k, const Bytes& bytes) const {
    std::set<Number> sectors;
    for (const Number byte : bytes) sectors.insert(byte / levels_[k].says.sector_bytes);
    return sectors;
  }

  Bytes bytes_of(std::size_t k, const std::set<Number>& sectors) const {
    Bytes bytes;
    const Number size = levels_[k].says.sector_bytes;
    for (const Number sector : sectors)
      for (Number byte = sector * size; byte < (sector + 1) * size; ++byte) bytes.insert(bytes.end(), byte);
    return bytes;
  }

  void count(std::size_t k, std::size_t instruction, double sectors) {
    result_of(instruction).levels[k].sectors += sectors;
  }
  void count(std::size_t k, const std::set<Number>& sectors) {
    count(k, turn_.instruction, static_cast<double>(sectors.size()));
  }

  // "Instances"

  Number joined_unit(std::size_t k) const { return turn_.unit / levels_[k].says.joined_units; }
  Number instance(std::size_t k) const {
    if (levels_[k].says.scope == LevelScope::Device) return 0;
    return levels_[k].says.scope == LevelScope::Die ? joined_unit(k) % device_.dies : joined_unit(k);
  }
  Number near_part(std::size_t k) const {
    return joined_unit(k) / (levels_[k].says.scope == LevelScope::Die ? device_.dies : 1) % levels_[k].says.parts;
  }
  static Number spread(Number line, Number times) {
    constexpr std::uint64_t kWhole = std::uint64_t{1} << 32;
    const std::uint64_t fraction = static_cast<std::uint64_t>(line) * 0x85ebca6b % kWhole;
    return static_cast<Number>(fraction * static_cast<std::uint64_t>(times) / kWhole);
  }
  Number home_part(std::size_t k, Number line) const { return spread(line, levels_[k].says.parts); }

  // "Sets"

  Number sets(std::size_t k) const {
    Number sets = 1;
    while (levels_[k].lines / (2 * sets) >= levels_[k].says.ways) sets *= 2;
    return sets;
  }

  Set& set_of(std::size_t k, Number part, Number line) {
    Number set = 0;
    if (sets(k) > 1)
      for (Number rest = line; rest > 0; rest /= sets(k)) set ^= rest % sets(k);
    return levels_[k].parts[{instance(k), part}][set];
  }

  /// Uses a line where the level holds it.
  Line* use(std::size_t k, Number part, Number number) {
    Set& set = set_of(k, part, number);
    const auto line = std::ranges::find(set, number, &Line::number);
    if (line == set.end()) return nullptr;
    set.splice(set.begin(), set, line);
    return &set.front();
  }

  /// Uses a line, which the level takes in where it does not hold it.
  Line& take_in(std::size_t k, Number part, Number number) {
    if (Line* line = use(k, part, number)) return *line;
    Set& set = set_of(k, part, number);
    if (static_cast<Number>(set.size()) == levels_[k].lines / sets(k)) {
      const Line leaving = set.back();
      set.pop_back();
      leave(k, leaving);
    }
    set.emplace_front().number = number;
    return set.front();
  }

  // "Loads"

  /// @return the farthest level that any of the bytes comes from
  std::size_t load(std::size_t k, const Bytes& bytes, bool joins) {
    const std::set<Number> touched = sectors_of(k, bytes);
    if (k == memory_) return count(k, touched), k;
    if (levels_[k].lines == 0) return load(k + 1, bytes, joins);
    if (levels_[k].says.scope == LevelScope::ComputeUnit && kernel_.instructions[turn_.instruction].access->past_unit) {
      count(k, touched);
      return load(k + 1, bytes, joins);
    }
    Bytes asked, lacking;
    for (const auto& [line, of_line] : by(levels_[k].says.line_bytes, bytes_of(k, touched)))
      for (const Number byte : joins&& levels_[k].says.joined_units > 1 ? join(k, line, of_line) : of_line)
        asked.insert(byte);
    count(k, sectors_of(k, asked));
    std::map<std::pair<Number, Number>, std::set<Number>> kept;  // by part and line: sectors
    for (const auto& [line, of_line] : by(levels_[k].says.line_bytes, asked)) {
      std::set<Number> lacks = sectors_of(k, of_line);
      lacks = look(k, near_part(k), line, lacks);
      if (!lacks.empty()) kept[{near_part(k), line}] = lacks;
      if (home_part(k, line) != near_part(k)) {
        lacks = look(k, home_part(k, line), line, lacks);
        if (!lacks.empty()) kept[{home_part(k, line), line}] = lacks;
      }
      lacking.merge(bytes_of(k, lacks));
    }
    const std::size_t farthest = lacking.empty() ? k : load(k + 1, lacking, joins);
    for (const auto& [place, sectors] : kept) {
      Line& line = take_in(k, place.first, place.second);
      line.held.insert(sectors.begin(), sectors.end());
      line.time = turn_.time;
      line.turn = turn_.number;
      line.farthest = farthest;
    }
    return farthest;
  }

  /// @return the sectors that a part lacks
  std::set<Number> look(std::size_t k, Number part, Number number, const std::set<Number>& sectors) {
    if (sectors.empty()) return {};
    const Line* line = use(k, part, number);
    if (!line) return sectors;
    std::set<Number> lacks;
    for (const Number sector : sectors)
      if (!can_be_read(k, *line, sector)) lacks.insert(sector);
    const Number since = turn_.time - line->time;
    if (k == 0 && lacks.size() < sectors.size() && line->turn != turn_.number && since >= 0 && since < warps_of_unit_)
      waits_ = std::max(waits_, line->farthest);
    return lacks;
  }

  bool can_be_read(std::size_t k, const Line& line, Number sector) const {
    return line.held.contains(sector) ||
           (line.marked.contains(sector) && std::ranges::includes(line.known, bytes_of(k, {sector})));
  }

  /// "Joined units"
  /// @return what the level is asked for
  Bytes join(std::size_t k, Number line, const Bytes& bytes) {
    Request& request = levels_[k].requests[{joined_unit(k), spread(line, 1024)}];
    const bool takes_part = request.line == line && !request.units.contains(turn_.unit) &&
                            std::abs(turn_.time - request.time) < warps_of_unit_;
    if (!takes_part) request = {line, turn_.time, {}, {}};
    request.units.insert(turn_.unit);
    std::set<Number> asked;
    for (const Number sector : sectors_of(k, bytes))
      if (request.sectors.insert(sector).second) asked.insert(sector);
    return bytes_of(k, asked);
  }

  // "Stores"

  bool keeps_stores(std::size_t k, std::size_t instruction) const {
    return levels_[k].lines > 0 && (levels_[k].says.write == WritePolicy::Back || (k == 0 && is_private(instruction)));
  }

  /// @return the first level from one on that keeps stores of an instruction, else the memory
  std::size_t keeper(std::size_t k, std::size_t instruction) const {
    while (k < memory_ && !keeps_stores(k, instruction)) ++k;
    return k;
  }

  std::size_t store(const Bytes& bytes) {
    const std::size_t last = keeper(0, turn_.instruction);
    for (std::size_t k = 0; k <= last; ++k) {
      if (k < memory_ && levels_[k].lines == 0) continue;
      count(k, sectors_of(k, bytes));
      if (k == last) continue;
      for (const auto& [line, of_line] : by(levels_[k].says.line_bytes, bytes)) use(k, near_part(k), line);
    }
    if (last == memory_)
      count(last, turn_.instruction, read_first(bytes, known_by(bytes)));
    else
      mark(last, turn_.instruction, bytes, known_by(bytes));
    return last;
  }

  /// "Bytes become known in pieces"
  Bytes known_by(const Bytes& stored) const {
    const Number piece = std::max<Number>(1, longest_ / 32);
    Bytes known;
    for (const auto& [number, bytes] : by(piece, stored))
      if (static_cast<Number>(bytes.size()) == piece) known.insert(bytes.begin(), bytes.end());
    return known;
  }

  /// Marks the sectors of these bytes at a level that keeps stores, or writes them to the memory.
  void mark(std::size_t k, std::size_t writer, const Bytes& bytes, const Bytes& known) {
    Level& level = levels_[k];
    if (k == memory_) {
      written_[writer] += static_cast<double>(sectors_of(k, bytes).size());
      in_part_[writer] += read_first(bytes, known);
      return;
    }
    for (const auto& [number, of_line] : by(level.says.line_bytes, bytes)) {
      const Number home = home_part(k, number);
      Line& line = take_in(k, home, number);
      line.writer = writer;
      std::ranges::set_intersection(known, bytes_of(k, sectors_of(k, of_line)),
                                    std::inserter(line.known, line.known.end()));
      for (const Number sector : sectors_of(k, of_line)) {
        if (line.marked.insert(sector).second) level.marked[writer] += 1;
        for (Number part = 0; part < level.says.parts; ++part)
          for (Line& other : set_of(k, part, number))
            if (part != home && other.number == number) other.held.erase(sector);
      }
    }
  }

  /// @return the sectors of which the memory must know the rest to write them
  double read_first(const Bytes& bytes, const Bytes& known) const {
    if (levels_[memory_].says.masked_writes) return 0;
    return static_cast<double>(std::ranges::count_if(sectors_of(memory_, bytes), [&](Number sector) {
      return !std::ranges::includes(known, bytes_of(memory_, {sector}));
    }));
  }

  void leave(std::size_t k, const Line& line) {
    if (!line.marked.empty()) mark(keeper(k + 1, line.writer), line.writer, bytes_of(k, line.marked), line.known);
  }

  void write_rest(std::size_t k) {
    Level& level = levels_[k];
    for (const auto& [place, sets] : level.parts)
      for (const auto& [number, set] : sets)
        for (const Line& line : set) level.staying[is_private(line.writer)] += static_cast<double>(line.marked.size());
    for (const auto& [place, sets] : level.parts) {
      turn_.unit = place.first * level.says.joined_units;
      for (const auto& [number, set] : sets)
        for (const Line& line : set) leave(k, line);
    }
  }

  /// "Who is counted": of what an instruction marked at a level.
  void count_written(std::size_t k, std::size_t instruction, double marked) {
    const bool of_threads = is_private(instruction);
    const Level& level = levels_[k];
    double all = 0, staying = level.staying.contains(of_threads) ? level.staying.at(of_threads) : 0;
    for (const auto& [other, sectors] : level.marked) all += is_private(other) == of_threads ? sectors : 0;
    if (!of_threads)
      staying = std::min(staying, static_cast<double>(level.says.dirty_bytes.value_or(0) / level.says.sector_bytes));
    const double going = marked * (1 - staying / all);
    const std::size_t last = keeper(k + 1, instruction);
    for (std::size_t next = k + 1; next <= last; ++next) {
      const double twice =
          next == memory_ && written_[instruction] > 0 ? in_part_[instruction] / written_[instruction] : 0;
      if (next == memory_ || levels_[next].lines > 0)
        count(next, instruction,
              going * (1 + twice) * static_cast<double>(level.says.sector_bytes) /
                  static_cast<double>(levels_[next].says.sector_bytes));
    }
  }

  /// "Atomics"
  std::size_t atomic(const Bytes& bytes) {
    std::size_t at = 0;
    while (at < memory_ && (levels_[at].says.scope == LevelScope::ComputeUnit || !keeps_stores(at, turn_.instruction)))
      ++at;
    for (std::size_t k = 0; k < at; ++k) {
      if (levels_[k].lines == 0) continue;
      count(k, sectors_of(k, bytes));
      for (const auto& [number, of_line] : by(levels_[k].says.line_bytes, bytes))
        for (Line& line : set_of(k, near_part(k), number))
          if (line.number == number)
            for (const Number sector : sectors_of(k, of_line)) line.held.erase(sector);
    }
    const std::size_t found = load(at, bytes, false);
    if (at == memory_)
      count(at, sectors_of(at, bytes));
    else
      mark(at, turn_.instruction, bytes_of(at, sectors_of(at, bytes)), bytes_of(at, sectors_of(at, bytes)));
    return found;
  }

  // "Result"

  /// What is compulsory: first reads and first writes of sectors of level 1.
  void touch(AccessKind kind, const Bytes& bytes) {
    AccessLevels& result = result_of(turn_.instruction);
    const auto size = static_cast<double>(levels_[0].says.sector_bytes);
    for (const Number sector : sectors_of(0, bytes)) {
      if (!read_.contains(sector) && !stored_.contains(sector)) result.footprint_bytes += size;
      if (kind != AccessKind::Store && read_.insert(sector).second) result.compulsory_bytes += size;
      if (kind != AccessKind::Load && stored_.insert(sector).second) result.compulsory_bytes += size;
    }
  }

  /// "A launch that is repeated"
  void move_nearer(AccessLevels& result) const {
    double all = 0;
    for (const auto& [instruction, other] : results_) all += other.footprint_bytes;
    for (std::size_t k = 0; k < memory_; ++k) {
      const Number bytes = levels_[k].lines * levels_[k].says.line_bytes;
      if (levels_[k].says.scope == LevelScope::ComputeUnit || static_cast<double>(bytes) < all) continue;
      for (std::size_t behind = k + 1; behind <= memory_; ++behind) {
        result.levels[k].share += std::exchange(result.levels[behind].share, 0);
        result.levels[k].found += std::exchange(result.levels[behind].found, 0);
        result.levels[behind].sectors = 0;
      }
      return;
    }
  }

  const Kernel& kernel_;
  const Device& device_;
  Number warps_of_unit_, longest_ = 0;
  std::vector<Level> levels_;
  std::size_t memory_ = 0;  ///< index of the last level
  Turn turn_;
  std::size_t waits_ = 0;                            ///< the farthest level that an access waits for
  std::map<std::size_t, double> written_, in_part_;  ///< sectors that came to the memory, by who wrote to their lines
  std::set<Number> read_, stored_;                   ///< sectors
  std::map<std::size_t, AccessLevels> results_;
};

/// "Order"
class Order {
 public:
  Order(const Kernel& kernel, const Device& device, const CacheLaunch& launch, std::size_t most, Number times)
      : kernel_(kernel),
        device_(device),
        launch_(launch),
        most_(most),
        times_(times),
        caches_(kernel, device, launch) {}

  std::vector<AccessLevels> play() {
    for (Number unit = 0; unit < device_.compute_units; ++unit)
      for (Number slot = 0; slot < launch_.slots; ++slot) slots_[{unit, slot}];
    for (Number round = 0; take_groups(); ++round)
      for (auto& [place, warps] : slots_)
        for (std::size_t warp = 0; warp < warps.size(); ++warp) {
          const Number index = place.second * warps_ + static_cast<Number>(warp);
          take_turn(warps, warps[warp], {0, place.first, round * launch_.slots * warps_ + index, 0});
        }
    return caches_.end(launch_.repeated);
  }

 private:
  struct Warp {
    std::vector<Step> steps;
    std::size_t next = 0;
    bool has_ended() const { return next == steps.size(); }
    bool is_at_barrier() const { return !has_ended() && steps[next].kind == Step::Barrier; }
  };
  using Group = std::vector<Warp>;

  /// @return whether there is a group
  bool take_groups() {
    bool any = false;
    for (Number slot = 0; slot < launch_.slots; ++slot)
      for (Number unit = 0; unit < device_.compute_units; ++unit) {
        Group& group = slots_[{unit, slot}];
        while (next_ < launch_.groups && std::ranges::all_of(group, &Warp::has_ended)) {
          group.clear();
          for (Number warp = 0; warp < warps_; ++warp) {
            const Number frame = (unit * launch_.slots + slot) * warps_ + warp;
            group.push_back({Walk(kernel_, device_, launch_, next_, warp, frame).steps, 0});
          }
          open_barriers(group);
          ++next_;
        }
        any = any || !std::ranges::all_of(group, &Warp::has_ended);
      }
    return any;
  }

  static void open_barriers(Group& group) {
    const auto waits = [](const Warp& warp) { return warp.has_ended() || warp.is_at_barrier(); };
    while (std::ranges::any_of(group, &Warp::is_at_barrier) && std::ranges::all_of(group, waits))
      for (Warp& warp : group)
        if (warp.is_at_barrier()) ++warp.next;
  }

  void take_turn(Group& group, Warp& warp, Turn turn) {
    const std::size_t first = warp.next;
    std::size_t made = 0;
    const Step* before = nullptr;  // the access before, in this turn
    while (!warp.has_ended() && !warp.is_at_barrier()) {
      const Step& step = warp.steps[warp.next];
      if (step.kind == Step::Wait) {
        if (step.waited >= first) break;
      } else {
        if (!(before && counts_as_one(*before, step)) && made++ == most_) break;
        turn.instruction = step.instruction;
        turn.time = turn.number * times_ + std::min<Number>(static_cast<Number>(made) - 1, times_ - 1);
        caches_.access(turn, step.bytes);
        before = &step;
      }
      ++warp.next;
    }
    open_barriers(group);
  }

  bool counts_as_one(const Step& a, const Step& b) const {
    for (const Step* step : {&a, &b})
      if (access_kind(kernel_.instructions[step->instruction].op) != AccessKind::Store) return false;
    const Number sector = device_.memory->levels[0].sector_bytes;
    return std::ranges::any_of(a.bytes, [&](Number byte) {
      const auto next = b.bytes.lower_bound(byte / sector * sector);
      return next != b.bytes.end() && *next / sector == byte / sector;
    });
  }

  const Kernel& kernel_;
  const Device& device_;
  const CacheLaunch& launch_;
  std::size_t most_;
  Number times_;
  Number warps_ = static_cast<Number>(launch_.values.at("warps")), next_ = 0;
  std::map<std::pair<Number, Number>, Group> slots_;  ///< by unit and slot
  Caches caches_;
};

}  // namespace

std::vector<AccessLevels> reference_caches(const Kernel& kernel, const Device& device, const CacheLaunch& launch) {
  std::vector<AccessLevels> all = Order(kernel, device, launch, 64, 2).play();
  const std::vector<AccessLevels> other = Order(kernel, device, launch, 1, 1).play();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < all[i].levels.size(); ++k)
      all[i].spread = std::max(all[i].spread, std::abs(all[i].levels[k].found - other[i].levels[k].found));
  return all;
}

}  // namespace warpipe
