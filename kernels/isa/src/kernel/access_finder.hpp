#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernel/slot_values.hpp"
#include "survey/address_log.hpp"
#include "survey/survey.hpp"
#include "symbolic/program_forms.hpp"

namespace warpipe::isa {

/// Some iterations of a loop of the program, as a single loop of the kernel.
struct LoopPart {
  struct Iterations {
    std::uint32_t slot = 0;
    std::int64_t first = 0;  ///< the part's first iteration, in the program's loop
    std::int64_t count = 0;
  };
  std::string counter;            ///< the name of the kernel's loop; empty where it goes round once
  std::vector<Iterations> slots;  ///< ascending
  bool in_order = true;           ///< the part has just these iterations; else iterations with as much work stand in
};

/// A memory instruction of the kernel.
struct AccessCopy {
  std::size_t instruction = 0;                         ///< of the kernel
  std::uint32_t index = 0;                             ///< of the program
  Slots slots;                                         ///< of the warps with this instruction
  std::vector<std::shared_ptr<const LoopPart>> loops;  ///< around it, the outermost first
  /// Costs of each execution; nothing where executions differ.
  std::optional<std::int64_t> sectors = {}, lines = {}, turns = {};
};

/// Input for the addresses of a launch.
struct AddressInput {
  const Program& program;
  const AddressLog& log;
  const Launch& launch;
  const std::vector<GroupKind>& kinds;
  std::vector<std::optional<std::size_t>> kind_of;  ///< by group of the log; nothing where it is like none
  AccessSizes sizes{};                              ///< to count accesses by
  ProgramForms& forms;
};

/// Finds the logged accesses of an instruction of the program that an instruction of the kernel stands for.
class AccessFinder {
 public:
  /// @param index   of the instruction of the program
  /// @param input   outlives this, as do the values
  AccessFinder(std::uint32_t index, const AddressInput& input, const SlotValues& values);

  /// In the order of the log, each with its executions in the copy.
  /// @complexity the accesses of the copy's warps in its iterations of the outer loops
  std::vector<LoggedAccess> of(const AccessCopy& copy) const;

 private:
  struct Placed {
    std::uint32_t slot = 0;                    ///< of its warp
    std::span<const std::int64_t> iterations;  ///< of the loops around it
    std::size_t position = 0;                  ///< in the log
  };

  struct Found {
    std::size_t position = 0;  ///< in the log
    LoggedAccess access;
  };

  void add(const AccessCopy& copy, std::uint32_t slot, std::vector<Found>& found) const;

  const std::vector<LoggedAccess>& accesses_;
  std::vector<Placed> placed_;  ///< by slot, then by iteration of the outer loops, the outermost first
};

}  // namespace warpipe::isa
