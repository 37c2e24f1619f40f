#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lanes/execution.hpp"
#include "lanes/memory_layout.hpp"
#include "lanes/recorded_memory.hpp"

namespace warpipe::isa {

/// An executed instruction: of the slice, or an access.
struct Step {
  std::uint32_t index = 0;
  const Instruction* instruction = nullptr;
  bool needed = false;  ///< is in the slice: its outputs matter
  bool counts = true;   ///< else only other warps' writes to memory are met there
};

struct LoopInfo {
  const NaturalLoop* loop = nullptr;
  std::vector<bool> members;           ///< by block
  std::vector<std::uint32_t> written;  ///< followed registers written by the loop or an inner loop
  std::vector<bool> chosen;            ///< of these: a choice of two numbers, such as the index of a ring of buffers
  std::vector<std::uint32_t> exits;    ///< the jumps that may leave the loop
  std::optional<std::int64_t> trips;   ///< given by the user
};

/// The start of the array reached by an access, as far as the text tells.
struct ArrayBase {
  std::uint64_t address = 0;
  std::int64_t bytes = 0;  ///< 0: not known
  std::string name;        ///< in the options' spelling: the array's, or the line of the access
};

/// By instruction, for accesses to memory; a place of its own where no text tells the array, as of a pointer from
/// memory.
std::vector<ArrayBase> bases_of_arrays(const ExecutionInput& input, const MemoryLayout& memory);

/// Whether an assignment compares two numbers and joins the truth with no other, or with a constant that changes
/// nothing.
bool compares_alone(const Assignment& assignment);

/// The comparison behind a guard, and whether the guard is its negation.
struct FoundComparison {
  std::uint32_t instruction = 0;
  const Assignment* assignment = nullptr;
  bool turned = false;
};
std::optional<FoundComparison> comparison_of(const ExecutionInput& input, std::uint32_t jump);

/// Why lanes do not go to a block where their way is unknown: every way from it ends in an error, or is for
/// extraordinary numbers.
enum class Avoided : std::uint8_t { No, Error, Rare };

/// The analyses of a program, independent of the warp.
struct Prepared {
  explicit Prepared(const ExecutionInput& given);

  ExecutionInput input;
  MemoryLayout memory;
  std::optional<RecordedMemory> recorded;                           ///< of an earlier execution by a machine
  std::vector<std::vector<Step>> steps;                             ///< by block
  std::map<std::uint32_t, LoopInfo> loops;                          ///< by header
  std::vector<std::optional<double>> taken;                         ///< by instruction: the user's share of lanes
  std::map<std::string, std::vector<std::uint32_t>> said_branches;  ///< branches with a share, by name in the launch
  /// By register: the index of its values in the list of all, and the distance to the next lane's value: 1, or 0 for a
  /// uniform register. Registers without a writing step share the first place.
  std::vector<std::size_t> first_value, per_lane;
  bool follows_memory = false;  ///< some of the slice's loads may read the warp's own stores
  std::size_t values = 0;       ///< of all registers
  /// By instruction: the pattern of unknown addresses, and the arrays. Empty where the user gives no pattern and
  /// nothing may be assumed.
  std::vector<std::optional<AddressPattern>> patterns;
  std::vector<ArrayBase> array_bases;
  std::int64_t most_unsaid_shared = 0;  ///< bytes of shared memory, where neither file nor launch give a size; or 0
  bool lacks_shared_bytes = false;      ///< an array in shared memory lacks a size from the launch
  std::vector<bool> pointers;           ///< by instruction: it loads a pointer from a structure among the parameters
  std::vector<Avoided> avoided;         ///< by block
  /// Jumps decided by whether a number is infinite: whether lanes with such a number jump.
  std::map<std::uint32_t, bool> jumps_of_infinite;

  /// By instruction: the parameters in its results. Computed on the first call.
  const std::vector<std::set<std::size_t>>& parameters() const;
  /// Whether a conditional jump is the only jump to its target.
  bool goes_alone(std::uint32_t jump) const;

  const Instruction& at(std::uint32_t instruction) const { return input.program.instructions[instruction]; }
  Diagnostic problem(std::uint32_t instruction, std::string rule, std::string found, std::string advice) const;
  [[noreturn]] void fail(std::uint32_t instruction, std::string rule, std::string found, std::string advice) const;

 private:
  mutable std::vector<std::set<std::size_t>> parameters_;
  std::map<std::uint32_t, std::size_t> jumps_to_;  ///< by place: number of conditional jumps
};

}  // namespace warpipe::isa
