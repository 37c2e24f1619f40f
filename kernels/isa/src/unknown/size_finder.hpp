#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "lanes/companions.hpp"
#include "lanes/prepared.hpp"
#include "unknown/number_sources.hpp"

namespace warpipe::isa {

/// A size for an unknown argument.
struct FoundSize {
  std::int64_t value = 0;
  enum class By {
    Nothing,    ///< any size will do
    Radius,     ///< it bounds a window on both sides
    Pitch,      ///< it only multiplies an index: the least with which no rows overlap
    Comparison  ///< an index is compared with it: it is just large enough for every thread of the launch
  };
  By by = By::Nothing;
};

/// Finds unknown sizes from the comparisons of a launch's indices: executes the first and the last warp of the groups
/// at the corners of the grid with sizes on trial.
///
/// A size bounds an index where it moves their comparison opposite to the index. All bounding sizes are doubled
/// together from 1 on, as long as they bound an index still beyond; then each is lowered while all indices stay within.
/// So sizes whose product must hold the launch share it. Of the sizes without a comparison, pitches are left to
/// PitchFinder.
class SizeFinder {
 public:
  /// @param sizes  unknown parameters of 16 bits or more, no floats; at most NumberSourceFinder::kMost
  /// @param any    for a size without any findings
  SizeFinder(const ExecutionInput& given, std::vector<std::size_t> sizes, std::int64_t any);

  /// @return by size
  /// @complexity executions of the slice: warps x log2 of the sizes x their number
  std::vector<FoundSize> find();

 private:
  enum class Side { First, Second, Neither };
  /// A comparison of an index with sizes.
  struct Site {
    std::uint32_t instruction = 0;
    const LaneOperation* operation = nullptr;
    std::uint64_t sizes = 0;         ///< as bits by their places
    std::uint64_t bounding = 0;      ///< sizes that bound the index
    bool is_part = false;            ///< the index is a thread's alone, and a size ends a loop: not all of a row
    bool downwards = false;          ///< the first side less the second gets smaller as they grow
    Side size_side = Side::Neither;  ///< the side with sizes and no index
    std::int64_t border = 0;         ///< number taken off the size there
    bool holds(const ComparedValues& seen) const;
  };
  using Warp = std::pair<Dimensions, std::int64_t>;

  void find_sites();
  void add_comparisons(const LoopInfo& loop, std::uint32_t reader, const std::optional<Input>& input, int depth);
  void find_site(std::uint32_t instruction, const Assignment& assignment);
  void choose_warps();
  SizeTrial run();
  SizeTrial run_with(std::size_t size, std::int64_t value);
  void find_bounds(const SizeTrial& base, std::size_t size, const SizeTrial& raised);
  void keep_decisive_warps();
  void find_borders();
  std::uint64_t beyond();
  void give_up(std::uint64_t sizes);
  void raise();
  void lower();
  void find_pitches();
  void find_divisors();
  std::set<std::uint32_t> accesses_by(std::uint64_t sizes) const;
  bool is_open(std::uint32_t instruction) const;
  void set(std::size_t size, std::int64_t value);
  std::int64_t most_of(std::size_t size) const;
  bool is_bounding(std::size_t size) const;

  std::vector<std::size_t> sizes_;  ///< parameters
  std::int64_t any_;
  Launch launch_;
  std::vector<Argument> arguments_;
  Slice slice_;
  ExecutionInput input_;
  NumberSourceFinder sources_;
  Prepared kernel_;
  std::vector<FoundSize> found_;
  std::vector<std::int64_t> least_;  ///< of each size
  std::uint64_t ending_ = 0;         ///< sizes that end a loop
  std::uint64_t compared_ = 0;       ///< sizes compared with indices, or used as divisors
  std::set<std::uint32_t> goes_on_;  ///< comparisons for a further trip of a loop
  std::vector<Site> sites_;
  SizeTrial wanted_;  ///< with nothing seen yet
  std::vector<Warp> warps_;
  std::int64_t spent_ = 0;  ///< instructions of the slice
  bool is_spent_ = false;   ///< more may not be executed
};

}  // namespace warpipe::isa
