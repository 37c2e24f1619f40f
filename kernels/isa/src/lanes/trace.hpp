#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace warpipe::isa {

inline constexpr std::uint32_t kRoot = UINT32_MAX;  ///< the header of no loop: the program as a whole

/// What a warp did in one iteration of a loop, or on its way through the program.
struct TraceRecord {
  std::uint32_t header = kRoot;  ///< of the loop whose body it was
  /// One a region: of a block 1 or 0, whether it issued; of a loop the index of its trace, or -1 where it was not
  /// entered.
  std::vector<std::int64_t> items;
  /// Accesses to global memory that issued while their predicate held in no lane, in order.
  std::vector<std::uint32_t> idle = {};
  auto operator<=>(const TraceRecord&) const = default;
};

/// What a warp did in one entry of a loop: iterations with the same record in a row, and how many.
using LoopTrace = std::vector<std::pair<std::uint32_t, std::int64_t>>;

/// Records and traces, each kept once: equal behaviour has equal indices.
class TracePool {
 public:
  std::uint32_t add(TraceRecord record) { return add(record, records_, record_of_); }
  std::uint32_t add(LoopTrace trace) { return add(trace, traces_, trace_of_); }
  const TraceRecord& record(std::uint32_t index) const { return *records_[index]; }
  const LoopTrace& trace(std::int64_t index) const { return *traces_[static_cast<std::size_t>(index)]; }
  std::size_t records() const { return records_.size(); }

 private:
  template <class Value>
  static std::uint32_t add(Value& value, std::vector<const Value*>& all, std::map<Value, std::uint32_t>& index_of) {
    const auto [place, is_new] = index_of.try_emplace(std::move(value), static_cast<std::uint32_t>(all.size()));
    if (is_new) all.push_back(&place->first);
    return place->second;
  }

  std::map<TraceRecord, std::uint32_t> record_of_;
  std::map<LoopTrace, std::uint32_t> trace_of_;
  std::vector<const TraceRecord*> records_;
  std::vector<const LoopTrace*> traces_;
};

}  // namespace warpipe::isa
