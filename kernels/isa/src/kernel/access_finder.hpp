#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernel/access_copy.hpp"
#include "kernel/slot_values.hpp"
#include "survey/address_log.hpp"
#include "survey/survey.hpp"

namespace warpipe::isa {

/// What the addresses of a launch are found from.
struct AddressInput {
  const Program& program;
  const AddressLog& log;
  const Launch& launch;
  const std::vector<GroupKind>& kinds;
  std::vector<std::optional<std::size_t>> kind_of;  ///< by group of the log; nothing where it is like none
  AccessSizes sizes{};                              ///< that accesses are counted for
};

/// Finds among the logged accesses of an instruction of the program those that an instruction of the kernel stands for.
class AccessFinder {
 public:
  /// @param index   of the instruction of the program
  /// @param input   outlives this, as do the values
  AccessFinder(std::uint32_t index, const AddressInput& input, const SlotValues& values);

  /// In the order of the log, each with those of its executions that belong to the copy.
  /// @complexity the accesses of the copy's warps in the iterations of the outer loops that it is in
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
