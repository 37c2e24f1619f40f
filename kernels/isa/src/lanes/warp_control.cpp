// Control at the end of a block, and the addresses of accesses.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <tuple>

#include "lanes/interpreter.hpp"

namespace warpipe::isa {
namespace {

constexpr std::int64_t kDrawnGroups = 16;  ///< with draws of their own: more would make each group a kind of its own

/// Thread-private memory is laid out with the words of neighbouring lanes as neighbours.
std::uint64_t interleaved(std::uint64_t address, std::size_t lane, std::size_t lanes) {
  const auto word = (address & ~kWindowMask) / 4;
  return (word * lanes + lane) * 4 + address % 4;
}

}  // namespace

std::uint64_t Interpreter::scattered(std::uint64_t x) {
  x = (x + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 29)) * 0x94d049bb133111eb;
  return x ^ (x >> 32);
}

/// The addresses of some lanes; the numbers of all other lanes are arbitrary. Addresses of shared and thread-private
/// memory and of constants have 32 bits where their base has 32 bits, and wrap around.
void Interpreter::find_addresses(const Access& access, LaneMask mask, LaneNumbers& addresses) const {
  LaneNumbers room;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled where used
  const auto* numbers = by_lane(access.base, mask, room);
  const auto offset = static_cast<std::uint64_t>(access.offset);
  for (std::size_t lane = 0; lane < lanes_; ++lane) addresses[lane] = numbers[lane] * access.scale + offset;
  if (access.uniform_base) {
    numbers = by_lane(*access.uniform_base, mask, room);
    for (std::size_t lane = 0; lane < lanes_; ++lane) addresses[lane] += numbers[lane];
  }
  for (const auto& [coordinate, bytes] : access.terms)
    for_each_lane(mask, [&, &along = coordinate, &each = bytes](std::size_t lane) {
      addresses[lane] += static_cast<std::uint64_t>(signed_value(along, lane) * each);
    });
  if (const auto& tile = access.tile)
    for_each_lane(mask, [&](std::size_t lane) {
      const auto row = static_cast<std::int64_t>(lane) / tile->lanes_per_row;
      const auto column = static_cast<std::int64_t>(lane) % tile->lanes_per_row;
      addresses[lane] += static_cast<std::uint64_t>(row * signed_value(tile->pitch, lane) * tile->element_bytes +
                                                    column * access.bytes);
    });
  const auto& base = access.base;
  const bool narrow = base.kind == Input::Kind::Register && base.registers.count == 1 && !access.uniform_base &&
                      bits_of(base.registers.first) == 32;
  const bool windowed =
      access.space == Space::Shared || access.space == Space::Local || access.space == Space::Constant;
  if (!narrow || !windowed) return;
  for (std::size_t lane = 0; lane < lanes_; ++lane) addresses[lane] = truncated(addresses[lane], 32);
}

/// Filters a mask for lanes with a known address.
LaneMask Interpreter::known_address(const Access& access, LaneMask mask) const {
  auto certain = known(access.base, mask);
  if (access.uniform_base) certain = known(*access.uniform_base, certain);
  for (const auto& term : access.terms) certain = known(term.coordinate, certain);
  if (access.tile) certain = known(access.tile->pitch, certain);
  return certain;
}

/// A number widened by its sign.
std::int64_t Interpreter::signed_value(const Input& input, std::size_t lane) const {
  return sign_extended(value(input, lane), input.kind == Input::Kind::Register ? bits_of(input.registers.first) : 32);
}

