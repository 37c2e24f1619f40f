// Where lanes go at the end of a block, and what memory they reach.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "warp_run.hpp"

namespace warpipe::isa {
namespace {

std::uint64_t scattered(std::uint64_t x) {
  x = (x + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 29)) * 0x94d049bb133111eb;
  return x ^ (x >> 32);
}

/// Shared memory is laid out so that neighbouring lanes' words are neighbours.
std::uint64_t interleaved(std::uint64_t address, std::size_t lane, std::size_t lanes) {
  const auto word = (address & ~kWindowMask) / 4;
  return (word * lanes + lane) * 4 + address % 4;
}

}  // namespace

/// The address that a lane reaches. Shared and thread-private memory and constants have addresses of 32 bits where
/// their base has, and those wrap around.
std::uint64_t WarpRun::address_of(const Access& access, std::size_t lane) const {
  auto address = value(access.base, lane) * access.scale + static_cast<std::uint64_t>(access.offset);
  if (access.uniform_base) address += value(*access.uniform_base, lane);
  const auto& base = access.base;
  const bool narrow = base.kind == Input::Kind::Register && base.registers.count == 1 && !access.uniform_base &&
                      bits_of(base.registers.first) == 32;
  const bool windowed =
      access.space == Space::Shared || access.space == Space::Local || access.space == Space::Constant;
  return narrow && windowed ? truncated(address, 32) : address;
}

/// Of some lanes those whose address is known.
LaneMask WarpRun::known_address(const Access& access, LaneMask mask) const {
  const auto certain = known(access.base, mask);
  return access.uniform_base ? known(*access.uniform_base, certain) : certain;
}

Motion WarpRun::address_motion(const Access& access, std::size_t lane) {
  auto moves = motion(access.base, lane);
  if (!access.uniform_base && access.scale == 1) return moves;
  if (access.base.kind == Input::Kind::Register) {
    // The base is widened before it is scaled.
    int bits = 0;
    for (std::uint32_t i = 0; i < access.base.registers.count; ++i) bits += bits_of(access.base.registers.first + i);
    horizon_.limit(while_in_range(value(access.base, lane), moves.stride, bits));
    moves.stride = static_cast<std::uint64_t>(sign_extended(moves.stride, bits));
  }
  moves.stride *= access.scale;
  if (!access.uniform_base) return moves;
  const auto uniform = motion(*access.uniform_base, lane);
  moves.stride += uniform.stride;
  moves.holds.limit(uniform.holds.iterations);
  return moves;
}

void WarpRun::access(const Step& next, LaneMask mask, Iteration& iteration) {
  const auto& access = *next.instruction->access;
  touch(access.base, mask);
  if (access.uniform_base) touch(*access.uniform_base, mask);
  if (known_address(access, mask) != mask) {
    const bool by_base = known(access.base, mask) != mask;
    fail_by_data(next.index, by_base ? access.base : *access.uniform_base, "an address", "");
  }
  Iteration::Event event{&next, mask, std::vector<std::uint64_t>(lanes_),
                         std::vector<std::uint64_t>(closing_ ? lanes_ : 0)};
  for_each_lane(mask, [&](std::size_t lane) {
    const auto address = address_of(access, lane);
    const auto window = address & kWindowMask;
    const bool local = access.space == Space::Local || (access.space == Space::Generic && window == kLocalWindow);
    event.addresses[lane] = local ? interleaved(address, lane, lanes_) : address;
    if (access.space == Space::Generic) event.addresses[lane] |= window;  // interleaving leaves it out
    if (!closing_) return;
    const auto moves = address_motion(access, lane);
    event.strides[lane] = moves.stride * (local ? lanes_ : 1);
    const bool global = access.space == Space::Global || (access.space == Space::Generic && window == 0);
    (global ? event.holds : horizon_).limit(moves.holds.iterations);
  });
  check_shared(next, mask, event.addresses);
  iteration.events.push_back(std::move(event));
}

void WarpRun::load(const Step& next, const Assignment& assignment, LaneMask mask) {
  const auto& access = *next.instruction->access;
  const auto& type = access.element;
  const auto certain = known_address(access, mask);
  for (std::size_t i = 0; i < assignment.outputs.size(); ++i) {
    const auto& output = assignment.outputs[i].registers;
    forget(output, mask, next.index);
    for_each_lane(certain, [&](std::size_t lane) {
      const auto address = address_of(access, lane) + i * static_cast<std::uint64_t>(type.bits / 8);
      const auto loaded = kernel_.memory.load(access.space, address, type);
      if (!loaded) return;
      if (!address_motion(access, lane).rests()) closable_ = false;
      // A narrow load is widened by its sign.
      write(output, LaneMask{1} << lane,
            type.kind == Type::Kind::Signed ? static_cast<std::uint64_t>(sign_extended(*loaded, type.bits)) : *loaded);
    });
  }
}

