#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "idg/kernel_maker.hpp"
#include "warpipe/caches/levels.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"

/// Kernels that access memory, and devices with caches, written down in a test.

namespace warpipe {

/// Writes kernels with addresses.
class AccessMaker {
 public:
  using Body = std::function<void(AccessMaker&)>;

  AccessMaker& parameter(const std::string& name, double value) {
    kernel_.parameters[name] = value;
    return *this;
  }
  AccessMaker& array(std::string name, std::string bytes, bool thread_private = false) {
    kernel_.arrays.push_back({std::move(name), parse(bytes, {}), thread_private});
    return *this;
  }
  AccessMaker& block(std::int64_t x, std::int64_t y = 1) {
    kernel_.launch.block = sizes(x, y);
    launch_.values["group_size"] = static_cast<double>(x * y);
    return *this;
  }
  AccessMaker& grid(std::int64_t x, std::int64_t y = 1) {
    kernel_.launch.grid = sizes(x, y);
    launch_.groups = x * y;
    return *this;
  }
  AccessMaker& slots(std::int64_t slots) {
    launch_.slots = slots;
    return *this;
  }
  AccessMaker& shared_memory(std::int64_t bytes) {
    launch_.shared_memory = bytes;
    return *this;
  }
  AccessMaker& repeated() {
    launch_.repeated = true;
    return *this;
  }

  AccessMaker& load(const std::string& id, const std::string& array, const std::string& address, int width = 4) {
    return access(id, "global.load", array, address, width);
  }
  AccessMaker& store(const std::string& id, const std::string& array, const std::string& address, int width = 4) {
    return access(id, "global.store", array, address, width);
  }
  AccessMaker& access(const std::string& id, const std::string& op, const std::string& array,
                      const std::string& address, int width) {
    return add(id, op,
               AccessPattern{Expression(width), AccessPattern::Addressed{index_of(array), parse(address, loops_)}});
  }
  AccessMaker& sampled(const std::string& id, const std::string& array, std::int64_t executions_per_warp,
                       std::vector<std::vector<std::int64_t>> executions, int width = 4, std::int64_t shift_bytes = 0) {
    return add(id, "global.load",
               AccessPattern{Expression(width), AccessPattern::Sampled{index_of(array), executions_per_warp,
                                                                       std::move(executions), shift_bytes}});
  }
  /// The latest instruction waits for executions of earlier instructions.
  AccessMaker& after(const std::vector<std::string>& ids, int back = 1, std::optional<Cycles> latency = {}) {
    for (const std::string& id : ids) {
      const auto producer = std::ranges::find(kernel_.instructions, id, &Instruction::id);
      const auto index = static_cast<std::size_t>(producer - kernel_.instructions.begin());
      kernel_.instructions.back().after.push_back({index, Expression(back), latency});
    }
    return *this;
  }
  /// The latest instruction says its transactions itself.
  AccessMaker& transactions(const std::string& count) {
    kernel_.instructions.back().transactions = parse(count, {});
    return *this;
  }
  /// The latest instruction is a load past the unit's levels.
  AccessMaker& past_unit() {
    kernel_.instructions.back().access->past_unit = true;
    return *this;
  }
  /// The latest instruction waits for the first signal.
  AccessMaker& awaits() {
    kernel_.instructions.back().awaits = 0;
    return *this;
  }
  AccessMaker& other(const std::string& id, const std::string& op) { return add(id, op, {}); }

  AccessMaker& loop(const std::string& name, const std::string& trips, const Body& body) {
    Loop made{name, parse(trips, {}), {}, "/" + name};
    loops_.push_back(name);
    fill(made.body, body);
    loops_.pop_back();
    body_->emplace_back().node = std::move(made);
    return *this;
  }
  AccessMaker& when(const std::string& condition, const Body& body) {
    When made{parse(condition, {}), {}, "/when"};
    fill(made.body, body);
    body_->emplace_back().node = std::move(made);
    return *this;
  }
  AccessMaker& kinds(GroupKinds kinds) {
    kernel_.kinds = std::move(kinds);
    return *this;
  }

  Kernel kernel() const { return kernel_; }
  CacheLaunch launch(std::int64_t warp_size = 32) const {
    CacheLaunch launch = launch_;
    for (const auto& [name, value] : kernel_.parameters) launch.values[name] = value;
    const auto threads = static_cast<std::int64_t>(launch.values.at("group_size"));
    launch.values["warps"] = static_cast<double>((threads - 1) / warp_size + 1);
    return launch;
  }

  /// An expression that sees all names of the kernel, and `some`.
  Expression parse(const std::string& text, const std::vector<std::string>& some) const {
    std::vector<std::string> names{"group_size", "warps", "warp",    "groups",  "lane",    "thread_x", "thread_y",
                                   "thread_z",   "group", "group_x", "group_y", "group_z", "kind"};
    names.insert(names.end(), some.begin(), some.end());
    for (const auto& [name, value] : kernel_.parameters) names.push_back(name);
    if (kernel_.kinds)
      for (const auto& [name, column] : kernel_.kinds->values) names.push_back(name);
    return Expression::parse(text, names);
  }

 private:
  static std::vector<Expression> sizes(std::int64_t x, std::int64_t y) {
    return {Expression(static_cast<double>(x)), Expression(static_cast<double>(y))};
  }
  std::size_t index_of(const std::string& array) const {
    for (std::size_t i = 0; i < kernel_.arrays.size(); ++i)
      if (kernel_.arrays[i].name == array) return i;
    throw std::logic_error("no array " + array);
  }
  AccessMaker& add(const std::string& id, const std::string& op, std::optional<AccessPattern> access) {
    Instruction made;
    made.id = id;
    made.op = op;
    made.where = "/" + id;
    made.access = std::move(access);
    body_->emplace_back().node = kernel_.instructions.size();
    kernel_.instructions.push_back(std::move(made));
    return *this;
  }
  void fill(std::vector<Item>& inner, const Body& body) {
    std::vector<Item>* const outer = std::exchange(body_, &inner);
    body(*this);
    body_ = outer;
  }

  Kernel kernel_;
  CacheLaunch launch_;
  std::vector<std::string> loops_;
  std::vector<Item>* body_ = &kernel_.body;
};

/// A device of so many units, each with a first level, and a second level for all.
inline Device cached_device(std::int64_t units, std::int64_t l1_bytes, std::int64_t l2_bytes, std::int64_t parts = 1) {
  MemoryLevel l1, l2, dram;
  l1.name = "l1";
  l1.scope = LevelScope::ComputeUnit;
  l1.bytes = l1_bytes;
  l1.write = WritePolicy::Through;
  l2.name = "l2";
  l2.bytes = l2_bytes;
  l2.parts = parts;
  dram.name = "dram";
  Device device;
  device.compute_units = units;
  device.memory.emplace();
  device.memory->levels = {l1, l2, dram};
  return device;
}

}  // namespace warpipe
