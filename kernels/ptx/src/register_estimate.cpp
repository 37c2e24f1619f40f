#include "register_estimate.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "issue_orders.hpp"
#include "opcode_table.hpp"
#include "uniform_values.hpp"

namespace warpipe::ptx {
namespace {

using Order = std::vector<std::uint32_t>;

/// Registers beside the values: the stack pointer and two kept by the hardware, which ptxas 13.0 counts for every
/// kernel with a value (measured: 29 values alive together take 32), and three left free between pairs and quads
/// (fitted).
constexpr std::int64_t kBesideValues = 6;
constexpr std::uint32_t kNone = UINT32_MAX;
constexpr std::uint32_t kOrderedTogether = 1024;  // instructions put in order together

/// Registers of an instruction beside its operands: the calls for a division or a root by the rules of IEEE 754.
/// Measured with ptxas 13.0, by kernels with 20 to 45 values alive around one.
std::int64_t temporaries(const Instruction& instruction) {
  const auto& opcode = instruction.opcode();
  const auto type = instruction.type();
  const bool wide = type.bits == 64;
  if (instruction.has("approx") || instruction.has("full")) return 0;
  if (type.kind != Type::Kind::Float) return wide && (opcode == "div" || opcode == "rem") ? 9 : 0;
  if (opcode == "div") return wide ? 12 : 7;
  if (opcode == "sqrt") return wide ? 10 : 5;
  if (opcode == "rcp") return wide ? 4 : 6;
  return 0;
}

/// Whether an instruction alone makes a whole number from registers, without memory: cheap enough to be made again.
bool is_cheap(const Instruction& instruction) {
  const auto is_float = [](const Type& type) { return type.kind == Type::Kind::Float; };
  return row_of(instruction).has(kRemade) && !instruction.guard && !instruction.carry_in && !instruction.carry_out &&
         std::ranges::none_of(instruction.types, is_float);
}

/// The register pressure of blocks in an order.
class Pressure {
 public:
  Pressure(const Routine& routine, const LiveValues& values, const Lowered& lowered)
      : routine_(routine), values_(values), lowered_(lowered) {}

  /// The fewest registers of an order: a value that can be made again from live values takes no register.
  RegisterPeak least(std::uint32_t block, const Order& order) const {
    RegisterPeak peak;
    walk(block, order, [&](std::size_t place, const RegisterSet& live, std::int64_t more) {
      if (live.words() + more <= peak.words) return;
      const auto words = live.words() + more - made_again(live, place < order.size() ? order[place] : kNone);
      if (words > peak.words) peak = {words, live.registers()};
    });
    return peak;
  }

  /// The registers of an order without any saving: the inputs of a store are not written again before the next barrier,
  /// since the write would have to wait for the store to read them.
  std::int64_t most(std::uint32_t block, const Order& order) const {
    std::vector<std::int64_t> ending(order.size() + 1, 0), held(order.size() + 1, 0);
    auto live = values_.leaving(block);
    for (auto place = order.size(); place-- > 0;) {
      ending[place] = stored(order[place], live);
      values_.step_back(order[place], live);
    }
    for (std::size_t place = 0; place < order.size(); ++place)
      held[place + 1] = (orders_memory(routine_.instructions[order[place]]) ? 0 : held[place]) + ending[place];
    std::int64_t most = 0;
    walk(block, order, [&](std::size_t place, const RegisterSet& alive, std::int64_t more) {
      most = std::max(most, alive.words() + more + held[place]);
    });
    return most;
  }

 private:
  template <typename Note>
  void walk(std::uint32_t block, const Order& order, Note note) const {
    auto live = values_.leaving(block);
    note(order.size(), live, 0);
    for (auto place = order.size(); place-- > 0;) {
      const auto i = order[place];
      const bool gone = lowered_.instructions[i].gone;
      if (!gone)
        for (const auto reg : values_.writes(i)) live.add(reg);
      note(place, live, gone ? 0 : temporaries(routine_.instructions[i]));
      values_.step_back(i, live);
      note(place, live, 0);
    }
  }

