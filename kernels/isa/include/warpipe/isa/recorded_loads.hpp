#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "warpipe/isa/program.hpp"

namespace warpipe::isa {

/// The elements loaded by lanes of a warp in one execution of an instruction, one per lane.
struct RecordedLoad {
  enum class Places : std::uint8_t {
    One,  ///< all lanes at `address`
    Row,  ///< each an element behind the lane before it
    Any   ///< by active lane, bytes from `address`, as signed numbers of 32 bits: before the values in `numbers`
  };
  std::uint64_t lanes = 0;    ///< bit i is of lane i
  std::uint64_t address = 0;  ///< of the lowest lane; of shared memory in its window
  std::size_t first = 0;      ///< of its numbers among RecordedWarp::numbers
  std::uint32_t phase = 0;    ///< barriers of the group already passed by the warp
  Places places = Places::One;
  /// The source of the numbers: a load, or the old numbers of an atomic.
  enum class By : std::uint8_t { Load, Atomic, CompareAndSwap };
  By by = By::Load;
  std::uint8_t bytes = 4;  ///< of an element; an element of 8 bytes is two numbers, the lower first
};

/// All loads of a warp for control and addresses, in the warp's order.
struct RecordedWarp {
  std::vector<RecordedLoad> loads;
  /// By load: the places of its lanes, then the values: a single element for a load from one place, else, and for
  /// atomics, an element for each active lane.
  std::vector<std::uint32_t> numbers;

  /// @param lanes      not 0
  /// @param addresses  by lane
  /// @param values     likewise
  void add(std::uint64_t lanes, std::uint32_t phase, int bytes, RecordedLoad::By by, const std::uint64_t* addresses,
           const std::uint64_t* values);
  /// Calls `visit(lane, address, value)` for each lane of a load.
  template <class Visit>
  void for_each_lane(const RecordedLoad& load, const Visit& visit) const;
  std::size_t bytes() const;
};

struct RecordedGroup {
  std::int64_t number = 0;  ///< x + grid x (y + grid y x z)
  std::vector<RecordedWarp> warps;
  bool is_whole = true;  ///< nothing was left out at its end
};

/// Loads of warps in a launch, recorded during execution by a machine. An import with recorded loads follows the same
/// ways: it executes control and addresses with the recorded numbers, whoever wrote them.
struct RecordedLoads {
  std::vector<RecordedGroup> groups;        ///< by their numbers
  std::vector<std::uint64_t> instructions;  ///< executed by each group of the launch; 0: not known
  struct Range {
    std::uint64_t begin = 0, end = 0;
  };
  std::vector<Range> memory;                       ///< reachable by the launch, by address
  std::map<std::string, std::uint64_t> variables;  ///< places of the program's variables in `memory`

  const RecordedGroup* find(std::int64_t number) const;
};

/// Whether warps of a group meet at the instruction: a phase ends.
bool ends_phase(const Instruction& instruction);

/// The source of an access's numbers; of an atomic the name tells.
RecordedLoad::By by_of(const Instruction& instruction);

/// The loads and atomics of global and shared memory with results that control or addresses need.
/// @return by instruction
std::vector<bool> deciding_loads(const Program& program);

template <class Visit>
void RecordedWarp::for_each_lane(const RecordedLoad& load, const Visit& visit) const {
  using Places = RecordedLoad::Places;
  const auto* places = numbers.data() + load.first;
  const auto* values = places + (load.places == Places::Any ? std::popcount(load.lanes) : 0);
  const bool one_for_all = load.places == Places::One && load.by == RecordedLoad::By::Load;
  const auto first = std::countr_zero(load.lanes);
  for (auto rest = load.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = std::countr_zero(rest);
    auto address = load.address;
    if (load.places == Places::Row) address += static_cast<std::uint64_t>((lane - first) * load.bytes);
    if (load.places == Places::Any)
      address += static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(*places++)});
    const auto value = load.bytes == 8 ? values[0] | std::uint64_t{values[1]} << 32 : values[0];
    visit(static_cast<std::size_t>(lane), address, value);
    if (!one_for_all) values += load.bytes == 8 ? 2 : 1;
  }
}

}  // namespace warpipe::isa
