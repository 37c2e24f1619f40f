// Loops of a kernel: one body where all passes are alike, else runs of those that are.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "instruction_text.hpp"
#include "kernel_builder.hpp"

namespace warpipe::ptx {
namespace {

constexpr std::size_t kMostIntervals = 64;
constexpr std::size_t kMostCopies = 20'000;  // instructions that a loop may be written out to

}  // namespace

void KernelBuilder::loop(const NaturalLoop& loop, std::size_t place, const Views& views, std::vector<Item>& items) {
  std::map<std::int64_t, LoopTrace> traces;
  for (const auto& view : views)
    traces[view.warp] = execution_.pool.trace(execution_.pool.record(view.record).items[place]);
  if (loop_with_table(loop, traces, items)) return;
  const auto most =
      std::clamp<std::size_t>(kMostCopies / std::max<std::size_t>(1, size_of(loop.body)), 2, kMostIntervals);
  auto parts = intervals(traces);
  if (parts.size() > most) parts = by_kind(parts);
  if (parts.size() > most) parts = averaged(loop, traces);
  const auto all = warps_of(views);
  for (const auto& part : parts) {
    Views here;
    for (const auto& [warp, record] : part.records) here.push_back({warp, record});
    std::vector<Item> body;
    const auto waiting = branches_;
    repeat(loop, Expression(static_cast<double>(part.passes)), here, body);
    if (here.size() != all.size()) branches_.insert(waiting.begin(), waiting.end());
    under(warps_of(here), all, std::move(body), items);
  }
}

/// Where every warp does the same thing in all of its passes, only their number may differ.
bool KernelBuilder::loop_with_table(const NaturalLoop& loop, const std::map<std::int64_t, LoopTrace>& traces,
                                    std::vector<Item>& items) {
  std::map<std::int64_t, std::int64_t> trips;
  Views views;
  for (const auto& [warp, trace] : traces) {
    if (trace.size() != 1) return false;
    trips[warp] = trace.front().second;
    views.push_back({warp, trace.front().first});
  }
  repeat(loop, expression_of(warp_table(trips)), views, items);
  return true;
}

void KernelBuilder::repeat(const NaturalLoop& loop, Expression trips, const Views& views, std::vector<Item>& items) {
  const auto first = kernel_.instructions.size();
  auto body = list(loop.body, views);
  if (body.empty()) return;
  if (trips == Expression(1)) {
    std::ranges::move(body, std::back_inserter(items));
    return;
  }
  // The first instruction also waits for the branch that came back to it.
  further_[first].insert(branches_.begin(), branches_.end());
  Loop made;
  made.name = unique("loop_" + as_name(loop.label), loops_);
  made.trip_count = std::move(trips);
  made.body = std::move(body);
  made.where = "/" + made.name;
  items.push_back({std::move(made)});
}

std::vector<KernelBuilder::Interval> KernelBuilder::intervals(const std::map<std::int64_t, LoopTrace>& traces) const {
  struct Cursor {
    const LoopTrace* trace;
    std::size_t run = 0;
    std::int64_t left = 0;
  };
  std::map<std::int64_t, Cursor> cursors;
  for (const auto& [warp, trace] : traces) cursors[warp] = {&trace, 0, trace.empty() ? 0 : trace.front().second};
  std::vector<Interval> result;
  while (true) {
    Interval interval;
    interval.passes = INT64_MAX;
    for (const auto& [warp, cursor] : cursors) {
      if (cursor.run == cursor.trace->size()) continue;
      interval.records[warp] = (*cursor.trace)[cursor.run].first;
      interval.passes = std::min(interval.passes, cursor.left);
    }
    if (interval.records.empty()) return result;
    for (auto& [warp, cursor] : cursors) {
      if (cursor.run == cursor.trace->size()) continue;
      cursor.left -= interval.passes;
      if (cursor.left == 0 && ++cursor.run < cursor.trace->size()) cursor.left = (*cursor.trace)[cursor.run].second;
    }
    if (!result.empty() && result.back().records == interval.records)
      result.back().passes += interval.passes;
    else
      result.push_back(std::move(interval));
  }
}

/// The same passes, those of one kind together: in another order, as often.
std::vector<KernelBuilder::Interval> KernelBuilder::by_kind(const std::vector<Interval>& parts) const {
  std::vector<Interval> result;
  std::map<std::map<std::int64_t, std::uint32_t>, std::size_t> place_of;
  for (const auto& part : parts) {
    const auto [place, is_new] = place_of.emplace(part.records, result.size());
    if (is_new) result.push_back({part.records, 0});
    result[place->second].passes += part.passes;
  }
  return result;
}

std::vector<KernelBuilder::Interval> KernelBuilder::averaged(const NaturalLoop& loop,
                                                             const std::map<std::int64_t, LoopTrace>& traces) {
  notes_.insert(fmt::format(
      "the passes of the loop at {} differ too much to be written out: an average pass stands for all", loop.label));
  std::map<std::int64_t, LoopTrace> means;
  for (const auto& [warp, trace] : traces) {
    std::vector<std::pair<std::uint32_t, double>> weights;
    std::int64_t passes = 0;
    for (const auto& [record, count] : trace) {
      weights.emplace_back(record, static_cast<double>(count));
      passes += count;
    }
    means[warp] = {{average(weights), passes}};
  }
  return intervals(means);
}

/// A record in which a block runs where it did in half of the passes, and a loop as often as on average.
std::uint32_t KernelBuilder::average(const std::vector<std::pair<std::uint32_t, double>>& records) {
  PassRecord mean = execution_.pool.record(records.front().first);
  const auto total = std::accumulate(records.begin(), records.end(), 0.0,
                                     [](double sum, const auto& one) { return sum + one.second; });
  for (std::size_t item = 0; item < mean.items.size(); ++item) {
    double ran = 0, passes = 0;
    std::vector<std::pair<std::uint32_t, double>> inner;
    for (const auto& [record, weight] : records)
      if (execution_.pool.record(record).items[item] > 0) ran += weight;
    if (!loop_items_.contains({mean.header, item})) {
      mean.items[item] = 2 * ran >= total ? 1 : 0;
      continue;
    }
    for (const auto& [record, weight] : records) {
      const auto trace = execution_.pool.record(record).items[item];
      if (trace < 0) continue;
      for (const auto& [pass, count] : execution_.pool.trace(trace)) {
        inner.emplace_back(pass, weight * static_cast<double>(count));
        passes += weight * static_cast<double>(count);
      }
    }
    const auto trips = static_cast<std::int64_t>(std::llround(passes / total));
    mean.items[item] =
        trips == 0 ? std::int64_t{-1} : std::int64_t{execution_.pool.add(LoopTrace{{average(inner), trips}})};
  }
  const auto made = execution_.pool.add(std::move(mean));
  for (const auto& [record, weight] : records) averaged_from_[made].push_back(record);
  return made;
}

std::size_t KernelBuilder::size_of(const std::vector<Region>& regions) const {
  std::size_t size = 0;
  for (const auto& region : regions) {
    if (const auto* index = std::get_if<std::uint32_t>(&region.node))
      size += flow_.blocks[*index].last - flow_.blocks[*index].first;
    if (const auto* inner = std::get_if<NaturalLoop>(&region.node)) size += size_of(inner->body);
  }
  return size;
}

}  // namespace warpipe::ptx