Motion Interpreter::address_motion(const Access& access, std::size_t lane) {
  auto moves = motion(access.base, lane);
  for (const auto& [coordinate, bytes] : access.terms) {
    const auto along = motion(coordinate, lane);
    moves.stride += static_cast<std::uint64_t>(sign_extended(along.stride, 32) * bytes);
    moves.holds.limit(along.holds.iterations);
  }
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

void Interpreter::access(const Step& next, LaneMask mask, Iteration& iteration) {
  const auto& access = *next.instruction->access;
  touch(access.base, mask);
  if (access.uniform_base) touch(*access.uniform_base, mask);
  for (const auto& term : access.terms) touch(term.coordinate, mask);
  if (access.lanes < 64) mask &= (LaneMask{1} << access.lanes) - 1;
  if (const auto& tile = access.tile) {
    touch(tile->pitch, mask);
    if (closing_ && !motion(tile->pitch, 0).rests()) closable_ = false;
  }
  if (mask == 0) return;
  if (companions_.trial != nullptr) return note_addresses(next, mask);
  const auto certain = known_address(access, mask);
  std::optional<AddressPattern> pattern;
  if (certain != mask && !kernel_.patterns.empty()) pattern = kernel_.patterns[next.index];
  if (certain != mask && !pattern)
    pattern = taken(companions_.questions.address(*this, next.index, unknown_part(access, mask)));
  if (stop_) return;
  if (pattern && pattern->coalesced) closable_ = false;
  if (!kernel_.input.slice.accesses && access.space == Space::Global) return;  // its address decides nothing
  Iteration::Event event{&next, mask, iteration.numbers.size()};
  iteration.numbers.resize(event.addresses + (closing_ ? 2 : 1) * lanes_);
  const std::span reached(&iteration.numbers[event.addresses], lanes_);
  const auto strides = std::span(iteration.numbers).subspan(event.addresses + lanes_);
  LaneNumbers addresses;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled where used
  find_addresses(access, mask, addresses);
  for_each_lane(mask, [&](std::size_t lane) {
    auto address = addresses[lane];
    if (((certain >> lane) & 1) == 0) address = assumed_address(next.index, *pattern, lane, address);
    const auto window = address & kWindowMask;
    const bool local = access.space == Space::Local || (access.space == Space::Generic && window == kLocalWindow);
    reached[lane] = local ? interleaved(address, lane, lanes_) : address;
    if (access.space == Space::Generic) reached[lane] |= window;  // left out by the interleaving
    if (!closing_) return;
    const auto moves = address_motion(access, lane);
    strides[lane] = moves.stride * (local ? lanes_ : 1);
    const bool global = access.space == Space::Global || (access.space == Space::Generic && window == 0);
    (global ? event.holds : horizon_).limit(moves.holds.iterations);
  });
  if (access.bulk) {
    share_among_lanes(mask, static_cast<std::uint64_t>(access.bytes), reached, strides);
    event.mask = all_lanes_;
  }
  check_shared(next, mask, reached);
  iteration.events.push_back(event);
}

/// Shares a lane's bulk copy among the lanes of the warp, as if each lane moved its part.
void Interpreter::share_among_lanes(LaneMask mask, std::uint64_t bytes, std::span<std::uint64_t> addresses,
                                    std::span<std::uint64_t> strides) const {
  const auto first = static_cast<std::size_t>(std::countr_zero(mask));
  const auto address = addresses[first];
  const auto stride = strides.empty() ? 0 : strides[first];
  for (std::size_t lane = 0; lane < lanes_; ++lane) addresses[lane] = address + lane * bytes;
  std::ranges::fill(strides, stride);
}

const Input& Interpreter::unknown_part(const Access& access, LaneMask mask) const {
  for (const auto& term : access.terms)
    if (known(term.coordinate, mask) != mask) return term.coordinate;
  if (access.tile && known(access.tile->pitch, mask) != mask) return access.tile->pitch;
  return known(access.base, mask) != mask ? access.base : *access.uniform_base;
}

/// Notes the barrier object of an instruction. An unknown place is left for later to guess.
void Interpreter::note_barrier(const Step& next, LaneMask mask) {
  if (!kernel_.input.slice.accesses || companions_.trial != nullptr) return;
  const auto& use = *next.instruction->barrier;
  const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
  const auto one = LaneMask{1} << lane;
  auto& seen = execution_.barriers[next.index];
  touch(use.place, one);
  if (closing_ && !motion(use.place, lane).rests()) closable_ = false;
  if (known(use.place, one) == 0)
    seen.is_known = false;
  else if (seen.places.size() < kMostBarriers)
    seen.places.insert(value(use.place, lane) + static_cast<std::uint64_t>(use.offset));
  if (seen.order > 0) return;
  seen.order = ++execution_.barriers_seen;
  if (use.parity && known(*use.parity, one) != 0) seen.first_parity = value(*use.parity, lane) & 1;
}

bool Interpreter::may_be_known(const Access& access) const {
  return recorded_ || kernel_.memory.may_know(access.space) ||
         (kernel_.follows_memory && access.kind == Access::Kind::Load);
}

/// The number a lane got at an address in the recorded execution; nothing without a record.
/// @param mask  the lanes loading together
std::optional<std::uint64_t> Interpreter::recorded(const Access& access, RecordedLoad::By by, LaneMask mask,
                                                   std::size_t lane, std::uint64_t address) {
  if (!recorded_ || access.kind == Access::Kind::Matrix) return std::nullopt;
  const auto place = kernel_.recorded->recorded(access.space, address);
  if (!place) return std::nullopt;
  const auto bytes = access.element.bits / 8;
  std::optional<LoadIndex::Found> found;
  // A single lane may go for the whole warp, in compiled code.
  if (by == RecordedLoad::By::Atomic && std::has_single_bit(mask)) found = recorded_->next_of_warp(*place, bytes, by);
  if (!found) found = recorded_->next(lane, *place, bytes, by);
  if (!found) return std::nullopt;
  if (found->history) closable_ = false;
  if (found->history && takes_long()) changed_.push_back(*found->history);
  return found->value;
}

/// Loads from given arrays, or from the warp's own stores.
/// @return whether the number is known; an unknown number leaves `value` unchanged
bool Interpreter::loaded(const Access& access, std::size_t lane, std::uint64_t address, std::uint64_t& value) const {
  if (access.kind == Access::Kind::Matrix) return false;
  if (kernel_.memory.may_know(access.space))
    if (const auto given = kernel_.memory.load(access.space, address, access.element)) {
      value = *given;
      return true;
    }
  if (!kernel_.follows_memory || access.kind != Access::Kind::Load) return false;
  return memory_.read(access.space, lane, address, access.element.bits / 8, value);
}

/// Whether a lane's address lies where all groups of the launch meet.
bool Interpreter::meets_grid(const Access& access, LaneMask mask, const LaneNumbers& addresses) const {
  const auto workspace = kernel_.input.program.grid_workspace;
  if (!workspace || (access.space != Space::Global && access.space != Space::Generic)) return false;
  const auto known = known_address(access, mask);
  if (known == 0) return false;
  const auto lane = static_cast<std::size_t>(std::countr_zero(known));
  return kernel_.memory.region_at(Space::Global, addresses[lane]) == workspace;
}

void Interpreter::load(const Step& next, const Assignment& assignment, LaneMask mask) {
  const auto& access = *next.instruction->access;
  const auto& type = access.element;
  const auto by = by_of(*next.instruction);
  const auto certain = may_be_known(access) ? known_address(access, mask) : 0;
  // Before a loaded number overwrites the registers of the addresses.
  LaneNumbers addresses;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled where used
  LaneMask moving = 0;
  find_addresses(access, mask, addresses);
  if (closing_)
    for_each_lane(mask, [&](std::size_t lane) { moving |= LaneMask{!address_motion(access, lane).rests()} << lane; });
  if (meets_grid(access, mask, addresses)) execution_.grid_barriers.insert(next.index);
  for (std::size_t i = 0; i < assignment.outputs.size(); ++i) {
    const auto& output = assignment.outputs[i].registers;
    forget(output, mask, next.index);
    if (makes_up_) {
      if (moving != 0) closable_ = false;
      load_made_up(next, output, mask, addresses, i);
    }
    LaneNumbers numbers;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled where used
    LaneMask filled = 0;
    for_each_lane(certain, [&](std::size_t lane) {
      const auto address = addresses[lane] + i * static_cast<std::uint64_t>(type.bits / 8);
      std::uint64_t found = 0;
      if (const auto known = recorded(access, by, mask, lane, address)) {
        found = *known;
      } else if (!loaded(access, lane, address, found)) {
        const auto field = kernel_.memory.structure_at(access.space, address);
        if (const auto few = field ? std::nullopt : kernel_.memory.too_few(access.space, address, access.element))
          execution_.too_few[next.index] = *few;
        if (!field) return;
        if (!kernel_.pointers[next.index]) {
          execution_.missing_fields[next.index].insert({field->parameter, field->offset});
          return;
        }
        found = kernel_.memory.pointer_at(*field);
      }
      if (((moving >> lane) & 1) != 0) closable_ = false;
      // A narrow load is widened by its sign.
      numbers[lane] =
          type.kind == Type::Kind::Signed ? static_cast<std::uint64_t>(sign_extended(found, type.bits)) : found;
      filled |= LaneMask{1} << lane;
    });
    write_loaded(output, filled, numbers);
  }
}

/// The last lane's number counts for a uniform register.
void Interpreter::write_loaded(const RegisterRange& output, LaneMask mask, LaneNumbers& numbers) {
  if (mask == 0 || output.count == 0) return;
  if (!is_uniform(output.first)) return write_lanes(output, mask, numbers);
  for_each_lane(mask, [&](std::size_t lane) { write(output, LaneMask{1} << lane, numbers[lane]); });
}

/// Loads made-up values in place of unknown values.
void Interpreter::load_made_up(const Step& next, const RegisterRange& output, LaneMask mask,
                               const LaneNumbers& addresses, std::size_t element) {
  const auto& access = *next.instruction->access;
  LaneNumbers numbers;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled where used
  for_each_lane(mask, [&](std::size_t lane) {
    const auto address = addresses[lane] + element * static_cast<std::uint64_t>(access.element.bits / 8);
    numbers[lane] = made_up(access, address, access.element, lane);
  });
  write_loaded(output, mask, numbers);
  lose(output, mask, next.index);
}

/// Shared memory without a size from file or launch grows with the accesses.
bool Interpreter::fits_unsaid_shared(std::uint64_t address, std::uint64_t end) {
  if (end < address || end > static_cast<std::uint64_t>(kernel_.most_unsaid_shared)) return false;
  execution_.shared_memory = std::max(execution_.shared_memory, static_cast<std::int64_t>(end));
  execution_.unsaid_shared_memory = execution_.shared_memory - kernel_.memory.shared_bytes();
  return true;
}

void Interpreter::check_shared(const Step& next, LaneMask mask, std::span<const std::uint64_t> addresses) {
  const auto& access = *next.instruction->access;
  if (access.space != Space::Shared && access.space != Space::Generic) return;
  const auto bytes = static_cast<std::uint64_t>(kernel_.memory.shared_bytes());
  for_each_lane(mask, [&](std::size_t lane) {
    if (stop_ || (access.space == Space::Generic && (addresses[lane] & kWindowMask) != kSharedWindow)) return;
    const auto address = addresses[lane] & ~kWindowMask;
    const auto end = address + static_cast<std::uint64_t>(access.bytes);
    if ((end <= bytes && end >= address) || fits_unsaid_shared(address, end) || execution_.beyond_shared) return;
    const auto problem = kernel_.problem(
        next.index, fmt::format("an access leaves the {} bytes of shared memory", bytes),
        fmt::format("found bytes {} to {} in lane {} of warp {} of group ({}, {}, {})", address, end, lane, warp_,
                    group_[0], group_[1], group_[2]),
        "give `dynamic_shared_memory = BYTES` where the kernel has an array without a size, or check the block");
    // Assumptions about data may lead too far; nothing depends on the place but conflicts of banks.
    if (kernel_.input.launch.assume)
      execution_.beyond_shared = problem;
    else if (kernel_.lacks_shared_bytes)
      stop_ = {Stop::Why::Unknown, UnknownData(problem)};
    else
      throw InputError(problem);
  });
}

/// The active lanes of a block, among the arrived lanes.
LaneMask Interpreter::active_lanes(LaneMask arrived) {
  const auto& mask = kernel_.input.program.mask;
  if (!mask) return arrived;
  Input input;
  input.kind = Input::Kind::Register;
  input.registers = *mask;
  touch(input, 1);
  if (closing_ && !motion(input, 0).rests()) closable_ = false;
  return value(input, 0);
}

/// Where a new execution mask is unknown, the user may have given the share of lanes that stays active.
void Interpreter::settle_mask(std::uint32_t instruction) {
  Input input;
  input.kind = Input::Kind::Register;
  input.registers = *kernel_.input.program.mask;
  const auto unknown = unknown_bits(input.registers);
  if (unknown == 0) return;
  auto share = kernel_.taken[instruction];
  if (companions_.trial != nullptr) share = 1;
  if (!share) share = taken(companions_.questions.active_share(*this, instruction, input, unknown));
  if (!share) return;
  execution_.shared_out.insert(instruction);
  set_bits(input.registers, (value(input, 0) & ~unknown) | drawn(instruction, unknown, *share), 0, instruction);
}

std::string name_of_loop(const LoopInfo& info) {
  return info.loop->label.starts_with('$') ? info.loop->label.substr(1) : info.loop->label;
}

void Interpreter::arrive(std::uint32_t instruction, LaneMask mask) {
  const auto& block_of = kernel_.input.flow.block_of;
  if (mask != 0 && instruction < block_of.size()) arrivals_[block_of[instruction]] |= mask;
}

void Interpreter::leave(std::uint32_t index, LaneMask mask) {
  using Flow = Instruction::Flow;
  const auto& block = kernel_.input.flow.blocks[index];
  const auto last = block.last - 1;
  const auto& instruction = kernel_.at(last);
  if (instruction.flow == Flow::Table) return jump_by_index(last, mask);
  if (!is_jump(instruction)) return arrive(block.last, mask);
  if (companions_.trial != nullptr) return go_both_ways(last, index, mask);
  const auto& side_of = kernel_.input.branch_of;
  const auto& guard = instruction.guard;
  const auto is_side = [&](std::uint32_t side) { return side_of[side] == index; };
  // Under a predicate, lanes with an unknown condition count for both sides.
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

LaneMask Interpreter::jumping(std::uint32_t instruction, std::uint32_t block, LaneMask mask) {
  const auto& guard = *kernel_.at(instruction).guard;
  touch(guard, mask);
  if (const auto said = jump_by_trips(instruction, block); said && said->leaves) return said->jumps ? mask : 0;
  const auto certain = known(guard, mask);
  if (closing_ && is_uniform(guard) && !motion(guard, 0).rests()) closable_ = false;
  auto jumps = true_lanes(guard, certain);
  if (certain != mask) jumps |= jumping_by_data(instruction, block, mask & ~certain, guard);
  return jumps;
}

/// By the user's word: trips of a loop left by one of the sides, or a share of the lanes.
LaneMask Interpreter::jumping_by_data(std::uint32_t instruction, std::uint32_t block, LaneMask mask,
                                      const Input& guard) {
  if (const auto said = jump_by_trips(instruction, block)) return said->jumps ? mask : 0;
  const auto share = kernel_.taken[instruction];
  if (const auto jumps = jump_from_avoided(instruction); jumps && !share) return *jumps ? mask : 0;
  if (const auto* frame = frame_left_by(instruction);
      frame != nullptr && !share && execution_.grid_barriers.contains(origin_of(guard)))
    return jump_in_trip(*frame, instruction, block, 1).jumps ? mask : 0;
  if (!share) {
    const auto found = taken(companions_.questions.branch(*this, instruction, guard, mask));
    if (!found) return 0;
    if (!found->trips) return jumping_by_share(instruction, mask, guard, found->share);
    closable_ = false;  // the end is not in the moving numbers
    return jump_in_trip(*frame_left_by(instruction), instruction, block, *found->trips).jumps ? mask : 0;
  }
  execution_.shared_out.insert(instruction);
  return jumping_by_share(instruction, mask, guard, *share);
}

/// A uniform guard sends a warp as a whole.
LaneMask Interpreter::jumping_by_share(std::uint32_t instruction, LaneMask mask, const Input& guard, double share) {
  if (is_uniform(guard)) return drawn(instruction, 1, share) != 0 ? mask : 0;
  return drawn(instruction, mask, share);
}

/// Where one of two sides ends in an error, or is for extraordinary numbers, lanes take the other side.
std::optional<bool> Interpreter::jump_from_avoided(std::uint32_t instruction) {
  const auto& flow = kernel_.input.flow;
  const auto& jump = kernel_.at(instruction);
  if (jump.fails) return false;
  if (jump.flow != Instruction::Flow::Jump || jump.targets.empty()) return std::nullopt;
  const auto of_infinite = kernel_.jumps_of_infinite.find(instruction);
  const auto side = [&](std::uint32_t place, bool by_jump) {
    const auto why = place < flow.block_of.size() ? kernel_.avoided[flow.block_of[place]] : Avoided::No;
    const bool infinite = of_infinite != kernel_.jumps_of_infinite.end() && of_infinite->second == by_jump;
    return why == Avoided::No && infinite ? Avoided::Rare : why;
  };
  const auto by_jump = side(jump.targets.front(), true), by_going_on = side(instruction + 1, false);
  if ((by_jump == Avoided::No) == (by_going_on == Avoided::No)) return std::nullopt;
  if (by_jump == Avoided::Rare || by_going_on == Avoided::Rare) execution_.usual_ways.insert(instruction);
  return by_going_on != Avoided::No;
}

/// Draws a share of some lanes, for each thread of some neighbouring groups and each visit; all further groups are like
/// these.
LaneMask Interpreter::drawn(std::uint32_t instruction, LaneMask mask, double share) {
  if (share <= 0) return 0;
  if (share >= 1) return mask;
  closable_ = false;
  LaneMask result = 0;
  const auto visit = ++visits_;
  const auto group = index_of_group(kernel_.input.launch.grid, group_) % kDrawnGroups;
  for_each_lane(mask, [&](std::size_t lane) {
    const auto thread = static_cast<std::uint64_t>(group) * 1024 + static_cast<std::uint64_t>(warp_) * lanes_ + lane;
    const auto number =
        static_cast<double>(scattered(scattered(thread) + visit + (std::uint64_t{instruction} << 32)) >> 11) * 0x1p-53;
    if (number < share) result |= LaneMask{1} << lane;
  });
  return result;
}

/// The lanes' way at a jump out of a loop with so many trips.
Interpreter::TripJump Interpreter::jump_in_trip(const LoopFrame& frame, std::uint32_t instruction, std::uint32_t block,
                                                std::int64_t trips) const {
  const auto& info = *frame.info;
  const auto& block_of = kernel_.input.flow.block_of;
  const auto target = kernel_.at(instruction).targets.front();
  const bool stays_by_jump = target < block_of.size() && info.members[block_of[target]];
  // A test at the top is also made by the iteration that leaves.
  const bool latch = std::ranges::count(kernel_.input.flow.blocks[block].successors, info.loop->header) > 0;
  const bool at_top = block == info.loop->header && !latch;
  const bool stays = at_top ? frame.iterations <= trips : frame.iterations < trips;
  return {stays == stays_by_jump, !stays};
}

/// At a jump out of a loop with given trips.
std::optional<Interpreter::TripJump> Interpreter::jump_by_trips(std::uint32_t instruction, std::uint32_t block) const {
  const auto& targets = kernel_.at(instruction).targets;
  if (kernel_.input.launch.trips.empty() || targets.empty()) return std::nullopt;
  const auto& block_of = kernel_.input.flow.block_of;
  const auto inside = [&](const LoopInfo& info, std::uint32_t place) {
    return place < block_of.size() && info.members[block_of[place]];
  };
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
    const auto& info = *frame->info;
    if (!info.trips || inside(info, targets.front()) == inside(info, instruction + 1)) continue;
    return jump_in_trip(*frame, instruction, block, *info.trips);
  }
  return std::nullopt;
}

void Interpreter::jump_by_index(std::uint32_t instruction, LaneMask mask) {
  const auto& jump = kernel_.at(instruction);
  const auto& index = *jump.index;
  if (jump.guard) {
    const auto jumps = jumping(instruction, kernel_.input.flow.block_of[instruction], mask);
    if (stop_) return;
    arrive(instruction + 1, mask & ~jumps);
    mask = jumps;
  }
  touch(index, mask);
  const auto certain = known(index, mask);
  if (companions_.trial != nullptr && certain != mask) {
    for (const auto target : jump.targets) arrive(target, mask);
    return;
  }
  if (certain != mask) stop_ = companions_.questions.table(*this, instruction, index);
  if (stop_) return;
  for_each_lane(mask, [&](std::size_t lane) {
    const bool is_known = ((certain >> lane) & 1) != 0;
    const auto which = is_known ? value(index, lane) - jump.first_index : thread_of_launch(lane) % jump.targets.size();
    if (!motion(index, lane).rests()) closable_ = false;
    if (which >= jump.targets.size())
      kernel_.fail(instruction, "an index stays within its table of targets",
                   fmt::format("found {}, and {} targets", which + jump.first_index, jump.targets.size()), "");
    arrive(jump.targets[which], LaneMask{1} << lane);
  });
}

const LoopFrame* Interpreter::frame_left_by(std::uint32_t instruction) const {
  const auto& targets = kernel_.at(instruction).targets;
  if (targets.empty()) return nullptr;
  const auto& block_of = kernel_.input.flow.block_of;
  const auto inside = [&](const LoopFrame& frame, std::uint32_t place) {
    return place < block_of.size() && frame.info->members[block_of[place]];
  };
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame)
    if (inside(*frame, targets.front()) != inside(*frame, instruction + 1)) return &*frame;
  return nullptr;
}