void WarpRun::check_shared(const Step& next, LaneMask mask, const std::vector<std::uint64_t>& addresses) const {
  const auto& access = *next.instruction->access;
  for_each_lane(mask, [&](std::size_t lane) {
    const bool generic = access.space == Space::Generic && (addresses[lane] & kWindowMask) == kSharedWindow;
    if (access.space != Space::Shared && !generic) return;
    const auto address = addresses[lane] & ~kWindowMask;
    const auto bytes = static_cast<std::uint64_t>(kernel_.memory.shared_bytes());
    const auto end = address + static_cast<std::uint64_t>(access.bytes);
    if (end <= bytes && end >= address) return;
    kernel_.fail(
        next.index, fmt::format("an access leaves the {} bytes of shared memory", bytes),
        fmt::format("found bytes {} to {} in lane {} of warp {} of group ({}, {}, {})", address, end, lane, warp_,
                    group_[0], group_[1], group_[2]),
        "give `dynamic_shared_memory = BYTES` where the kernel has an array without a size, or check the block");
  });
}

/// The lanes in which a block runs, of those that got there.
LaneMask WarpRun::active_lanes(LaneMask arrived) {
  const auto& mask = kernel_.input.program.mask;
  if (!mask) return arrived;
  Input input;
  input.kind = Input::Kind::Register;
  input.registers = *mask;
  touch(input, 1);
  if (closing_ && !motion(input, 0).rests()) closable_ = false;
  return value(input, 0);
}

/// Where a new execution mask is not known, the user may have said how many of the lanes stay active.
void WarpRun::settle_mask(std::uint32_t instruction) {
  Input input;
  input.kind = Input::Kind::Register;
  input.registers = *kernel_.input.program.mask;
  const auto unknown = unknown_bits(input.registers);
  if (unknown == 0) return;
  const auto share = kernel_.taken[instruction];
  if (!share)
    fail_by_data(instruction, input, "the execution mask",
                 fmt::format("`taken {}=SHARE` of the lanes that stay active", kernel_.at(instruction).line));
  set_bits(input.registers, (value(input, 0) & ~unknown) | drawn(instruction, unknown, *share), 0, instruction);
}

void WarpRun::arrive(std::uint32_t instruction, LaneMask mask) {
  const auto& block_of = kernel_.input.flow.block_of;
  if (mask != 0 && instruction < block_of.size()) arrivals_[block_of[instruction]] |= mask;
}

void WarpRun::leave(std::uint32_t index, LaneMask mask) {
  using Flow = Instruction::Flow;
  const auto& block = kernel_.input.flow.blocks[index];
  const auto last = block.last - 1;
  const auto& instruction = kernel_.at(last);
  if (instruction.flow == Flow::Table) return jump_by_index(last, mask);
  if (!is_jump(instruction)) return arrive(block.last, mask);
  const auto& side_of = kernel_.input.branch_of;
  const auto& guard = instruction.guard;
  const auto is_side = [&](std::uint32_t side) { return side_of[side] == index; };
  // Under a predicate, lanes of which nothing is known count for both sides.
  if (guard && std::ranges::any_of(block.successors, is_side) && known(*guard, mask) != mask && !kernel_.taken[last]) {
    touch(*guard, mask);
    for (const auto side : block.successors)
      if (is_side(side)) arrivals_[side] |= mask;
    return;
  }
  const auto jumps = guard ? jumping(last, index, mask) : mask;
  if (instruction.flow == Flow::Jump) arrive(instruction.targets.front(), jumps);
  arrive(block.last, mask & ~jumps);
}

LaneMask WarpRun::jumping(std::uint32_t instruction, std::uint32_t block, LaneMask mask) {
  const auto& guard = *kernel_.at(instruction).guard;
  touch(guard, mask);
  const auto certain = known(guard, mask);
  if (closing_ && is_uniform(guard) && !motion(guard, 0).rests()) closable_ = false;
  auto jumps = true_lanes(guard, certain);
  if (certain != mask) jumps |= jumping_by_data(instruction, block, mask & ~certain, guard);
  return jumps;
}

