// Where lanes go at the end of a block, and what memory they reach.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "warp_run.hpp"

namespace warpipe::ptx {
namespace {

std::uint64_t scattered(std::uint64_t x) {
  x = (x + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 29)) * 0x94d049bb133111eb;
  return x ^ (x >> 32);
}

/// Local memory is laid out so that neighbouring lanes' words are neighbours.
std::uint64_t interleaved(std::uint64_t address, std::size_t lane, std::size_t lanes) {
  const auto word = (address & ~kWindowMask) / 4;
  return (word * lanes + lane) * 4 + address % 4;
}

}  // namespace

/// The address that a lane reaches. Shared and thread-private memory and constants have addresses of 32 bits where
/// their base has, and those wrap around.
std::uint64_t WarpRun::address_of(const LaneStep& next, std::size_t lane) const {
  const auto address = value(next.base, lane) + static_cast<std::uint64_t>(next.offset);
  const bool in_register = next.base.kind == LaneInput::Kind::Register;
  const bool narrow = in_register && kernel_.input.routine.registers[next.base.reg].type.bits == 32;
  const bool windowed =
      next.space == StateSpace::Shared || next.space == StateSpace::Local || next.space == StateSpace::Constant;
  return narrow && windowed ? truncated(address, 32) : address;
}

void WarpRun::access(const LaneStep& next, LaneMask mask, Pass& pass) {
  touch(next.base, mask);
  if (known(next.base, mask, next.instruction) != mask) fail_by_data(next.instruction, next.base.reg, "an address", "");
  Pass::Event event{&next, mask, std::vector<std::uint64_t>(lanes_), std::vector<std::uint64_t>(closing_ ? lanes_ : 0)};
  for_each_lane(mask, [&](std::size_t lane) {
    const auto address = address_of(next, lane);
    const auto window = address & kWindowMask;
    const bool local = next.space == StateSpace::Local || (next.space == StateSpace::Generic && window == kLocalWindow);
    event.addresses[lane] = local ? interleaved(address, lane, lanes_) : address;
    if (!closing_) return;
    const auto moves = motion(next.base, lane);
    event.slopes[lane] = moves.slope * (local ? lanes_ : 1);
    const bool global = next.space == StateSpace::Global || (next.space == StateSpace::Generic && window == 0);
    (global ? event.holds : horizon_).limit(moves.holds.passes);
  });
  check_shared(next, mask, event.addresses);
  pass.events.push_back(std::move(event));
}

void WarpRun::check_shared(const LaneStep& next, LaneMask mask, const std::vector<std::uint64_t>& addresses) const {
  for_each_lane(mask, [&](std::size_t lane) {
    const bool generic = next.space == StateSpace::Generic && (addresses[lane] & kWindowMask) == kSharedWindow;
    if (next.space != StateSpace::Shared && !generic) return;
    const auto address = addresses[lane] & ~kWindowMask;
    const auto bytes = static_cast<std::uint64_t>(kernel_.memory.shared_bytes());
    const auto end = address + static_cast<std::uint64_t>(next.width);
    if (end <= bytes && end >= address) return;
    kernel_.fail(next.instruction, fmt::format("an access stays within the {} bytes of shared memory", bytes),
                 fmt::format("found bytes {} to {} in lane {} of warp {} of group ({}, {}, {})", address, end, lane,
                             warp_, group_[0], group_[1], group_[2]),
                 "give --dynamic-shared-memory BYTES where the kernel has an array without a size, or check the block");
  });
}

void WarpRun::arrive(std::uint32_t instruction, LaneMask mask) {
  const auto& block_of = kernel_.input.flow.block_of;
  if (mask != 0 && instruction < block_of.size()) arrivals_[block_of[instruction]] |= mask;
}

void WarpRun::leave(std::uint32_t index, LaneMask mask) {
  const auto& block = kernel_.input.flow.blocks[index];
  const auto last = block.last - 1;
  const auto& instruction = kernel_.input.routine.instructions[last];
  const auto& opcode = instruction.opcode();
  const bool ends = opcode == "ret" || opcode == "exit" || opcode == "trap";
  if (opcode == "brx") return jump_by_index(last, mask);
  if (opcode != "bra" && !ends) return arrive(block.last, mask);
  const auto& targets = kernel_.input.routine.targets[last];
  const auto& side_of = kernel_.input.predication.branch_of;
  const auto& guard = kernel_.guards[last];
  // Under a predicate, lanes of which nothing is known count for both sides.
  if (guard && kernel_.input.predication.removed[last] && known(*guard, mask, last) != mask && !kernel_.taken[last]) {
    touch(*guard, mask);
    for (const auto side : block.successors)
      if (side_of[side] == index) arrivals_[side] |= mask;
    return;
  }
  const auto jumps = guard ? jumping(last, index, mask) : mask;
  if (!ends) arrive(targets.front(), jumps);
  arrive(block.last, mask & ~jumps);
}

