#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace warpipe::ptx {

inline constexpr std::uint32_t kRoot = UINT32_MAX;  ///< the header of no loop: the routine as a whole

/// What a warp did in one pass through a list of regions.
struct PassRecord {
  std::uint32_t header = kRoot;  ///< of the loop whose body it was
  /// One a region: of a block 1 or 0, whether it issued; of a loop the index of its trace, or -1 where it was not
  /// entered.
  std::vector<std::int64_t> items;
  auto operator<=>(const PassRecord&) const = default;
};

/// What a warp did in one entry of a loop: passes of the same kind in a row, and how many.
using LoopTrace = std::vector<std::pair<std::uint32_t, std::int64_t>>;

/// Records and traces, each kept once: equal behaviour has equal indices.
class TracePool {
 public:
  std::uint32_t add(PassRecord record) { return add(record, records_, record_of_); }
  std::uint32_t add(LoopTrace trace) { return add(trace, traces_, trace_of_); }
  const PassRecord& record(std::uint32_t index) const { return *records_[index]; }
  const LoopTrace& trace(std::int64_t index) const { return *traces_[static_cast<std::size_t>(index)]; }
  std::size_t records() const { return records_.size(); }

 private:
  template <class Value>
  static std::uint32_t add(Value& value, std::vector<const Value*>& all, std::map<Value, std::uint32_t>& index_of) {
    const auto [place, is_new] = index_of.emplace(std::move(value), static_cast<std::uint32_t>(all.size()));
    if (is_new) all.push_back(&place->first);
    return place->second;
  }

  std::map<PassRecord, std::uint32_t> record_of_;
  std::map<LoopTrace, std::uint32_t> trace_of_;
  std::vector<const PassRecord*> records_;
  std::vector<const LoopTrace*> traces_;
};

/// A number over many executions.
struct Spread {
  double sum = 0;
  std::int64_t least = INT64_MAX, most = 0;
  void add(std::int64_t value, double times) {
    sum += static_cast<double>(value) * times;
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  void add(const Spread& other) {
    sum += other.sum;
    least = other.least < least ? other.least : least;
    most = other.most > most ? other.most : most;
  }
  void scale(double by) { sum *= by; }
};

/// What the executions of a memory instruction reached. Executions without an active lane count for nothing.
struct AccessStatistics {
  double executions = 0;   ///< in all groups
  Spread segments;         ///< of 32 bytes
  Spread lines;            ///< of 128 bytes
  Spread conflict_degree;  ///< in 32 banks of 4 bytes
  Spread lanes;            ///< active
  bool sampled = false;    ///< not every execution was looked at
  /// The distance of neighbouring lanes in bytes, where it was the same for all lanes in all executions, all of them
  /// active.
  std::int64_t stride = 0;
  bool strided = true;
  void add(const AccessStatistics& other);
  /// Takes it that what was seen happens so much more often.
  void scale(double by);
};

}  // namespace warpipe::ptx
