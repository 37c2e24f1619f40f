#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "warpipe/idg/units.hpp"

namespace warpipe {

/// A stretch of a sequence: equal things one after the other, or a repeated body of stretches.
struct FoldedStretch {
  std::uint32_t shape = 0;          ///< equal for equal things, and for equal bodies
  std::int64_t things = 0;          ///< in all
  std::int64_t comes = 1;           ///< repetitions of a body
  Ticks from, to;                   ///< of the first thing, of the last
  Ticks time;                       ///< of all things in it
  std::vector<FoldedStretch> body;  ///< sums over all repetitions; empty for equal things
};

/// Folds a long sequence of things while it is produced, so that repetitions are kept once. Two bodies are the same if
/// the same things follow each other in both; how often each is repeated inside does not matter. A result still too
/// long loses its middle.
class PathFolding {
 public:
  static constexpr std::uint32_t kOmitted = UINT32_MAX;  ///< the shape of the lost middle

  /// @param thing  its number, below 2^31
  void add(std::uint32_t thing, Ticks from, Ticks to);

  const std::vector<FoldedStretch>& stretches() const { return stretches_; }

 private:
  static constexpr std::size_t kLongestBody = 64;  ///< stretches
  static constexpr std::size_t kMost = 2000;       ///< stretches, then the middle goes

  void fold();
  bool absorb_into_block(std::size_t length);
  bool make_block(std::size_t length);
  std::uint32_t shape_of(const std::vector<FoldedStretch>& body);
  void omit_middle();

  std::vector<FoldedStretch> stretches_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> shapes_;  ///< of bodies
};

}  // namespace warpipe
