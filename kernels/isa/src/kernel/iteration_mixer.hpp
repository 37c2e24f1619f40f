#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "lanes/execution.hpp"
#include "warpipe/isa/control_flow.hpp"

namespace warpipe::isa {

/// Makes a few kinds of iterations of a loop's different iterations, so that as many iterations run every block, and go
/// round every inner loop, as often.
class IterationMixer {
 public:
  /// @param made_from  gets the sources of each record made
  IterationMixer(TracePool& pool, std::map<std::uint32_t, std::set<std::uint32_t>>& made_from)
      : pool_(pool), made_from_(made_from) {}

  /// @param most  kinds of iterations, about
  LoopTrace mix(const NaturalLoop& loop, const LoopTrace& trace, std::int64_t most);

 private:
  /// Runs of each item in a list of regions; of a loop its iterations, and the runs in them.
  struct Totals {
    std::vector<std::int64_t> runs;
    std::map<std::size_t, Totals> inner;  ///< by item
    std::vector<std::uint32_t> records;   ///< of these totals
  };
  using Iterations = std::map<std::uint32_t, std::int64_t>;  ///< by record

  Totals totals(const NaturalLoop& loop, const Iterations& iterations) const;
  LoopTrace spread(const NaturalLoop& loop, const Totals& totals, std::int64_t iterations, std::int64_t most);
  std::uint32_t record(const NaturalLoop& loop, const Totals& once, std::int64_t most);

  TracePool& pool_;
  std::map<std::uint32_t, std::set<std::uint32_t>>& made_from_;
};

}  // namespace warpipe::isa
