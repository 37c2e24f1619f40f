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
  std::optional<Form> made{};  ///< whether a lane is active, if inactive lanes would reach more sectors; else unset
  bool is_proven = false;      ///< it follows from the program; else it gives all executed addresses
  std::int64_t checked = 0;    ///< executions checked per run of a loop, before the last execution
  double idle = 0;             ///< share of the sectors of its lanes within the array, reached by no active lane
  double elsewhere = 0;        ///< share of the executions with lanes in other arrays, where the form is far off
};

/// Thread, group and trips of an execution of an access.
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
  /// @param forms  hold the forms of addresses
  AddressReader(const AddressLog& log, const Dimensions& block, const Dimensions& grid, Forms& forms)
      : log_(log), block_(block), grid_(grid), forms_(forms) {}

  /// Checks the program's own form of an address against the log, and takes the start of the array off it.
  /// @param address   as the program computes it
  /// @param made      by which threads, if known
  /// @param accesses  of one instruction; not empty
  /// @return          the form within the array of nearly all accesses; nothing if there is none, or against the log
  std::optional<AddressForm> proven(Form address, std::optional<Form> made,
                                    std::span<const LoggedAccess> accesses) const;

  /// Fits a sum to the addresses of all active lanes in all executions: thread, group and trips, or the thread's binary
  /// digits, each times a factor. Executions in a row with a constant step are checked at the first two and the last.
  /// @param accesses  of one instruction; not empty
  /// @return          nothing where no sum fits
  std::optional<AddressForm> fitted(std::span<const LoggedAccess> accesses) const;

  /// Whether executions lie between the checked executions of a form.
  static bool passes_over(const AddressForm& form, std::span<const LoggedAccess> accesses);

  /// The numbers of an access in its k-th execution, except for the thread.
  ExecutionNumbers numbers(const LoggedAccess& access, std::int64_t k) const;
  Dimensions thread(std::uint32_t warp, std::size_t lane) const;
  std::size_t lanes_of(std::uint32_t warp) const;  ///< lanes with a thread in the group
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

/// The address of a lane in the k-th execution of an access, in bytes from the array's start.
std::int64_t address_at(const AddressLog& log, const LoggedAccess& access, std::int64_t k, std::size_t lane);

/// Samples addresses of logged accesses: of neighbouring groups, the warps of each in their order, the first executions
/// of each. Where the groups left out hardly reach the sampled sectors, samples move on from round to round: by the
/// slope of the groups' means where these lie on a line, else by a stride that meets the whole array.
/// @param accesses  of one instruction, all in one array; not empty
/// @param copies    of this instruction in the kernel: the more, the fewer samples each has
/// @return          the pattern without its array
AccessPattern::Sampled sample_addresses(const AddressLog& log, std::span<const LoggedAccess> accesses,
                                        const Dimensions& block, const Dimensions& grid, std::size_t copies);

}  // namespace warpipe::isa
