#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "survey/address_form.hpp"
#include "survey/survey.hpp"

namespace warpipe::isa {

/// A pseudorandom number, the same for the same input: the finalizer of SplitMix64.
inline std::uint64_t hashed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// Sectors and bytes reached of an array, each counted once.
struct Reach {
  double sectors = 0, bytes = 0;
};

/// Counts the sectors and bytes of an array reached by accesses with known forms of addresses, in the whole launch,
/// however many groups it has.
///
/// The addresses of a form are all sums of a constant and of terms, each a factor times 0, 1, ..., most: neighbouring
/// lanes, groups and trips of loops make one long term where they follow each other. A search finds whether a sum lies
/// in a sector, term by term, the largest factor first, without a visit to any group. The count is exact for arrays of
/// at most 2048 sectors. Of larger arrays 1024 to 2048 sectors are asked, a single sector in each stretch of equal
/// length, the same in each launch: launches with the same reach get the same count. The extent of a term is taken from
/// active lanes, in all groups of the kinds looked at.
class ReachOfForms {
 public:
  /// @param reader  outlives this
  /// @param boxes   by group of the log: of all groups with the same behaviour, as far as known; outlives this
  ReachOfForms(const AddressReader& reader, const std::vector<GroupBounds>& boxes) : reader_(reader), boxes_(boxes) {}

  /// Whether each term of a form takes all whole numbers from its least to its greatest.
  static bool is_countable(const Forms& forms, const AddressForm& form);
  /// @param form      countable
  /// @param accesses  of one instruction, with addresses of this form
  /// @param width     bytes per lane
  void add(const AddressForm& form, std::span<const LoggedAccess> accesses, std::int64_t width);

  /// @return sectors and bytes from the array's start on
  Reach count() const;

 private:
  /// factor x 0, 1, ..., most.
  struct Term {
    std::int64_t factor = 1, most = 0;
    friend auto operator<=>(const Term&, const Term&) = default;
  };
  /// The bytes from each sum of an origin and terms.
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
