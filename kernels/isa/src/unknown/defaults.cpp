#include "unknown/defaults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "unknown/last_group.hpp"

namespace warpipe::isa {
namespace {

constexpr int kFewHops = 3;  // blocks between a branch and a loop

std::optional<std::uint64_t> constant_in(const Assignment& assignment) {
  for (const auto& input : assignment.inputs)
    if (input.kind == Input::Kind::Constant) return input.bits;
  return std::nullopt;
}

/// Whether a number is 0 or 1: a selected truth.
bool is_truth(const Program& program, const ReachingDefinitions& definitions, std::uint32_t reader,
              const Input& input) {
  if (input.kind == Input::Kind::Constant) return input.bits <= 1;
  if (input.kind != Input::Kind::Register) return false;
  const auto writers = definitions.writers(reader, input.registers.first);
  return !writers.empty() && std::ranges::all_of(writers, [&](std::uint32_t writer) {
    const auto& instruction = program.instructions[writer];
    return !instruction.access && std::ranges::all_of(instruction.assignments, [](const Assignment& assignment) {
      const auto is_bit = [](const Input& from) { return from.kind == Input::Kind::Constant && from.bits <= 1; };
      return assignment.operation.op == LaneOp::Select && assignment.inputs.size() == 3 &&
             is_bit(assignment.inputs[0]) && is_bit(assignment.inputs[1]);
    });
  });
}

bool halves(const Assignment& assignment) {
  const auto constant = constant_in(assignment);
  return (assignment.operation.op == LaneOp::ShiftRight && constant == 1) ||
         (assignment.operation.op == LaneOp::Divide && constant == 2);
}

/// The counter of a loop.
struct Counter {
  bool counts = false;    ///< each iteration adds to it, and nothing else
  std::int64_t step = 1;  ///< elements
  std::int64_t most = 0;  ///< iterations, where it begins as the rest by a mask; 0: unknown
};

class CounterFinder {
 public:
  CounterFinder(const ExecutionInput& input, const LoopInfo& loop) : input_(input), loop_(loop) {}

  Counter find(const FoundComparison& comparison) {
    Counter counter;
    for (const auto& input : comparison.assignment->inputs) {
      if (input.kind != Input::Kind::Register) continue;
      for (const auto writer : input_.definitions.writers(comparison.instruction, input.registers.first)) {
        if (!inside(writer)) continue;
        if (!adds(writer, counter)) return {};
        counter.counts = true;
      }
    }
    return counter;
  }

 private:
  bool inside(std::uint32_t i) const { return loop_.members[input_.flow.block_of[i]]; }

  bool adds(std::uint32_t i, Counter& counter) {
    const auto& instruction = input_.program.instructions[i];
    if (instruction.access || instruction.assignments.size() != 1) return false;
    const auto& assignment = instruction.assignments.front();
    const auto op = assignment.operation.op;
    if (op != LaneOp::Add && op != LaneOp::Subtract) return false;
    const auto bits = assignment.operation.type.bits;
    if (const auto constant = constant_in(assignment)) {
      counter.step = std::abs(sign_extended(*constant, bits));
      if (bits == 64) counter.step = std::max<std::int64_t>(1, counter.step / 4);  // an address, of words
    } else {
      counter.step = kGuesses.row;  // of all threads of a group, or of a warp
    }
    for (const auto& input : assignment.inputs)
      if (input.kind == Input::Kind::Register)
        for (const auto writer : input_.definitions.writers(i, input.registers.first))
          if (!inside(writer)) counter.most = std::max(counter.most, mask_of(writer, 4));
    return true;
  }

