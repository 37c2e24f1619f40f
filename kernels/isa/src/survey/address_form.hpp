#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "survey/address_log.hpp"
#include "warpipe/idg/kernel.hpp"

namespace warpipe::isa {

/// What an address may depend on: the thread along x, y and z, the group along x, y and z, then how often each loop
/// around has gone round, the outermost first.
inline constexpr std::size_t kThread = 0, kGroup = 3, kLoop = 6;

/// A digit of such a number, or of the sum of two: floor(number / divisor) mod modulus, without the latter where that
/// is 0.
struct Digit {
  std::size_t variable = 0;
  std::int64_t divisor = 1, modulus = 0;
  std::optional<std::size_t> other{};  ///< the variable that is added first
  std::int64_t of(std::int64_t number) const { return modulus == 0 ? number / divisor : number / divisor % modulus; }
  /// @param numbers  by variable
  std::int64_t of(std::span<const std::int64_t> numbers) const {
    return of(numbers[variable] + (other ? numbers[*other] : 0));
  }
  friend bool operator==(const Digit&, const Digit&) = default;
};

/// Bytes from an array's start: a constant plus digits times factors.
struct AddressForm {
  struct Term {
    Digit digit;
    std::int64_t factor = 0;  ///< not 0
  };
  std::uint32_t array = 0;
  std::int64_t constant = 0;
  std::vector<Term> terms;
  std::int64_t checked = 0;  ///< executions of each run of a loop that it was held against, before the last one
  double idle = 0;           ///< AddressFitter::idle_share of the accesses that it was found from
};

/// Finds a form that gives the address of every active lane in every execution of some logged accesses. Of executions
/// in a row whose lanes go on by a constant step, it looks at the first ones and the last: at two where the form has
/// the loop as a number, which settles all of them, at 64 where it has digits of it. In this order of preference: of
/// the numbers as they are; with the diagonals of the grid, where the index of a group along one axis is turned by the
/// other; of binary digits of the thread, of loops, of groups. Digits of groups count only where each of them was seen
/// to change. Where lanes that are not active would reach more than the active ones, binary digits of the thread are
/// preferred if with them they do not: those that never change have no part in it.
class AddressFitter {
 public:
  AddressFitter(const AddressLog& log, const Dimensions& block, const Dimensions& grid)
      : log_(log), block_(block), grid_(grid) {}

  /// @param accesses  of one instruction; not empty
  /// @return          nothing where there is no form; the array is that of all accesses, kNoArray where they differ
  std::optional<AddressForm> fit(std::span<const LoggedAccess> accesses) const;

  /// Of the sectors that all lanes of a form reach within its array, the share that no active lane does, in the whole
  /// launch.
  double idle_share(const AddressForm& form, std::span<const LoggedAccess> accesses, std::int64_t bytes) const;

  /// Of the active lanes the share whose address the form does not give, in the whole launch.
  double missed_share(const AddressForm& form, std::span<const LoggedAccess> accesses) const;

  /// Whether executions lie between those that a form was held against.
  static bool passes_over(const AddressForm& form, std::span<const LoggedAccess> accesses);

  /// The numbers that an access has in its k-th execution, but for those of threads.
  void numbers(const LoggedAccess& access, std::int64_t k, std::vector<std::int64_t>& result) const;

  Dimensions thread(std::uint32_t warp, std::size_t lane) const;
  std::size_t lanes_of(std::uint32_t warp) const;  ///< that the group has threads for

 private:
  struct Split {
    bool threads = false, loops = false, groups = false, diagonals = false;
  };
  /// What is alike for all ways to split numbers.
  struct Seen {
    std::vector<std::int64_t> ends;  ///< of the iterations of each loop: one past the last
    std::vector<Dimensions> groups;  ///< each once
  };
  using Amounts = std::function<std::pair<double, double>(const LoggedAccess&)>;
  double share(std::span<const LoggedAccess> accesses, const Amounts& amounts) const;
  Seen seen_in(std::span<const LoggedAccess> accesses) const;
  std::vector<Digit> digits(const Seen& seen, Split split) const;
  std::optional<AddressForm> fit(std::span<const LoggedAccess> accesses, const Seen& seen, Split split) const;
  void add_diagonals(std::vector<Digit>& digits) const;
  static bool groups_tell(const std::vector<Digit>& digits, const Seen& seen);

  const AddressLog& log_;
  const Dimensions block_, grid_;
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
