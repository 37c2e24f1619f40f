#include "caches/random_accesses.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>

namespace warpipe {
namespace {

bool chance(int percent) { return between(1, 100) > 100 - percent; }
template <class T>
T one_of(const std::vector<T>& values) {
  return values[static_cast<std::size_t>(between(0, static_cast<int>(values.size()) - 1))];
}

/// Draws a kernel.
class KernelDraw {
 public:
  explicit KernelDraw(RandomAccesses& made) : made_(made) {}

  void draw() {
    AccessMaker& maker = made_.maker;
    if (chance(25)) draw_kinds();
    if (chance(30)) {  // further arrays lie far from it, and from address 0
      const int bytes = between(1, 250) << 20;
      maker.array("far", std::to_string(bytes));
      say("array far: {} bytes", bytes);
    }
    const int arrays = between(1, 3);
    for (int i = 0; i < arrays; ++i) {
      arrays_.push_back({"abc"[i] + std::string(), between(1, 40) * one_of<int>({16, 48, 4, 100}), chance(20)});
      if (arrays_.back().of_threads) arrays_.back().bytes = between(1, 24);
      const Drawn& array = arrays_.back();
      maker.array(array.name, std::to_string(array.bytes), array.of_threads);
      say("array {}: {} bytes{}", array.name, array.bytes, array.of_threads ? " a thread" : "");
    }
    const int x = between(1, 10), y = chance(25) ? 2 : 1, groups = between(1, 10), slots = between(1, 3);
    maker.block(x, y).grid(groups).slots(slots);
    say("groups: {} of {} x {} threads, {} a unit", groups, x, y, slots);
    items(maker, between(1, 4), 0);
  }

 private:
  struct Drawn {
    std::string name;
    int bytes = 1;
    bool of_threads = false;
  };

  template <class... T>
  void say(const char* format, const T&... values) {
    made_.text += std::string(2 * loops_.size(), ' ') + fmt::format(fmt::runtime(format), values...) + '\n';
  }

  void draw_kinds() {
    GroupKinds kinds;
    kinds.of_group = made_.maker.parse("mod(group, 2)", {});
    kinds.values["n"] = {{static_cast<double>(between(0, 3))}, {static_cast<double>(between(0, 3))}};
    say("kinds: group mod 2, n {}", kinds.values["n"]);
    made_.maker.kinds(std::move(kinds));
    has_kinds_ = true;
  }

  void items(AccessMaker& maker, int count, int depth) {
    for (int i = 0; i < count; ++i) {
      const int kind = between(0, depth < 2 ? 14 : 11);
      if (kind <= 8)
        access(maker);
      else if (kind <= 10)
        other(maker, "fadd");
      else if (kind == 11)
        other(maker, "barrier");
      else if (kind <= 13)
        loop(maker, depth);
      else
        when(maker, depth);
    }
  }

  void loop(AccessMaker& maker, int depth) {
    const std::string name = fmt::format("l{}", made_loops_++);
    const std::string trips = has_kinds_ && chance(40) ? "n" : std::to_string(between(1, 8));
    say("loop {} {} times", name, trips);
    loops_.push_back(name);
    maker.loop(name, trips, [&](AccessMaker& body) { items(body, between(1, 3), depth + 1); });
    loops_.pop_back();
  }

  void when(AccessMaker& maker, int depth) {
    const auto condition = one_of<std::string>({"warp == 0", "warp > 0", "warps > 1"});
    say("when {}", condition);
    loops_.push_back("");
    maker.when(condition, [&](AccessMaker& body) { items(body, between(1, 2), depth + 1); });
    loops_.pop_back();
  }

  /// A sum of some of the names visible to addresses.
  std::string address(int width) {
    std::vector<std::string> terms{fmt::format("{} * lane", one_of<int>({width, 0, 1, 2, 3, 16, 40, 64, -4}))};
    std::vector<std::string> names{"group", "warp", "thread_y", "mod(group, 2)"};
    std::ranges::copy_if(loops_, std::back_inserter(names), [](const auto& name) { return !name.empty(); });
    for (const std::string& name : names)
      if (chance(45)) terms.push_back(fmt::format("{} * {}", between(0, 20) * one_of<int>({4, 16, 64, 1}), name));
    terms.push_back(std::to_string(between(0, 12) * one_of<int>({16, 4, 1})));
    return fmt::format("{}", fmt::join(terms, " + "));
  }

  void access(AccessMaker& maker) {
    const Drawn& array = one_of(arrays_);
    const int width = one_of<int>({4, 1, 2, 8, 16});
    auto op = one_of<std::string>({"global.load", "global.store", "global.store", "global.load", "global.atomic",
                                   "global.copy", "global.load.64"});
    if (array.of_threads && op == "global.atomic") op = "global.store";
    const std::string id = fmt::format("i{}", made_ids_++);
    if (op.starts_with("global.load") && chance(20)) {
      table(maker, id, array, width);
    } else {
      std::string where = address(width);
      if (chance(75)) where = fmt::format("mod({}, {})", where, array.bytes);
      maker.access(id, op, array.name, where, width);
      say("{}: {} of {} bytes of {} at {}", id, op, width, array.name, where);
    }
    after(maker);
    if (chance(10)) {
      const auto count = one_of<std::string>({"3", "1", "40", "1 + warp"});
      maker.transactions(count);
      say("  makes {} transactions", count);
    }
    if (op.starts_with("global.load") && chance(10)) {
      maker.past_unit();
      say("  past the unit");
    }
    ids_.push_back(id);
  }

