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

/// An instruction of the slice, or an access, as it is executed.
struct Step {
  std::uint32_t index = 0;
  const Instruction* instruction = nullptr;
  bool needed = false;  ///< is in the slice: its outputs matter
  bool counts = true;   ///< else only others' writes to memory are met there
};

struct LoopInfo {
  const NaturalLoop* loop = nullptr;
  std::vector<bool> members;           ///< by block
  std::vector<std::uint32_t> written;  ///< registers that are followed, and that it or a loop in it writes
  std::vector<bool> chosen;            ///< of these: it is one of two numbers, as the index of a ring of buffers is
  std::vector<std::uint32_t> exits;    ///< the jumps that may leave it
  std::optional<std::int64_t> trips;   ///< what the user says
};

/// Where the array begins that an access reaches, as far as the text tells.
struct ArrayBase {
  std::uint64_t address = 0;
  std::int64_t bytes = 0;  ///< 0: not known
  std::string name;        ///< as options call it: the array's, or the line of the access
};

/// By instruction, of those that reach memory; a place of its own where no text tells the array, as of a pointer from
/// memory.
std::vector<ArrayBase> bases_of_arrays(const ExecutionInput& input, const MemoryLayout& memory);

/// Everything about a program that does not depend on the warp.
struct Prepared {
  explicit Prepared(const ExecutionInput& given);

  ExecutionInput input;
  MemoryLayout memory;
  std::optional<RecordedMemory> recorded;    ///< where the launch was executed before
  std::vector<std::vector<Step>> steps;      ///< by block
  std::map<std::uint32_t, LoopInfo> loops;   ///< by header
  std::vector<std::optional<double>> taken;  ///< by instruction: the share of lanes that the user says of it
  std::map<std::string, std::vector<std::uint32_t>> said_branches;  ///< of which it says so, by the names it has there
  /// By register: where its values begin in a list of all, and how far the next lane's is: 1, or 0 of a uniform one.
  /// Those that no step writes share the first place.
  std::vector<std::size_t> first_value, per_lane;
  bool follows_memory = false;  ///< some of the slice's loads may read what the warp stored
  std::size_t values = 0;       ///< of all registers
  /// By instruction: where lanes reach of whose addresses nothing is known, and the arrays. Empty where nobody says it
  /// and nothing may be assumed.
  std::vector<std::optional<AddressPattern>> patterns;
  std::vector<ArrayBase> array_bases;
  std::int64_t most_unsaid_shared = 0;  ///< bytes of shared memory, where neither file nor launch say how many; or 0
  bool lacks_shared_bytes = false;      ///< an array in shared memory has a size that only the launch can say
  std::vector<bool> pointers;           ///< by instruction: it loads a pointer from a structure among the parameters
  std::vector<bool> failing;            ///< by block: every way from it ends in an error

  /// By instruction: the parameters that its results are made of. Found when first asked for.
  const std::vector<std::set<std::size_t>>& parameters() const;
  /// Whether a conditional jump is the only one that goes where it goes.
  bool goes_alone(std::uint32_t jump) const;

  const Instruction& at(std::uint32_t instruction) const { return input.program.instructions[instruction]; }
  Diagnostic problem(std::uint32_t instruction, std::string rule, std::string found, std::string advice) const;
  [[noreturn]] void fail(std::uint32_t instruction, std::string rule, std::string found, std::string advice) const;

 private:
  mutable std::vector<std::set<std::size_t>> parameters_;
  std::map<std::uint32_t, std::size_t> jumps_to_;  ///< by place: the conditional ones
};

}  // namespace warpipe::isa
