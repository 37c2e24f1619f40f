#include "warp_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>

namespace warpipe::ptx {
WarpRun::WarpRun(const Prepared& kernel, Execution& execution, const Dimensions& group, std::int64_t warp)
    : kernel_(kernel),
      execution_(execution),
      group_(group),
      warp_(warp),
      lanes_(static_cast<std::size_t>(kernel.input.launch.warp_size)),
      registers_(kernel.input.routine.registers.size(), lanes_),
      arrivals_(kernel.input.flow.blocks.size()) {
  // What is read before it is written is not known.
  std::ranges::fill(registers_.unknown, ~LaneMask{0});
  std::ranges::fill(registers_.origin, std::numeric_limits<std::uint32_t>::max());
}

std::uint32_t WarpRun::run() {
  const auto& block = kernel_.input.launch.block;
  const auto threads = block[0] * block[1] * block[2];
  const auto size = static_cast<std::int64_t>(lanes_);
  const auto active = std::min(size, threads - warp_ * size);
  arrivals_[0] = active == 64 ? ~LaneMask{0} : (LaneMask{1} << active) - 1;
  Pass pass;
  list(kernel_.input.flow.regions, pass);
  return keep(pass, 1, false);
}

void WarpRun::list(const std::vector<Region>& regions, Pass& pass) {
  for (const auto& region : regions) {
    if (const auto* index = std::get_if<std::uint32_t>(&region.node)) {
      const auto mask = std::exchange(arrivals_[*index], 0);
      pass.record.items.push_back(block_issues(*index, pass, mask) ? 1 : 0);
      if (mask == 0) continue;
      pass.blocks.emplace_back(*index, mask);
      block(*index, mask, pass);
    } else {
      const auto& inner = std::get<NaturalLoop>(region.node);
      pass.record.items.push_back(arrivals_[inner.header] == 0 ? -1 : loop(inner));
    }
  }
}

/// A side under a predicate issues whenever its branch would have.
bool WarpRun::block_issues(std::uint32_t index, const Pass& pass, LaneMask mask) const {
  const auto branch = kernel_.input.predication.branch_of[index];
  if (mask != 0 || branch == kNoBlock) return mask != 0;
  return std::ranges::find(pass.blocks, branch, &std::pair<std::uint32_t, LaneMask>::first) != pass.blocks.end();
}

void WarpRun::charge(std::uint32_t instruction) {
  if (++execution_.executed <= kernel_.input.launch.max_instructions) return;
  std::string loop;
  if (!frames_.empty())
    loop = fmt::format(", in pass {} of the loop at {}", frames_.back().passes, frames_.back().info->loop->label);
  kernel_.fail(instruction,
               fmt::format("control and addresses take at most {} instructions to execute",
                           kernel_.input.launch.max_instructions),
               "found more" + loop, "check the arguments, or raise --max-instructions");
}

void WarpRun::block(std::uint32_t index, LaneMask mask, Pass& pass) {
  charge(kernel_.input.flow.blocks[index].first);
  for (const auto& next : kernel_.steps[index]) {
    charge(next.instruction);
    step(next, mask, pass);
  }
  leave(index, mask);
}

void WarpRun::step(const LaneStep& next, LaneMask mask, Pass& pass) {
  if (next.guard) {
    touch(*next.guard, mask);
    const auto certain = known(*next.guard, mask, next.instruction);
    // Where the guard is not known, an access counts as made, and a value is lost.
    if (next.writes)
      for (const auto reg : next.outputs)
        if (reg != kNoOutput && certain != mask) forget(reg, mask & ~certain, registers_.origin[next.guard->reg]);
    mask = true_lanes(*next.guard, certain) | (next.access ? mask & ~certain : 0);
    if (mask == 0) return;
  }
  if (next.access) access(next, mask, pass);
  if (!next.writes) return;
  if (next.parameter) {
    load_parameter(next, mask);
  } else if (next.access) {
    load(next, mask);
  } else {
    compute(next, mask);
  }
}

void WarpRun::touch(const LaneInput& input, LaneMask mask) {
  if (closing_ && input.kind == LaneInput::Kind::Register)
    registers_.carried[input.reg] |= mask & ~registers_.written[input.reg];
}

LaneMask WarpRun::known(const LaneInput& input, LaneMask mask, std::uint32_t) {
  if (input.kind == LaneInput::Kind::Register) return mask & ~registers_.unknown[input.reg];
  if (input.kind == LaneInput::Kind::Missing) return 0;
  return mask;
}

std::uint64_t WarpRun::value(const LaneInput& input, std::size_t lane) const {
  if (input.kind == LaneInput::Kind::Register)
    return registers_.values[input.reg * lanes_ + lane] ^ (input.negated ? 1U : 0U);
  if (input.kind == LaneInput::Kind::Special) return special(input, lane);
  return input.bits;
}

Motion WarpRun::motion(const LaneInput& input, std::size_t lane) const {
  return input.kind == LaneInput::Kind::Register ? registers_.motions[input.reg * lanes_ + lane] : Motion{};
}

/// Writes the same to some lanes.
void WarpRun::write(std::uint32_t reg, LaneMask mask, std::uint64_t result, const Motion& motion) {
  const auto written = truncated(result, kernel_.input.routine.registers[reg].type.bits);
  for_each_lane(mask, [&](std::size_t lane) {
    registers_.values[reg * lanes_ + lane] = written;
    if (closing_) registers_.motions[reg * lanes_ + lane] = motion;  // else all rest
  });
  registers_.same[reg] = mask;
  registers_.unknown[reg] &= ~mask;
  registers_.written[reg] |= mask;
}

void WarpRun::forget(std::uint32_t reg, LaneMask mask, std::uint32_t origin) {
  if (mask == 0) return;
  registers_.unknown[reg] |= mask;
  registers_.origin[reg] = origin;
  registers_.written[reg] |= mask;
  for_each_lane(mask, [&](std::size_t lane) { registers_.motions[reg * lanes_ + lane] = {}; });
}

LaneMask WarpRun::true_lanes(const LaneInput& guard, LaneMask mask) {
  LaneMask result = 0;
  for_each_lane(mask, [&](std::size_t lane) { result |= LaneMask{value(guard, lane) & 1} << lane; });
  return result;
}

void WarpRun::compute(const LaneStep& next, LaneMask mask) {
  auto origin = next.instruction;
  auto certain = mask;
  for (const auto& input : next.inputs) {
    touch(input, mask);
    const auto before = certain;
    certain &= known(input, mask, next.instruction);
    if (before != certain && input.kind == LaneInput::Kind::Register) origin = registers_.origin[input.reg];
  }
  if (next.operation.op == LaneOp::Unknown) certain = 0;
  // The other side of a choice does not matter.
  if (next.operation.op == LaneOp::Select && certain != mask) {
    const auto decided = known(next.inputs[2], mask, next.instruction);
    for_each_lane(decided & ~certain, [&](std::size_t lane) {
      const auto chosen = value(next.inputs[2], lane) != 0 ? 0U : 1U;
      if (known(next.inputs[chosen], LaneMask{1} << lane, next.instruction) != 0) certain |= LaneMask{1} << lane;
    });
  }
  for (const auto reg : next.outputs)
    if (reg != kNoOutput) forget(reg, mask & ~certain, origin);
  const bool alike = std::ranges::all_of(next.inputs, [&](const LaneInput& input) { return is_same(input, certain); });
  if (alike && certain != 0)
    compute_lanes(next, static_cast<std::size_t>(std::countr_zero(certain)), certain);
  else
    for_each_lane(certain, [&](std::size_t lane) { compute_lanes(next, lane, LaneMask{1} << lane); });
}

/// Whether some lanes have the same for an input.
bool WarpRun::is_same(const LaneInput& input, LaneMask mask) const {
  if (input.kind == LaneInput::Kind::Register) return (mask & ~registers_.same[input.reg]) == 0;
  return !input.by_lane;
}

/// Computes what one lane gets, for lanes that have the same inputs.
void WarpRun::compute_lanes(const LaneStep& next, std::size_t lane, LaneMask mask) {
  inputs_.clear();
  motions_.clear();
  for (const auto& input : next.inputs) {
    inputs_.push_back(value(input, lane));
    motions_.push_back(closing_ ? motion(input, lane) : Motion{});
  }
  const auto& type = next.operation.type;
  const bool packs = next.operation.op == LaneOp::Move && inputs_.size() > 1;
  const bool splits = next.operation.op == LaneOp::Move && next.outputs.size() > 1;
  const bool moves = !std::ranges::all_of(motions_, &Motion::rests);
  if (packs) {
    const auto part = type.bits / static_cast<int>(inputs_.size());
    std::uint64_t whole = 0;
    for (std::size_t i = 0; i < inputs_.size() && part < 64; ++i)
      whole |= truncated(inputs_[i], part) << (static_cast<int>(i) * part);
    inputs_ = {whole};
    if (moves) closable_ = false;
  }
  const auto result = evaluate(next.operation, inputs_);
  if (!result)
    kernel_.fail(next.instruction, "a divisor is not zero", "found a division by zero", "check the arguments");
  std::optional<Motion> moved = Motion{};
  if (closing_ && moves && !packs) moved = motion_of(next.operation, inputs_, motions_, horizon_);
  if (!moved || (splits && !moved->rests())) {
    closable_ = false;
    moved = Motion{};
  }
  for (std::size_t i = 0; i < next.outputs.size(); ++i) {
    if (next.outputs[i] == kNoOutput) continue;
    auto written = *result;
    const auto part = type.bits / static_cast<int>(next.outputs.size());
    if (splits) written = truncated(*result >> (static_cast<int>(i) * part), part);
    if (next.operation.op == LaneOp::Compare && i == 1) written ^= 1;  // `%p|%q`
    write(next.outputs[i], mask, written, *moved);
  }
}

void WarpRun::load_parameter(const LaneStep& next, LaneMask mask) {
  const auto& instruction = kernel_.input.routine.instructions[next.instruction];
  const auto& parameters = kernel_.input.routine.parameters;
  const auto& address = instruction.operands.back();
  const auto found = std::ranges::find(parameters, address.name, &Variable::name);
  const auto index = static_cast<std::size_t>(found - parameters.begin());
  const bool given = found != parameters.end() && !address.has_register && address.offset == 0 &&
                     next.outputs.size() == 1 && kernel_.input.arguments[index].bits;
  for (const auto reg : next.outputs) {
    if (reg == kNoOutput) continue;
    if (!given)
      forget(reg, mask, next.instruction);
    else
      write(reg, mask, *kernel_.input.arguments[index].bits);
  }
}

void WarpRun::load(const LaneStep& next, LaneMask mask) {
  touch(next.base, mask);
  const auto type = kernel_.input.routine.instructions[next.instruction].type();
  const auto certain = known(next.base, mask, next.instruction);
  for (std::size_t i = 0; i < next.outputs.size(); ++i) {
    const auto reg = next.outputs[i];
    if (reg == kNoOutput) continue;
    forget(reg, mask, next.instruction);
    for_each_lane(certain, [&](std::size_t lane) {
      const auto address = address_of(next, lane) + i * static_cast<std::uint64_t>(type.bits / 8);
      const auto loaded = kernel_.memory.load(next.space, address, type);
      if (loaded && !motion(next.base, lane).rests()) closable_ = false;
      // A narrow load is widened by its sign.
      if (loaded)
        write(
            reg, LaneMask{1} << lane,
            type.kind == Type::Kind::Signed ? static_cast<std::uint64_t>(sign_extended(*loaded, type.bits)) : *loaded);
    });
  }
}

std::uint64_t WarpRun::special(const LaneInput& input, std::size_t lane) const {
  const auto& launch = kernel_.input.launch;
  const auto linear = warp_ * static_cast<std::int64_t>(lanes_) + static_cast<std::int64_t>(lane);
  const Dimensions thread{linear % launch.block[0], linear / launch.block[0] % launch.block[1],
                          linear / launch.block[0] / launch.block[1]};
  const std::string_view name = input.name;
  const auto axis = name.ends_with(".x") ? 0U : name.ends_with(".y") ? 1U : 2U;
  const auto number = [](std::int64_t whole) { return static_cast<std::uint64_t>(whole); };
  if (name.starts_with("%tid.")) return number(thread[axis]);
  if (name.starts_with("%ntid.")) return number(launch.block[axis]);
  if (name.starts_with("%ctaid.")) return number(group_[axis]);
  if (name.starts_with("%nctaid.")) return number(launch.grid[axis]);
  if (name == "%laneid") return lane;
  if (name == "%warpid") return number(warp_);
  if (name == "%nwarpid")
    return number((launch.block[0] * launch.block[1] * launch.block[2] + static_cast<std::int64_t>(lanes_) - 1) /
                  static_cast<std::int64_t>(lanes_));
  if (name == "WARP_SZ") return lanes_;
  if (name == "%lanemask_eq") return LaneMask{1} << lane;
  if (name == "%lanemask_lt") return (LaneMask{1} << lane) - 1;
  if (name == "%lanemask_le") return (LaneMask{2} << lane) - 1;
  if (name == "%lanemask_gt") return truncated(~((LaneMask{2} << lane) - 1), 32);
  if (name == "%lanemask_ge") return truncated(~((LaneMask{1} << lane) - 1), 32);
  if (name == "%dynamic_smem_size") return number(launch.dynamic_shared_memory);
  return 0;  // what a kernel's control has no business with: %smid, %clock, %gridid
}

}  // namespace warpipe::ptx
