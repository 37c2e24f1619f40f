#include "warpipe/isa/recorded_loads.hpp"

#include <algorithm>
#include <limits>

#include "flow/slice.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::isa {
namespace {

/// Whether a signed difference fits in 32 bits.
bool is_near(std::uint64_t difference) {
  const auto number = static_cast<std::int64_t>(difference);
  return number >= std::numeric_limits<std::int32_t>::min() && number <= std::numeric_limits<std::int32_t>::max();
}

/// Whether an access tells of the arrival of others, not of data.
bool is_of_barrier(const Access& access) {
  return access.atomic.op >= LaneOp::InitialiseBarrier && access.atomic.op <= LaneOp::TestParity;
}

}  // namespace

void RecordedWarp::add(std::uint64_t lanes, std::uint32_t phase, int bytes, RecordedLoad::By by,
                       const std::uint64_t* addresses, const std::uint64_t* values) {
  using Places = RecordedLoad::Places;
  const auto lowest = std::countr_zero(lanes);
  const auto base = addresses[lowest];
  std::uint64_t far = 0;  // lanes too far from the first address
  bool one = true, row = true;
  for (auto rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = std::countr_zero(rest);
    const auto distance = addresses[lane] - base;
    one = one && distance == 0;
    row = row && distance == static_cast<std::uint64_t>((lane - lowest) * bytes);
    if (!is_near(distance)) far |= std::uint64_t{1} << lane;
  }
  const auto near = lanes & ~far;
  const auto places = one ? Places::One : row ? Places::Row : Places::Any;
  loads.push_back({near, base, numbers.size(), phase, places, by, static_cast<std::uint8_t>(bytes)});
  for (auto rest = near; places == Places::Any && rest != 0; rest &= rest - 1)
    numbers.push_back(static_cast<std::uint32_t>(addresses[std::countr_zero(rest)] - base));
  for (auto rest = near; rest != 0; rest &= rest - 1) {
    const auto value = values[std::countr_zero(rest)];
    numbers.push_back(static_cast<std::uint32_t>(value));
    if (bytes == 8) numbers.push_back(static_cast<std::uint32_t>(value >> 32));
    if (one && by == RecordedLoad::By::Load) break;
  }
  if (far != 0) add(far, phase, bytes, by, addresses, values);
}

std::size_t RecordedWarp::bytes() const {
  return loads.size() * sizeof(RecordedLoad) + numbers.size() * sizeof(std::uint32_t);
}

const RecordedGroup* RecordedLoads::find(std::int64_t number) const {
  const auto found = std::ranges::lower_bound(groups, number, {}, &RecordedGroup::number);
  return found == groups.end() || found->number != number ? nullptr : &*found;
}

bool ends_phase(const Instruction& instruction) {
  const auto& barrier = instruction.barrier;
  return instruction.flow == Instruction::Flow::Barrier || (barrier && barrier->named && barrier->awaits);
}

RecordedLoad::By by_of(const Instruction& instruction) {
  using By = RecordedLoad::By;
  if (!instruction.access || instruction.access->kind != Access::Kind::Atomic) return By::Load;
  const bool swaps =
      instruction.name.find("cas") != std::string::npos || instruction.name.find("CAS") != std::string::npos;
  return swaps ? By::CompareAndSwap : By::Atomic;
}

std::vector<bool> deciding_loads(const Program& program) {
  std::vector<bool> needed(program.instructions.size(), true);
  try {
    const auto flow = analyse_control_flow(program);
    needed = find_slice(program, ReachingDefinitions(program, flow)).needed;
  } catch (const InputError&) {  // loops with several entries: then all of them count
  }
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const auto& access = program.instructions[i].access;
    needed[i] = needed[i] && access && !is_of_barrier(*access) && !program.instructions[i].assignments.empty() &&
                (access->kind == Access::Kind::Load || access->kind == Access::Kind::Atomic) &&
                (access->space == Space::Global || access->space == Space::Shared || access->space == Space::Generic);
  }
  return needed;
}

}  // namespace warpipe::isa
