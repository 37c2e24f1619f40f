#include "record_counts.hpp"

namespace warpipe::isa {
namespace {

void collect(const std::vector<Region>& regions, std::map<std::uint32_t, const std::vector<Region>*>& bodies) {
  for (const auto& region : regions)
    if (const auto* loop = std::get_if<NaturalLoop>(&region.node)) {
      bodies[loop->header] = &loop->body;
      collect(loop->body, bodies);
    }
}

}  // namespace

std::map<std::uint32_t, const std::vector<Region>*> bodies_of(const ControlFlow& flow) {
  std::map<std::uint32_t, const std::vector<Region>*> bodies{{kRoot, &flow.regions}};
  collect(flow.regions, bodies);
  return bodies;
}

std::vector<double> count_records(const ControlFlow& flow, const Execution& execution) {
  const auto bodies = bodies_of(flow);
  std::vector<double> counts(execution.pool.records(), 0);
  for (const auto& kind : execution.kinds)
    for (const auto record : kind.warps) counts[record] += kind.groups;
  // A record is made after those of the loops in it.
  for (auto number = counts.size(); number-- > 0;) {
    if (counts[number] == 0) continue;
    const auto& record = execution.pool.record(static_cast<std::uint32_t>(number));
    const auto& regions = *bodies.at(record.header);
    for (std::size_t place = 0; place < regions.size(); ++place)
      if (std::holds_alternative<NaturalLoop>(regions[place].node) && record.items[place] >= 0)
        for (const auto& [iteration, times] : execution.pool.trace(record.items[place]))
          counts[iteration] += counts[number] * static_cast<double>(times);
  }
  return counts;
}

void extrapolate(const ControlFlow& flow, Execution& execution) {
  const auto counts = count_records(flow, execution);
  std::map<std::uint32_t, double> all, seen;  // by header
  for (std::uint32_t record = 0; record < counts.size(); ++record) {
    const auto header = execution.pool.record(record).header;
    all[header] += counts[record];
    if (execution.iterations.contains(record)) seen[header] += counts[record];
  }
  const auto scale_of = [&](std::uint32_t record) {
    const auto header = execution.pool.record(record).header;
    const auto share = seen[header] > 0 ? all[header] / seen[header] : 0;
    return share * (counts[record] / execution.iterations[record]);
  };
  for (auto& [key, statistics] : execution.accesses) statistics.scale(scale_of(key.first));
  for (auto& [key, statistics] : execution.blocks) {
    statistics.executions *= scale_of(key.first);
    statistics.lanes *= scale_of(key.first);
  }
}

}  // namespace warpipe::isa