/// By what the user says: trips of the loop that one of the sides leaves, or a share of the lanes.
LaneMask WarpRun::jumping_by_data(std::uint32_t instruction, std::uint32_t block, LaneMask mask, const Input& guard) {
  if (const auto jumps = jump_by_trips(instruction, block)) return *jumps ? mask : 0;
  const auto share = kernel_.taken[instruction];
  if (const auto jumps = jump_from_errors(instruction); jumps && !share) return *jumps ? mask : 0;
  if (!share) {
    const auto& program = kernel_.input.program;
    const auto& targets = kernel_.at(instruction).targets;
    auto label = targets.empty() ? std::string("LABEL") : place_name(program, targets.front());
    if (label.starts_with('$')) label.erase(0, 1);
    if (label.starts_with("line ")) label = std::to_string(kernel_.at(instruction).line);
    std::string trips;
    if (!frames_.empty()) {
      auto loop = frames_.back().info->loop->label;
      if (loop.starts_with('$')) loop.erase(0, 1);
      trips = fmt::format(", or `trips {}=N` for the loop around it", loop);
    }
    fail_by_data(instruction, guard, "a branch",
                 fmt::format("`taken {}=SHARE` of the lanes that jump{}", label, trips));
  }
  // A warp goes where its uniform guard says as a whole.
  if (is_uniform(guard)) return drawn(instruction, 1, *share) != 0 ? mask : 0;
  return drawn(instruction, mask, *share);
}

/// Of two sides of which one ends in an error, lanes take the other one.
std::optional<bool> WarpRun::jump_from_errors(std::uint32_t instruction) const {
  const auto& flow = kernel_.input.flow;
  const auto& jump = kernel_.at(instruction);
  const auto fails = [&](std::uint32_t place) {
    return place < flow.block_of.size() && kernel_.failing[flow.block_of[place]];
  };
  if (jump.flow == Instruction::Flow::Exit) return jump.fails ? std::optional(false) : std::nullopt;
  if (jump.flow != Instruction::Flow::Jump || jump.targets.empty()) return std::nullopt;
  const bool by_jump = fails(jump.targets.front()), by_going_on = fails(instruction + 1);
  if (by_jump == by_going_on) return std::nullopt;
  return by_going_on;
}

/// A share of some lanes, drawn for each thread and visit.
LaneMask WarpRun::drawn(std::uint32_t instruction, LaneMask mask, double share) {
  if (share <= 0) return 0;
  if (share >= 1) return mask;
  closable_ = false;
  LaneMask result = 0;
  const auto visit = ++visits_;
  const auto& grid = kernel_.input.launch.grid;
  for_each_lane(mask, [&](std::size_t lane) {
    const auto thread = static_cast<std::uint64_t>((group_[2] * grid[1] + group_[1]) * grid[0] + group_[0]) * 1024 +
                        static_cast<std::uint64_t>(warp_) * lanes_ + lane;
    const auto number =
        static_cast<double>(scattered(scattered(thread) + visit + (std::uint64_t{instruction} << 32)) >> 11) * 0x1p-53;
    if (number < share) result |= LaneMask{1} << lane;
  });
  return result;
}

std::optional<bool> WarpRun::jump_by_trips(std::uint32_t instruction, std::uint32_t block) {
  const auto& block_of = kernel_.input.flow.block_of;
  const auto inside = [&](const LoopInfo& info, std::uint32_t place) {
    return place < block_of.size() && info.members[block_of[place]];
  };
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
    const auto& info = *frame->info;
    const auto& targets = kernel_.at(instruction).targets;
    if (!info.trips || targets.empty()) continue;
    const bool stays_by_jump = inside(info, targets.front());
    const bool stays_by_going_on = inside(info, instruction + 1);
    if (stays_by_jump == stays_by_going_on) continue;
    // A test at the top is also made by the iteration that leaves.
    const bool latch = std::ranges::count(kernel_.input.flow.blocks[block].successors, info.loop->header) > 0;
    const bool at_top = block == info.loop->header && !latch;
    const bool stay = at_top ? frame->iterations <= *info.trips : frame->iterations < *info.trips;
    return stay == stays_by_jump;
  }
  return std::nullopt;
}

void WarpRun::jump_by_index(std::uint32_t instruction, LaneMask mask) {
  const auto& jump = kernel_.at(instruction);
  const auto& index = *jump.index;
  if (jump.guard) {
    const auto jumps = jumping(instruction, kernel_.input.flow.block_of[instruction], mask);
    arrive(instruction + 1, mask & ~jumps);
    mask = jumps;
  }
  touch(index, mask);
  if (known(index, mask) != mask) fail_by_data(instruction, index, "a jump through a table", "");
  for_each_lane(mask, [&](std::size_t lane) {
    const auto which = value(index, lane);
    if (!motion(index, lane).rests()) closable_ = false;
    if (which >= jump.targets.size())
      kernel_.fail(instruction, "an index stays within its table of targets",
                   fmt::format("found {} of {}", which, jump.targets.size()), "");
    arrive(jump.targets[which], LaneMask{1} << lane);
  });
}

}  // namespace warpipe::isa