  /// The mask by which a number is the rest, through copies and signs.
  std::int64_t mask_of(std::uint32_t i, int depth) const {
    for (const auto& assignment : input_.program.instructions[i].assignments) {
      const auto op = assignment.operation.op;
      const auto constant = constant_in(assignment);
      if (op == LaneOp::And && constant && *constant < kGuesses.row) return static_cast<std::int64_t>(*constant);
      if ((op != LaneOp::Move && op != LaneOp::Negate) || depth == 0) continue;
      for (const auto& input : assignment.inputs)
        if (input.kind == Input::Kind::Register)
          for (const auto writer : input_.definitions.writers(i, input.registers.first))
            if (const auto mask = mask_of(writer, depth - 1); mask > 0) return mask;
    }
    return 0;
  }

  const ExecutionInput& input_;
  const LoopInfo& loop_;
};

Default trips(std::int64_t count, std::string why) {
  count = std::max<std::int64_t>(1, count);
  Default found{std::to_string(count), std::move(why), {}};
  if (count > 1) found.others.push_back(std::to_string(count / 2));
  found.others.push_back(std::to_string(2 * count));
  return found;
}

/// Looks where the sides of a branch lead.
class Sides {
 public:
  explicit Sides(const Prepared& kernel) : kernel_(kernel) {}

  /// Whether a way of few blocks leads into a loop without the block `from`.
  bool enter_loop(std::uint32_t place, std::uint32_t from, int hops = kFewHops) const {
    const auto block = block_at(place);
    if (!block) return false;
    if (const auto loop = kernel_.loops.find(*block); loop != kernel_.loops.end() && !loop->second.members[from])
      return true;
    if (hops == 0) return false;
    return std::ranges::any_of(blocks()[*block].successors, [&](std::uint32_t next) {
      return next > *block && enter_loop(blocks()[next].first, from, hops - 1);
    });
  }

  /// Whether the kernel ends there, and nothing is read or written before.
  bool end(std::uint32_t place, int hops = 2) const {
    const auto block = block_at(place);
    if (!block) return true;
    for (auto i = blocks()[*block].first; i < blocks()[*block].last; ++i)
      if (kernel_.at(i).access) return false;
    const auto& next = blocks()[*block].successors;
    if (next.empty()) return true;
    return hops > 0 && next.size() == 1 && end(blocks()[next.front()].first, hops - 1);
  }

 private:
  const std::vector<Block>& blocks() const { return kernel_.input.flow.blocks; }
  std::optional<std::uint32_t> block_at(std::uint32_t place) const {
    const auto& block_of = kernel_.input.flow.block_of;
    return place < block_of.size() ? std::optional(block_of[place]) : std::nullopt;
  }