  void table(AccessMaker& maker, const std::string& id, const Drawn& array, int width) {
    const int of_warp = between(1, 3), warps = between(1, 3), shift = chance(50) ? between(1, array.bytes) : 0;
    std::vector<std::vector<std::int64_t>> executions(static_cast<std::size_t>(of_warp * warps));
    for (auto& lanes : executions)
      for (int lane = 0; lane < made_.device.warp_size; ++lane)
        lanes.push_back(chance(15) ? AccessPattern::kNotActive : between(0, array.bytes - 1));
    say("{}: global.load of {} bytes of {} at {}, {} a warp, shift {}", id, width, array.name, executions, of_warp,
        shift);
    maker.sampled(id, array.name, of_warp, std::move(executions), width, shift);
  }

  void other(AccessMaker& maker, const std::string& op) {
    maker.other(fmt::format("i{}", made_ids_++), op);
    say("{}", op);
    if (op != "barrier" && chance(20)) {
      maker.awaits();
      say("  awaits a signal");
    }
    after(maker);
  }

  void after(AccessMaker& maker) {
    for (const std::string& id : ids_) {
      if (!chance(25)) continue;
      const int back = chance(25) ? between(1, 3) : 1;
      const bool has_latency = chance(10);
      maker.after({id}, back, has_latency ? std::optional<Cycles>(Cycles{4}) : std::nullopt);
      say("  after {}, {} back{}", id, back, has_latency ? ", with a latency" : "");
    }
  }

  RandomAccesses& made_;
  std::vector<Drawn> arrays_;
  std::vector<std::string> loops_, ids_;
  int made_loops_ = 0, made_ids_ = 0;
  bool has_kinds_ = false;
};

MemoryLevel draw_level(LevelScope scope) {
  MemoryLevel level;
  level.scope = scope;
  level.sector_bytes = one_of<int>({32, 16, 8, 64});
  level.line_bytes = level.sector_bytes * one_of<int>({1, 2, 4});
  level.ways = one_of<int>({1, 1, 2, 3, 4, 16});
  if (scope != LevelScope::ComputeUnit) {
    level.parts = chance(40) ? between(1, 3) : 1;
    level.joined_units = chance(30) ? between(1, 3) : 1;
    if (chance(40)) level.dirty_bytes = between(0, 6) * 64;
  } else {
    level.holds_shared_memory = chance(40);
  }
  level.bytes = level.line_bytes * (level.ways * level.parts + between(0, 60)) + (chance(20) ? 8 : 0);
  level.write = chance(scope == LevelScope::ComputeUnit ? 35 : 80) ? WritePolicy::Back : WritePolicy::Through;
  return level;
}

void draw_device(RandomAccesses& made) {
  Device& device = made.device;
  device.warp_size = one_of<int>({4, 8});
  device.compute_units = between(1, 5);
  device.dies = chance(30) ? between(1, 2) : 1;
  device.limits.shared_memory_allocation = one_of<int>({1, 32});
  device.limits.shared_memory_reserved_per_group = chance(30) ? 16 : 0;
  std::vector<MemoryLevel>& levels = device.memory.emplace().levels;
  for (int i = between(0, 2); i > 0; --i) levels.push_back(draw_level(LevelScope::ComputeUnit));
  for (int i = between(0, 2); i > 0; --i)
    levels.push_back(
        draw_level(device.dies > 1 && chance(60) && (levels.empty() || levels.back().scope != LevelScope::Device)
                       ? LevelScope::Die
                       : LevelScope::Device));
  MemoryLevel& memory = levels.emplace_back();
  memory.sector_bytes = one_of<int>({32, 16, 64});
  memory.line_bytes = 64;
  memory.masked_writes = chance(25);
  made.text += fmt::format("{} units on {} dies, warps of {}, shared memory by {} + {}\n", device.compute_units,
                           device.dies, device.warp_size, device.limits.shared_memory_allocation,
                           device.limits.shared_memory_reserved_per_group);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    MemoryLevel& level = levels[i];
    level.name = i + 1 == levels.size() ? "memory" : fmt::format("l{}", i + 1);
    made.text += fmt::format(
        "{} of a {}: {} bytes, lines {}, sectors {}, ways {}, parts {}, joined {}, {}, dirty {}{}{}\n", level.name,
        to_string(level.scope), level.bytes.value_or(0), level.line_bytes, level.sector_bytes, level.ways, level.parts,
        level.joined_units, to_string(level.write), level.dirty_bytes.value_or(0),
        level.holds_shared_memory ? ", holds shared memory" : "", level.masked_writes ? ", masks writes" : "");
  }
}

RandomAccesses draw() {
  RandomAccesses made;
  draw_device(made);
  KernelDraw(made).draw();
  if (chance(40)) {
    const int bytes = between(1, 800);
    made.maker.shared_memory(bytes);
    made.text += fmt::format("shared memory {}\n", bytes);
  }
  if (chance(20)) {
    made.maker.repeated();
    made.text += "repeated\n";
  }
  return made;
}

}  // namespace

rc::Gen<RandomAccesses> random_accesses() { return rc::gen::exec(draw); }

}  // namespace warpipe