  /// Words read for the last time by a store.
  std::int64_t stored(std::uint32_t i, const RegisterSet& behind) const {
    const auto& instruction = routine_.instructions[i];
    std::int64_t words = 0;
    if (!is_access(instruction) || instruction.opcode() == "ld" || lowered_.instructions[i].gone) return words;
    for (const auto reg : values_.reads(i)) words += behind.has(reg) ? 0 : values_.words(reg);
    return words;
  }

  /// Words of values neither read nor written by an instruction, to be made again behind it.
  std::int64_t made_again(const RegisterSet& live, std::uint32_t i) const {
    std::int64_t words = 0;
    for (const auto reg : live.registers()) {
      const auto writer = cheap_writer(reg);
      if (writer == kNone || (i != kNone && (contains(values_.reads(i), reg) || contains(values_.writes(i), reg))))
        continue;
      const auto at_hand = [&](std::uint32_t read) { return is_at_hand(read, live); };
      if (std::ranges::all_of(values_.reads(writer), at_hand)) words += values_.words(reg);
    }
    return words;
  }

  static bool contains(const std::vector<std::uint32_t>& registers, std::uint32_t reg) {
    return std::ranges::find(registers, reg) != registers.end();
  }

  /// Held in a register to stay: not itself made again.
  bool is_at_hand(std::uint32_t reg, const RegisterSet& live) const {
    return values_.words(reg) == 0 || (live.has(reg) && cheap_writer(reg) == kNone);
  }

  std::uint32_t cheap_writer(std::uint32_t reg) const {
    const auto writer = values_.only_writer(reg);
    return writer != kNone && is_cheap(routine_.instructions[writer]) ? writer : kNone;
  }

  const Routine& routine_;
  const LiveValues& values_;
  const Lowered& lowered_;
};

/// The next number of registers with fewer warps per unit, of 65536 for each unit in four parts.
/// @source CUDA C++ Programming Guide, "Compute Capabilities": resident warps, registers
std::int64_t next_step(std::int64_t registers, int capability) {
  constexpr std::array<std::int64_t, 10> kSteps{32, 40, 48, 56, 64, 72, 80, 96, 128, 168};
  const bool has_48_warps = (capability > 80 && capability < 90) || capability >= 120;
  const std::int64_t full = capability == 75 ? 64 : has_48_warps ? 40 : 32;
  const auto step = std::ranges::find_if(kSteps, [&](auto one) { return one >= std::max(full, registers); });
  return step == kSteps.end() ? 255 : *step;
}

struct Orders {
  Order tight, early;
};

/// Of a whole block, in windows, from the last.
Orders orders_of(const Routine& routine, const LiveValues& values, const isa::ControlFlow& flow, std::uint32_t block) {
  Orders result;
  auto live = values.leaving(block);
  for (auto last = flow.blocks[block].last; last > flow.blocks[block].first;) {
    const auto first = last - std::min(last - flow.blocks[block].first, kOrderedTogether);
    const IssueOrders window(routine, values, first, last, live);
    const auto tight = window.tight(), early = window.early();
    result.tight.insert(result.tight.begin(), tight.begin(), tight.end());
    result.early.insert(result.early.begin(), early.begin(), early.end());
    for (auto i = last; i-- > first;) values.step_back(i, live);
    last = first;
  }
  return result;
}

}  // namespace

RegisterEstimate estimate_registers(const Routine& routine, const isa::Program& program, const isa::ControlFlow& flow,
                                    const Lowered& lowered, const std::vector<std::vector<std::uint32_t>>& order,
                                    int capability) {
  const LiveValues values(routine, program, flow, lowered,
                          capability < 75 ? std::vector<bool>{} : uniform_values(routine));
  const Pressure pressure(routine, values, lowered);
  RegisterEstimate estimate;
  std::int64_t most = 0;
  for (std::uint32_t block = 0; block < flow.blocks.size(); ++block) {
    const auto orders = orders_of(routine, values, flow, block);
    most = std::max(most, pressure.most(block, orders.early));
    auto peak = pressure.least(block, order[block]);
    if (auto other = pressure.least(block, orders.tight); other.words < peak.words) peak = std::move(other);
    if (peak.words > estimate.peak.words) estimate.peak = std::move(peak);
  }
  estimate.least = estimate.peak.words + kBesideValues;
  estimate.registers = std::max(estimate.least, std::min(most + kBesideValues, next_step(estimate.least, capability)));
  return estimate;
}

}  // namespace warpipe::ptx
