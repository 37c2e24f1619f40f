#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "warpipe/ptx/control_flow.hpp"
#include "warpipe/ptx/trace.hpp"

namespace warpipe::ptx {

/// Makes of passes of a loop that differ a few kinds of passes, so that as many passes run every block, and go round
/// every inner loop, as often.
class PassMixer {
 public:
  /// @param made_from  gets, for each record that is made, those that it is made from
  PassMixer(TracePool& pool, std::map<std::uint32_t, std::set<std::uint32_t>>& made_from)
      : pool_(pool), made_from_(made_from) {}

  LoopTrace mix(const NaturalLoop& loop, const LoopTrace& trace);

 private:
  /// How often each item of a list of regions runs; of a loop its passes, and what runs in them.
  struct Totals {
    std::vector<std::int64_t> runs;
    std::map<std::size_t, Totals> inner;  ///< by item
    std::vector<std::uint32_t> records;   ///< that these are of
  };
  using Passes = std::map<std::uint32_t, std::int64_t>;  ///< by record

  Totals totals(const NaturalLoop& loop, const Passes& passes) const;
  LoopTrace spread(const NaturalLoop& loop, const Totals& totals, std::int64_t passes, std::int64_t most);
  std::uint32_t record(const NaturalLoop& loop, const Totals& once, std::int64_t most);

  TracePool& pool_;
  std::map<std::uint32_t, std::set<std::uint32_t>>& made_from_;
};

}  // namespace warpipe::ptx