LaneMask WarpRun::jumping(std::uint32_t instruction, std::uint32_t block, LaneMask mask) {
  const auto& guard = *kernel_.guards[instruction];
  touch(guard, mask);
  const auto certain = known(guard, mask, instruction);
  auto jumps = true_lanes(guard, certain);
  if (certain != mask) jumps |= jumping_by_data(instruction, block, mask & ~certain, guard);
  return jumps;
}

/// By what the user says: trips of the loop that one of the sides leaves, or a share of the lanes.
LaneMask WarpRun::jumping_by_data(std::uint32_t instruction, std::uint32_t block, LaneMask mask,
                                  const LaneInput& guard) {
  if (const auto jumps = jump_by_trips(instruction, block)) return *jumps ? mask : 0;
  const auto share = kernel_.taken[instruction];
  if (!share) {
    const auto& routine = kernel_.input.routine;
    const auto has_target = !routine.targets[instruction].empty();
    auto label = has_target ? place_name(routine, routine.targets[instruction][0]) : std::string("LABEL");
    if (label.starts_with('$')) label.erase(0, 1);
    if (label.starts_with("line ")) label = std::to_string(routine.instructions[instruction].line);
    std::string trips;
    if (!frames_.empty()) {
      auto loop = frames_.back().info->loop->label;
      if (loop.starts_with('$')) loop.erase(0, 1);
      trips = fmt::format(", or --trip {}=N for the loop around it", loop);
    }
    fail_by_data(instruction, guard.reg, "a branch",
                 fmt::format("--taken {}=SHARE of the lanes that jump{}", label, trips));
  }
  if (*share <= 0) return 0;
  if (*share >= 1) return mask;
  closable_ = false;
  LaneMask jumps = 0;
  const auto visit = ++visits_;
  for_each_lane(mask, [&](std::size_t lane) {
    const auto thread =
        static_cast<std::uint64_t>(
            (group_[2] * kernel_.input.launch.grid[1] + group_[1]) * kernel_.input.launch.grid[0] + group_[0]) *
            1024 +
        static_cast<std::uint64_t>(warp_) * lanes_ + lane;
    const auto drawn =
        static_cast<double>(scattered(scattered(thread) + visit + (std::uint64_t{instruction} << 32)) >> 11) * 0x1p-53;
    if (drawn < *share) jumps |= LaneMask{1} << lane;
  });
  return jumps;
}

std::optional<bool> WarpRun::jump_by_trips(std::uint32_t instruction, std::uint32_t block) {
  const auto& block_of = kernel_.input.flow.block_of;
  const auto inside = [&](const LoopInfo& info, std::uint32_t place) {
    return place < block_of.size() && info.members[block_of[place]];
  };
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
    const auto& info = *frame->info;
    if (!info.trips || kernel_.input.routine.targets[instruction].empty()) continue;
    const bool stays_by_jump = inside(info, kernel_.input.routine.targets[instruction][0]);
    const bool stays_by_going_on = inside(info, instruction + 1);
    if (stays_by_jump == stays_by_going_on) continue;
    // A test at the top is also made by the pass that leaves.
    const bool latch = std::ranges::count(kernel_.input.flow.blocks[block].successors, info.loop->header) > 0;
    const bool at_top = block == info.loop->header && !latch;
    const bool stay = at_top ? frame->passes <= *info.trips : frame->passes < *info.trips;
    return stay == stays_by_jump;
  }
  return std::nullopt;
}

void WarpRun::jump_by_index(std::uint32_t instruction, LaneMask mask) {
  const auto& operand = kernel_.input.routine.instructions[instruction].operands.front();
  LaneInput index;
  index.kind = LaneInput::Kind::Register;
  index.reg = operand.reg;
  if (operand.kind != Operand::Kind::Register)
    kernel_.fail(instruction, "brx.idx has a register", "found another operand", "");
  if (const auto& guard = kernel_.guards[instruction]) {
    const auto jumps = jumping(instruction, kernel_.input.flow.block_of[instruction], mask);
    arrive(instruction + 1, mask & ~jumps);
    mask = jumps;
    static_cast<void>(guard);
  }
  touch(index, mask);
  if (known(index, mask, instruction) != mask) fail_by_data(instruction, index.reg, "a jump through a table", "");
  const auto& targets = kernel_.input.routine.targets[instruction];
  for_each_lane(mask, [&](std::size_t lane) {
    const auto which = value(index, lane);
    if (!motion(index, lane).rests()) closable_ = false;
    if (which >= targets.size())
      kernel_.fail(instruction, "an index stays within its table of targets",
                   fmt::format("found {} of {}", which, targets.size()), "");
    arrive(targets[which], LaneMask{1} << lane);
  });
}

}  // namespace warpipe::ptx
