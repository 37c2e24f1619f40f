#include "survey/tally.hpp"

namespace warpipe::isa {
namespace {

void collect(const std::vector<Region>& regions, std::map<std::uint32_t, const std::vector<Region>*>& bodies) {
  for (const auto& region : regions)
    if (const auto* loop = std::get_if<NaturalLoop>(&region.node)) {
      bodies[loop->header] = &loop->body;
      collect(loop->body, bodies);
    }
}

/// The bodies of loops by their headers, and the program's by kRoot.
std::map<std::uint32_t, const std::vector<Region>*> bodies_of(const ControlFlow& flow) {
  std::map<std::uint32_t, const std::vector<Region>*> bodies{{kRoot, &flow.regions}};
  collect(flow.regions, bodies);
  return bodies;
}

/// How often each record happens in all groups of the launch.
std::vector<double> count_records(const ControlFlow& flow, const Survey& survey) {
  const auto bodies = bodies_of(flow);
  std::vector<double> counts(survey.pool.records(), 0);
  for (const auto& kind : survey.kinds)
    for (const auto record : kind.warps) counts[record] += kind.groups;
  // A record is made after the records of its inner loops.
  for (auto number = counts.size(); number-- > 0;) {
    if (counts[number] == 0) continue;
    const auto& record = survey.pool.record(static_cast<std::uint32_t>(number));
    const auto& regions = *bodies.at(record.header);
    for (std::size_t place = 0; place < regions.size(); ++place)
      if (std::holds_alternative<NaturalLoop>(regions[place].node) && record.items[place] >= 0)
        for (const auto& [iteration, times] : survey.pool.trace(record.items[place]))
          counts[iteration] += counts[number] * static_cast<double>(times);
  }
  return counts;
}

/// Adds `times` iterations through a list of regions.
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

Tally tally(const ControlFlow& flow, const Survey& survey) {
  Tally result;
  result.runs.assign(flow.blocks.size(), 0);
  result.lanes.assign(flow.blocks.size(), 0);
  const auto bodies = bodies_of(flow);
  const auto counts = count_records(flow, survey);
  for (std::uint32_t number = 0; number < counts.size(); ++number) {
    if (counts[number] == 0) continue;
    const auto& record = survey.pool.record(number);
    add(result, survey.pool, *bodies.at(record.header), record, counts[number]);
  }
  for (const auto& seen : survey.statistics) {
    for (const auto& [block, statistics] : seen.blocks) result.lanes[block] += statistics.lanes;
    for (const auto& [instruction, statistics] : seen.accesses) result.accesses[instruction].add(statistics);
  }
  return result;
}

void extrapolate(const ControlFlow& flow, Survey& survey) {
  const auto counts = count_records(flow, survey);
  std::map<std::uint32_t, double> all, seen;  // by header
  for (std::uint32_t record = 0; record < counts.size(); ++record) {
    const auto header = survey.pool.record(record).header;
    all[header] += counts[record];
    if (survey.seen_of(record) != nullptr) seen[header] += counts[record];
  }
  for (std::uint32_t record = 0; record < survey.statistics.size(); ++record) {
    auto& of_record = survey.statistics[record];
    if (of_record.iterations == 0) continue;
    const auto header = survey.pool.record(record).header;
    const auto share = seen[header] > 0 ? all[header] / seen[header] : 0;
    const auto scale = share * (counts[record] / of_record.iterations);
    for (auto& [instruction, statistics] : of_record.accesses) statistics.scale(scale);
    for (auto& [block, statistics] : of_record.blocks) {
      statistics.executions *= scale;
      statistics.lanes *= scale;
    }
  }
}

}  // namespace warpipe::isa
