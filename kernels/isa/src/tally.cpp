#include "tally.hpp"

#include "record_counts.hpp"

namespace warpipe::isa {
namespace {

/// Adds what happens so many times in iterations through a list of regions.
void add(Tally& tally, const TracePool& pool, const std::vector<Region>& regions, const TraceRecord& record,
         double times) {
  for (std::size_t place = 0; place < regions.size(); ++place) {
    const auto item = record.items[place];
    if (const auto* block = std::get_if<std::uint32_t>(&regions[place].node)) {
      if (item != 0) tally.runs[*block] += times;
    } else if (item >= 0) {
      std::int64_t iterations = 0;
      for (const auto& [iteration, count] : pool.trace(item)) iterations += count;
      auto& loop = tally.loops[std::get<NaturalLoop>(regions[place].node).header];
      loop.entries += times;
      loop.iterations.add(iterations, times);
    }
  }
}

}  // namespace

Tally tally(const ControlFlow& flow, const Execution& execution) {
  Tally result;
  result.runs.assign(flow.blocks.size(), 0);
  result.lanes.assign(flow.blocks.size(), 0);
  const auto bodies = bodies_of(flow);
  const auto counts = count_records(flow, execution);
  for (std::uint32_t number = 0; number < counts.size(); ++number) {
    if (counts[number] == 0) continue;
    const auto& record = execution.pool.record(number);
    add(result, execution.pool, *bodies.at(record.header), record, counts[number]);
  }
  for (const auto& [key, statistics] : execution.blocks) result.lanes[key.second] += statistics.lanes;
  for (const auto& [key, statistics] : execution.accesses) result.accesses[key.second].add(statistics);
  return result;
}

}  // namespace warpipe::isa
