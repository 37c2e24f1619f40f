#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "survey/address_log.hpp"
#include "symbolic/forms.hpp"
#include "warpipe/idg/kernel.hpp"

namespace warpipe::isa {

/// Bytes from an array's start, as a form of thread, group and the trips of the loops around, the outermost as trip 0.
struct AddressForm {
  std::uint32_t array = 0;
  Form bytes;
  std::optional<Form> made{};  ///< of which lanes, where others would reach more than these; else all may take part
  bool is_proven = false;      ///< it follows from the program; else it gives all addresses that were executed
  std::int64_t checked = 0;    ///< executions of each run of a loop that it was held against, before the last one
  double idle = 0;             ///< of the sectors that its lanes reach within the array, those that no active lane does
  double elsewhere = 0;  ///< share of the executions with lanes in other arrays, where the form is far off this one
};

/// The numbers that an execution of an access has.
struct ExecutionNumbers {
  Dimensions thread{0, 0, 0}, group{0, 0, 0};
  std::vector<std::int64_t> trips;
  std::int64_t of(Variable variable) const {
    if (variable.place == Place::Thread) return thread[variable.number];
    return variable.place == Place::Group ? group[variable.number] : trips[variable.number];
  }
};

/// Reads a log of accesses by thread, group and trips.
class AddressReader {
 public:
  /// @param log    outlives this, as do the forms
  /// @param forms  those of addresses are of
  AddressReader(const AddressLog& log, const Dimensions& block, const Dimensions& grid, Forms& forms)
      : log_(log), block_(block), grid_(grid), forms_(forms) {}

  /// A form that proves to be right, as far as the log tells, where a program's address begins with its array.
  /// @param address   as the program computes it
  /// @param made      by which threads, if that is known
  /// @param accesses  of one instruction; not empty
  /// @return          of the array that nearly all are in; nothing where there is none, or the log says otherwise
  std::optional<AddressForm> proven(Form address, std::optional<Form> made,
                                    std::span<const LoggedAccess> accesses) const;

  /// A sum of thread, group and trips, or of the thread's binary digits, each times a factor, that gives the address of
  /// every active lane in every execution. Of executions in a row whose lanes go on by a constant step, the first two
  /// and the last are looked at.
  /// @param accesses  of one instruction; not empty
  /// @return          nothing where there is none
  std::optional<AddressForm> fitted(std::span<const LoggedAccess> accesses) const;

  /// Whether executions lie between those that a form was held against.
  static bool passes_over(const AddressForm& form, std::span<const LoggedAccess> accesses);

  /// The numbers of an access in its k-th execution, but for those of threads.
  ExecutionNumbers numbers(const LoggedAccess& access, std::int64_t k) const;
  Dimensions thread(std::uint32_t warp, std::size_t lane) const;
  std::size_t lanes_of(std::uint32_t warp) const;  ///< that the group has threads for
  std::int64_t value(Form form, const ExecutionNumbers& numbers) const {
    return forms_.evaluate(form, [&](Variable variable) { return numbers.of(variable); });
  }

  const AddressLog& log() const { return log_; }
  Forms& forms() const { return forms_; }

 private:
  double idle_share(Form bytes, std::span<const LoggedAccess> accesses) const;
  std::pair<std::int64_t, std::int64_t> sectors_of(Form bytes, const LoggedAccess& access) const;
  bool gives(Form bytes, const LoggedAccess& access, std::int64_t k) const;

  const AddressLog& log_;
  const Dimensions block_, grid_;
  Forms& forms_;
};

/// Where a lane is in the k-th execution of an access, in bytes from the array's start.
std::int64_t address_at(const AddressLog& log, const LoggedAccess& access, std::int64_t k, std::size_t lane);

/// Samples of what some logged accesses reach: of neighbouring groups, the warps of each in their order, the first
/// executions of each. Where other groups hardly reach the same sectors, samples go on from round to round: as the
/// means of groups do where they lie on a line, else by a stride that meets all of the array.
/// @param accesses  of one instruction, all in one array; not empty
/// @param copies    that the kernel has of this instruction: the more, the fewer samples each has
/// @return          the pattern but for its array
AccessPattern::Sampled sample_addresses(const AddressLog& log, std::span<const LoggedAccess> accesses,
                                        const Dimensions& block, const Dimensions& grid, std::size_t copies);

}  // namespace warpipe::isa
