// Reads and writes of a warp's registers.
#include <algorithm>
#include <bit>
#include <limits>

#include "lanes/interpreter.hpp"

namespace warpipe::isa {
namespace {

bool differs_by_lane(const Special& special) {
  using Name = Special::Name;
  return special.name == Name::ThreadIndex || special.name == Name::LaneIndex || special.name == Name::LaneBit ||
         special.name == Name::LanesBelow || special.name == Name::LanesUpTo || special.name == Name::LanesAbove ||
         special.name == Name::LanesFrom;
}

/// The lanes meant by a special name; none for any other name.
LaneMask lane_mask(Special::Name name, std::size_t lane, std::size_t lanes) {
  using Name = Special::Name;
  const auto own = LaneMask{1} << lane;
  switch (name) {
    case Name::LaneBit:
      return own;
    case Name::LanesBelow:
      return own - 1;
    case Name::LanesUpTo:
      return own | (own - 1);
    case Name::LanesAbove:
      return truncated(~(own | (own - 1)), static_cast<int>(lanes));
    case Name::LanesFrom:
      return truncated(~(own - 1), static_cast<int>(lanes));
    default:
      return 0;
  }
}

}  // namespace

LaneRegisters::LaneRegisters(const Prepared& kernel)
    : values(kernel.values),
      moving(kernel.per_lane.size()),
      same(kernel.per_lane.size()),
      // Registers read before their first write are unknown.
      unknown(kernel.per_lane.size(), ~LaneMask{0}),
      origin(kernel.per_lane.size(), std::numeric_limits<std::uint32_t>::max()),
      written(kernel.per_lane.size()),
      carried(kernel.per_lane.size()) {}

void Interpreter::touch(const RegisterRange& range, LaneMask mask) {
  if (!closing_) return;
  for (std::uint32_t i = 0; i < range.count; ++i) {
    const auto reg = range.first + i;
    registers_.carried[reg] |= (is_uniform(reg) ? 1 : mask) & ~registers_.written[reg];
  }
}

void Interpreter::touch(const Input& input, LaneMask mask) {
  if (input.kind == Input::Kind::Register) touch(input.registers, input.lane ? LaneMask{1} << *input.lane : mask);
}

/// The unknown bits of a uniform number.
std::uint64_t Interpreter::unknown_bits(const RegisterRange& range) const {
  std::uint64_t unknown = 0;
  int shift = 0;
  for (std::uint32_t i = 0; i < range.count; ++i) {
    const auto bits = bits_of(range.first + i);
    unknown |= truncated(registers_.unknown[range.first + i], bits) << shift;
    shift += bits;
  }
  return unknown;
}

/// Filters a mask for lanes with a known input.
LaneMask Interpreter::known(const Input& input, LaneMask mask) const {
  if (input.kind == Input::Kind::Missing) return 0;
  if (input.kind == Input::Kind::Parameter) {
    if (input.index == kNoParameter || input.part) return 0;
    const auto& argument = kernel_.input.arguments[input.index];
    return argument.bits && !argument.is_tried ? mask : 0;
  }
  if (input.kind != Input::Kind::Register) return mask;
  const auto& range = input.registers;
  if (is_uniform(range.first)) {
    const auto unknown = unknown_bits(range);
    return input.bit_of_lane ? mask & ~unknown : unknown == 0 ? mask : 0;
  }
  if (input.lane) {
    for (std::uint32_t i = 0; i < range.count; ++i)
      if (((registers_.unknown[range.first + i] >> *input.lane) & 1) != 0) return 0;
    return mask;
  }
  for (std::uint32_t i = 0; i < range.count; ++i) mask &= ~registers_.unknown[range.first + i];
  return mask;
}

std::uint64_t Interpreter::register_value(const Input& input, std::size_t lane) const {
  const auto& range = input.registers;
  lane = input.lane.value_or(lane);
  auto number = registers_.values[place(range.first, lane)];
  int shift = bits_of(range.first);
  for (std::uint32_t i = 1; i < range.count; ++i) {
    number |= registers_.values[place(range.first + i, lane)] << shift;
    shift += bits_of(range.first + i);
  }
  if (input.bit_of_lane) number = (number >> lane) & 1;
  return input.negated ? (number == 0 ? 1 : 0) : number;
}

std::uint64_t Interpreter::value(const Input& input, std::size_t lane) const {
  switch (input.kind) {
    case Input::Kind::Register:
      return register_value(input, lane);
    case Input::Kind::Special:
      return special(input.special, lane);
    case Input::Kind::Parameter:
      return input.index == kNoParameter ? 0 : kernel_.input.arguments[input.index].bits.value_or(0);
    case Input::Kind::Region:
      return kernel_.memory.address_of(input.index) + input.bits;
    default:
      return input.bits;
  }
}

Motion Interpreter::motion(std::uint32_t reg, std::size_t lane) const {
  const auto bit = is_uniform(reg) ? 0 : lane;
  return ((registers_.moving[reg] >> bit) & 1) != 0 ? registers_.motions[place(reg, lane)] : Motion{};
}

void Interpreter::set_motion(std::uint32_t reg, LaneMask mask, const Motion& motion) {
  if (motion.rests()) {
    registers_.moving[reg] &= ~mask;
    return;
  }
  registers_.moving[reg] |= mask;
  registers_.motions.resize(kernel_.values);
  for_each_lane(mask, [&](std::size_t lane) { registers_.motions[place(reg, lane)] = motion; });
}

/// Upper registers of several move as seen while the lower registers stay within their bits.
Motion Interpreter::motion(const Input& input, std::size_t lane) {
  if (input.kind != Input::Kind::Register) return {};
  lane = input.lane.value_or(lane);
  const auto& range = input.registers;
  auto joined = motion(range.first, lane);
  if (input.bit_of_lane && !joined.rests()) closable_ = false;
  int shift = 0;
  for (std::uint32_t i = 1; i < range.count; ++i) {
    const auto low = range.first + i - 1;
    const auto at = place(low, lane);
    const auto bits = bits_of(low);
    horizon_.limit(while_in_range(registers_.values[at], motion(low, lane).stride, bits));
    if (i == 1) joined.stride = static_cast<std::uint64_t>(sign_extended(joined.stride, bits));
    shift += bits;
    const auto upper = motion(low + 1, lane);
    joined.stride += upper.stride << shift;
    joined.holds.limit(upper.holds.iterations);
  }
  return joined;
}

/// Whether an input is the same in some lanes.
bool Interpreter::is_same(const Input& input, LaneMask mask) const {
  if (input.kind == Input::Kind::Special) return !differs_by_lane(input.special);
  if (input.kind != Input::Kind::Register) return true;
  if (is_uniform(input.registers.first)) return !input.bit_of_lane;
  if (input.lane) return true;
  for (std::uint32_t i = 0; i < input.registers.count; ++i)
    if ((mask & ~registers_.same[input.registers.first + i]) != 0) return false;
  return true;
}

/// Whether an input does not move from iteration to iteration in some lanes.
bool Interpreter::rests(const Input& input, LaneMask mask) const {
  if (input.kind != Input::Kind::Register) return true;
  const auto lanes = is_uniform(input.registers.first) ? 1 : input.lane ? LaneMask{1} << *input.lane : mask;
  for (std::uint32_t i = 0; i < input.registers.count; ++i)
    if ((registers_.moving[input.registers.first + i] & lanes) != 0) return false;
  return true;
}

/// The numbers of an input in some lanes; the numbers of all other lanes are arbitrary.
/// @param room  holds the numbers where no register does
const std::uint64_t* Interpreter::by_lane(const Input& input, LaneMask mask, LaneNumbers& room) const {
  const bool is_register = input.kind == Input::Kind::Register && !is_uniform(input.registers.first);
  if (is_register && input.registers.count == 1 && !input.negated && !input.bit_of_lane && !input.lane)
    return &registers_.values[place(input.registers.first, 0)];
  if ((!is_register || input.lane) && is_same(input, mask)) {
    room.fill(value(input, 0));
    return room.data();
  }
  room.fill(0);
  for_each_lane(mask, [&](std::size_t lane) { room[lane] = value(input, lane); });
  return room.data();
}

/// Writes each lane its own number; all numbers rest.
void Interpreter::write_lanes(const RegisterRange& range, LaneMask mask, LaneNumbers& numbers) {
  for (std::uint32_t i = 0; i < range.count; ++i) {
    const auto reg = range.first + i;
    const auto bits = bits_of(reg);
    auto* const values = &registers_.values[place(reg, 0)];
    if (mask == all_lanes_)
      for (std::size_t lane = 0; lane < lanes_; ++lane) values[lane] = truncated(numbers[lane], bits);
    else
      for_each_lane(mask, [&](std::size_t lane) { values[lane] = truncated(numbers[lane], bits); });
    registers_.moving[reg] &= ~mask;
    registers_.same[reg] = std::bit_floor(mask);
    registers_.unknown[reg] &= ~mask;
    registers_.written[reg] |= mask;
    if (bits >= 64 || i + 1 == range.count) return;
    for (auto& number : numbers) number >>= bits;
  }
}

/// The instruction that made an unknown input unknown.
std::uint32_t Interpreter::origin_of(const Input& input) const {
  const auto& range = input.registers;
  for (std::uint32_t i = 0; i < range.count; ++i)
    if (registers_.unknown[range.first + i] != 0) return registers_.origin[range.first + i];
  return registers_.origin[range.first];
}

/// Writes the same number to some lanes.
void Interpreter::write(std::uint32_t reg, LaneMask mask, std::uint64_t result, const Motion& motion) {
  if (is_uniform(reg)) mask = 1;
  const auto written = truncated(result, bits_of(reg));
  for_each_lane(mask, [&](std::size_t lane) { registers_.values[place(reg, lane)] = written; });
  set_motion(reg, mask, motion);
  registers_.same[reg] = mask;
  registers_.unknown[reg] &= is_uniform(reg) ? 0 : ~mask;
  registers_.written[reg] |= mask;
}

void Interpreter::write(const RegisterRange& range, LaneMask mask, std::uint64_t result, const Motion& motion) {
  auto moves = motion;
  for (std::uint32_t i = 0; i < range.count; ++i) {
    const auto bits = bits_of(range.first + i);
    const bool last = i + 1 == range.count;
    write(range.first + i, mask, result, moves);
    if (last || bits >= 64) return;
    // The upper registers rest while this register stays within its bits.
    const auto stride = static_cast<std::uint64_t>(sign_extended(moves.stride, bits));
    if (stride != moves.stride) closable_ = false;
    horizon_.limit(while_in_range(truncated(result, bits), stride, bits));
    moves.stride = 0;
    result >>= bits;
  }
}

/// Keeps made-up values, but marks them unknown.
void Interpreter::lose(const RegisterRange& range, LaneMask mask, std::uint32_t origin) {
  for (std::uint32_t i = 0; i < range.count; ++i) {
    const auto reg = range.first + i;
    registers_.unknown[reg] |= is_uniform(reg) ? ~LaneMask{0} : mask;
    registers_.origin[reg] = origin;
    registers_.same[reg] &= ~mask;
  }
}

void Interpreter::forget(const RegisterRange& range, LaneMask mask, std::uint32_t origin) {
  if (mask == 0) return;
  for (std::uint32_t i = 0; i < range.count; ++i) {
    const auto reg = range.first + i;
    const auto lanes = is_uniform(reg) ? 1 : mask;
    registers_.unknown[reg] |= is_uniform(reg) ? ~LaneMask{0} : mask;
    registers_.origin[reg] = origin;
    registers_.written[reg] |= lanes;
    registers_.moving[reg] &= ~lanes;
  }
}

/// Writes a uniform number with some unknown bits.
void Interpreter::set_bits(const RegisterRange& range, std::uint64_t result, std::uint64_t unknown,
                           std::uint32_t origin) {
  for (std::uint32_t i = 0; i < range.count; ++i) {
    const auto reg = range.first + i;
    const auto bits = bits_of(reg);
    write(reg, 1, result, {});
    registers_.unknown[reg] = truncated(unknown, bits);
    if (registers_.unknown[reg] != 0) registers_.origin[reg] = origin;
    if (bits >= 64) return;
    result >>= bits;
    unknown >>= bits;
  }
}

LaneMask Interpreter::true_lanes(const Input& guard, LaneMask mask) const {
  if (mask != 0 && is_uniform(guard)) return value(guard, 0) != 0 ? mask : 0;
  LaneNumbers room;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled where used
  auto positive = guard;
  positive.negated = false;
  const auto* const numbers = by_lane(positive, mask, room);
  const auto result = lanes_where(lanes_, [&](std::size_t lane) { return numbers[lane] != 0; });
  return (guard.negated && guard.kind == Input::Kind::Register ? ~result : result) & mask;
}

std::uint64_t Interpreter::special(const Special& special, std::size_t lane) const {
  using Name = Special::Name;
  const auto& launch = kernel_.input.launch;
  const auto number = [](std::int64_t whole) { return static_cast<std::uint64_t>(whole); };
  switch (special.name) {
    case Name::ThreadIndex:
      return thread_index(lane, special.axis);
    case Name::GroupSize:
      return number(launch.block[special.axis]);
    case Name::GroupIndex:
      return number(group_[special.axis]);
    case Name::GridSize:
      return number(launch.grid[special.axis]);
    case Name::LaneIndex:
      return lane;
    case Name::WarpIndex:
      return number(warp_);
    case Name::WarpCount:
      return number(warps_per_group(kernel_.input));
    case Name::LanesPerWarp:
      return lanes_;
    case Name::DynamicSharedBytes:
      return number(launch.dynamic_shared_memory);
    case Name::GridWorkspace:
      return kernel_.memory.address_of(*kernel_.input.program.grid_workspace) >> (32 * special.axis) & UINT32_MAX;
    default:
      return lane_mask(special.name, lane, lanes_);
  }
}

std::uint64_t Interpreter::thread_index(std::size_t lane, std::size_t axis) const {
  const auto& block = kernel_.input.launch.block;
  const auto linear = warp_ * static_cast<std::int64_t>(lanes_) + static_cast<std::int64_t>(lane);
  const Dimensions thread{linear % block[0], linear / block[0] % block[1], linear / block[0] / block[1]};
  return static_cast<std::uint64_t>(thread[axis]);
}

}  // namespace warpipe::isa