  const Prepared& kernel_;
};

/// Whether the jump enters a loop (true), or the instruction after it does (false); nothing where both or neither do.
std::optional<bool> enters_loop_by_jump(const Prepared& kernel, std::uint32_t jump) {
  const auto& instruction = kernel.at(jump);
  if (instruction.flow != Instruction::Flow::Jump || instruction.targets.empty()) return std::nullopt;
  const Sides sides(kernel);
  const auto from = kernel.input.flow.block_of[jump];
  const bool by_jump = sides.enter_loop(instruction.targets.front(), from);
  return by_jump != sides.enter_loop(jump + 1, from) ? std::optional(by_jump) : std::nullopt;
}

bool leaves_loop(const Prepared& kernel, std::uint32_t jump) {
  return std::ranges::any_of(kernel.loops, [&](const auto& loop) {
    return std::ranges::find(loop.second.exits, jump) != loop.second.exits.end();
  });
}

/// Whether two loads reach neighbouring elements of an array.
bool are_neighbours(const Prepared& kernel, std::uint32_t one, std::uint32_t other) {
  const auto &a = kernel.at(one).access, &b = kernel.at(other).access;
  if (!a || !b || b->kind != Access::Kind::Load || a->space != b->space || a->bytes != b->bytes) return false;
  if (a->scale != b->scale || std::abs(a->offset - b->offset) != a->bytes) return false;
  const auto same = [&](const Input& left, const Input& right) {
    const auto& range = left.registers;
    if (left.kind != Input::Kind::Register || right.kind != left.kind || range != right.registers) return false;
    const auto& definitions = kernel.input.definitions;
    for (auto reg = range.first; reg < range.first + range.count; ++reg)
      if (definitions.writers(one, reg) != definitions.writers(other, reg)) return false;
    return true;
  };
  if (a->uniform_base.has_value() != b->uniform_base.has_value()) return false;
  return same(a->base, b->base) && (!a->uniform_base || same(*a->uniform_base, *b->uniform_base));
}

/// Whether a load reads whole numbers of an argument, an element per lane, with unknown values.
bool reads_unsaid_numbers(const Prepared& kernel, std::uint32_t load) {
  const auto& access = kernel.at(load).access;
  const auto& arguments = kernel.input.arguments;
  const bool is_one = access && access->kind == Access::Kind::Load && !access->tile && access->terms.empty() &&
                      access->element.kind != Type::Kind::Float && access->element.bits >= 32 &&
                      access->bytes * 8 == access->element.bits;
  if (!is_one || kernel.array_bases.empty()) return false;
  const auto of = (kernel.array_bases[load].address >> kArrayShift) - 1;
  return of < arguments.size() && arguments[of].pointer && arguments[of].values == nullptr;
}

Default share(double value, std::string why) {
  Default found{fmt::format("{}", value), std::move(why), {}};
  for (const auto* other : {"0.25", "0.75"})
    if (other != found.value) found.others.emplace_back(other);
  if (found.others.size() == 1) found.others.emplace_back("0.5");
  return found;
}

/// Elements of an array of unknown size: the largest count among the arguments, since a kernel mostly counts the
/// elements that it looks up, but at most the number of threads.
std::pair<std::int64_t, std::string> likely_elements(const Launch& launch) {
  std::pair<std::int64_t, std::string> most{std::min(threads_of(launch), std::int64_t{1} << 28), ""};
  double largest = 1;
  std::string name;
  for (const auto& [argument, text] : launch.arguments) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (*end != 0 || value != std::floor(value) || value <= largest) continue;
    largest = value;
    name = argument;
  }
  if (name.empty() || largest >= static_cast<double>(most.first)) return most;
  return {static_cast<std::int64_t>(largest), name};
}

}  // namespace

std::int64_t threads_of(const Launch& launch) {
  std::int64_t threads = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) threads *= launch.block[axis] * launch.grid[axis];
  return threads;
}

Default default_number(Type type) {
  if (type.kind == Type::Kind::Float) return {"1", "any number", {"0.5", "2"}};
  if (type.bits < 16) return {"1", "any number", {"0"}};
  return {
      std::to_string(kGuesses.size), kAnySize, {std::to_string(kGuesses.size / 2), std::to_string(2 * kGuesses.size)}};
}

Default default_trips(const ExecutionInput& input, const LoopInfo& loop, std::uint32_t jump) {
  if (const auto numbers = handed_out(input, jump)) {
    const auto& grid = input.launch.grid;
    const auto groups = grid[0] * grid[1] * grid[2];
    const auto each = (static_cast<std::int64_t>(*numbers & INT32_MAX) + groups - 1) / groups;
    return trips(each, fmt::format("{} groups share {} numbers of a counter", groups, *numbers));
  }
  const auto& instructions = input.program.instructions;
  for (std::uint32_t i = 0; i < instructions.size(); ++i)
    if (loop.members[input.flow.block_of[i]] && input.slice.needed[i] &&
        std::ranges::any_of(instructions[i].assignments, halves))
      return trips(static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(threads_of(input.launch)))) - 1,
                   "it halves what is left: log2 of the threads");
  if (const auto comparison = comparison_of(input, jump)) {
    const auto counter = CounterFinder(input, loop).find(*comparison);
    if (counter.counts && counter.most > 0)
      return trips((counter.most + 1) / 2, fmt::format("what is left of a row, at most {}", counter.most));
    if (counter.counts)
      return trips(kGuesses.row / std::max<std::int64_t>(1, counter.step),
                   fmt::format("a row of {} elements, by {}", kGuesses.row, counter.step));
  }
  return trips(kGuesses.search, "it ends by what it reads");
}