/// An address by the user's description. Known parts of the address stay, so neighbours are neighbours: a load with an
/// unknown value has left a random-looking address.
/// @param found  the address with made-up values for unknown values
std::uint64_t Interpreter::assumed_address(std::uint32_t instruction, const AddressPattern& pattern, std::size_t lane,
                                           std::uint64_t found) const {
  const auto& access = *kernel_.at(instruction).access;
  const auto base = kernel_.array_bases[instruction].address;
  const auto width = static_cast<std::uint64_t>(access.bytes);
  const auto elements = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(pattern.bytes) / width);
  if (pattern.coalesced) {
    const auto& launch = kernel_.input.launch;
    std::uint64_t threads = 1;
    for (std::size_t axis = 0; axis < 3; ++axis)
      threads *= static_cast<std::uint64_t>(launch.block[axis] * launch.grid[axis]);
    const auto iteration = frames_.empty() ? 0 : static_cast<std::uint64_t>(frames_.back().iterations - 1);
    return base + (thread_of_launch(lane) + iteration * threads) % elements * width;
  }
  return base + (found - base) / width % elements * width;
}

/// The lane's thread number in the launch.
std::uint64_t Interpreter::thread_of_launch(std::size_t lane) const {
  const auto& block = kernel_.input.launch.block;
  const auto group = index_of_group(kernel_.input.launch.grid, group_);
  return static_cast<std::uint64_t>(group * block[0] * block[1] * block[2] +
                                    warp_ * static_cast<std::int64_t>(lanes_)) +
         lane;
}

/// A made-up value in place of an unknown value: the same for the same place in memory, so lanes reading the same go on
/// to the same. Each group has shared memory of its own. An atomic gives neighbouring threads neighbouring numbers.
std::uint64_t Interpreter::made_up(const Access& access, std::uint64_t address, const Type& type,
                                   std::size_t lane) const {
  if (access.kind == Access::Kind::Atomic) return truncated(thread_of_launch(lane), std::min(type.bits, 31));
  const bool of_group = WarpMemory::is_kept(access.space, address);
  const auto group = static_cast<std::uint64_t>(index_of_group(kernel_.input.launch.grid, group_));
  const auto random = scattered(of_group ? address ^ scattered(group) : address);
  if (type.kind != Type::Kind::Float) return truncated(random, std::min(type.bits, 31));
  const auto number = static_cast<double>(random >> 11) * 0x1p-53;
  return type.bits == 64   ? std::bit_cast<std::uint64_t>(number)
         : type.bits == 32 ? std::bit_cast<std::uint32_t>(static_cast<float>(number))
                           : 0;
}

}  // namespace warpipe::isa
