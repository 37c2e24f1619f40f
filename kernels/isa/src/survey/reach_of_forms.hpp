#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "survey/address_form.hpp"
#include "survey/survey.hpp"

namespace warpipe::isa {

/// A number that looks random, the same for the same number: the finalizer of SplitMix64.
inline std::uint64_t hashed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// What is reached of an array, each once.
struct Reach {
  double sectors = 0, bytes = 0;
};

/// Counts what accesses to an array reach whose addresses forms give, in the whole launch, however many groups it has.
///
/// The addresses of a form are all sums of a constant and of terms, each a factor times 0, 1, ..., most: neighbouring
/// lanes, groups and trips of loops make one long term where they follow each other. Whether a sector is among them is
/// asked term by term, the largest factor first, without a visit to any group. Exact for arrays of at most 2048
/// sectors; of larger ones 1024 to 2048 are asked, one in each stretch of equally many, the same ones in each launch:
/// where two launches reach the same, they count the same. How far terms go is what was seen of active lanes, in all
/// groups of the kinds of those that were looked at.
class ReachOfForms {
 public:
  /// @param reader  outlives this
  /// @param boxes   by group of the log: of all groups that do what it does, as far as they are known; outlives this
  ReachOfForms(const AddressReader& reader, const std::vector<GroupBounds>& boxes) : reader_(reader), boxes_(boxes) {}

  /// Whether each term of a form takes all whole numbers from its least to its greatest.
  static bool is_countable(const Forms& forms, const AddressForm& form);
  /// @param form      countable
  /// @param accesses  of one instruction, whose addresses the form gives
  /// @param width     bytes per lane
  void add(const AddressForm& form, std::span<const LoggedAccess> accesses, std::int64_t width);

  /// @return what lies at the array's start and behind it
  Reach count() const;

 private:
  /// factor x 0, 1, ..., most.
  struct Term {
    std::int64_t factor = 1, most = 0;
    friend auto operator<=>(const Term&, const Term&) = default;
  };
  /// The bytes from each of the sums of an origin and terms.
  struct Sums {
    std::vector<Term> terms;  ///< of the largest factor first
    std::int64_t width = 1, origin = 0;
    friend auto operator<=>(const Sums&, const Sums&) = default;
  };
  class Observed;
  class Search;

  std::vector<Sums> joined() const;

  const AddressReader& reader_;
  const std::vector<GroupBounds>& boxes_;
  std::vector<Sums> sums_;
};

}  // namespace warpipe::isa