Default default_taken(const Prepared& kernel, std::uint32_t jump) {
  const auto& instruction = kernel.at(jump);
  const Sides sides(kernel);
  if (const auto jumps = jumps_before_last_group(kernel.input, jump)) {
    const auto& grid = kernel.input.launch.grid;
    const auto groups = grid[0] * grid[1] * grid[2];
    if (groups == 1) return {*jumps ? "0" : "1", "the only group is the last to come", {}};
    const auto why = fmt::format("of {} groups only the last to come goes on behind it, which is left out", groups);
    return {*jumps ? "1" : "0", why, {}};
  }
  if (const auto by_jump = enters_loop_by_jump(kernel, jump))
    return share(*by_jump ? kGuesses.into_loop : 1 - kGuesses.into_loop, "it leads to a loop");
  if (const auto found = comparison_of(kernel.input, jump)) {
    const auto comparison = found->assignment->operation.comparison;
    const bool truths = std::ranges::all_of(found->assignment->inputs, [&](const Input& side) {
      return is_truth(kernel.input.program, kernel.input.definitions, found->instruction, side);
    });
    if (!truths && (comparison == Comparison::Equal || comparison == Comparison::NotEqual))
      return share((comparison == Comparison::Equal) != found->turned ? kGuesses.equal : 1 - kGuesses.equal,
                   "numbers are seldom equal");
  }
  const bool exits = instruction.flow == Instruction::Flow::Exit;
  const bool by_jump = exits || (!instruction.targets.empty() && sides.end(instruction.targets.front()));
  const bool by_going_on = sides.end(jump + 1);
  if (by_jump != by_going_on)
    return share(by_jump ? kGuesses.to_the_end : 1 - kGuesses.to_the_end, "the kernel ends behind it");
  return share(kGuesses.other_branch, "half of the lanes");
}

std::optional<Default> default_rows(const Prepared& kernel, std::uint32_t jump, std::uint32_t load) {
  if (!leaves_loop(kernel, jump) && !enters_loop_by_jump(kernel, jump)) return std::nullopt;
  if (load >= kernel.input.program.instructions.size() || !reads_unsaid_numbers(kernel, load)) return std::nullopt;
  for (std::uint32_t i = 0; i < kernel.input.program.instructions.size(); ++i)
    if (are_neighbours(kernel, load, i))
      return Default{fmt::format("rows:{}", kGuesses.row),
                     fmt::format("neighbouring elements bound a loop: rows of {} elements", kGuesses.row),
                     {fmt::format("rows:{}", kGuesses.row / 4), fmt::format("rows:{}", 4 * kGuesses.row)}};
  return std::nullopt;
}

Default default_address(const Prepared& kernel, std::uint32_t index) {
  const auto& access = *kernel.at(index).access;
  const auto& base = kernel.array_bases[index];
  const std::int64_t width = access.bytes;
  if (base.bytes > 0) {
    const auto bytes = std::max(width, base.bytes);
    return {fmt::format("random:{}", bytes), "anywhere in it", {fmt::format("coalesced:{}", bytes)}};
  }
  if (access.space == Space::Shared) {
    const auto& block = kernel.input.launch.block;
    const auto bytes = block[0] * block[1] * block[2] * width;
    return {
        fmt::format("random:{}", bytes), "an element for each thread of a group", {fmt::format("coalesced:{}", bytes)}};
  }
  const auto [elements, counted] = likely_elements(kernel.input.launch);
  const auto bytes = std::max(kGuesses.fewest_bytes, elements * width);
  const auto why = counted.empty() ? "an element for each thread" : fmt::format("as many elements as {} says", counted);
  return {fmt::format("random:{}", bytes),
          bytes == kGuesses.fewest_bytes ? "anywhere in 1 MiB" : why,
          {fmt::format("coalesced:{}", bytes), fmt::format("random:{}", 16 * bytes)}};
}

}  // namespace warpipe::isa
