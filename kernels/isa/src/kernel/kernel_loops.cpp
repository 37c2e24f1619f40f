// Loops of a kernel: a single body where all iterations are alike, else a body for each run of like iterations.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "kernel/iteration_mixer.hpp"
#include "kernel/kernel_builder.hpp"
#include "program/effort.hpp"

namespace warpipe::isa {
namespace {}  // namespace

void KernelBuilder::loop(const NaturalLoop& loop, std::size_t place, const Views& views, std::vector<Item>& items) {
  const auto all = slots_of(views);
  if (const auto part = alike(views, place)) {
    write(loop, *part, all, items);
    return;
  }
  const auto parts = written_out(loop, views, place);
  const auto around = std::exchange(written_out_, written_out_ * parts.size());
  for (const auto& part : parts) write(loop, part, all, items);
  written_out_ = around;
}

/// A single part where every warp does the same in all of its iterations; only their number may differ.
std::optional<KernelBuilder::Part> KernelBuilder::alike(const Views& views, std::size_t place) const {
  Part part;
  std::map<std::uint32_t, Slots> slots;
  std::vector<std::uint32_t> order;
  for (const auto& view : views) {
    const auto& trace = survey_.pool.trace(survey_.pool.record(view.record).items[place]);
    if (trace.size() != 1) return std::nullopt;
    const auto [iteration, iterations] = trace.front();
    auto& those = slots[iteration];
    if (those.empty()) order.push_back(iteration);
    those.insert(those.end(), view.slots.begin(), view.slots.end());
    for (const auto slot : view.slots) part.iterations.push_back({slot, 0, iterations});
  }
  for (const auto iteration : order) part.views.push_back({iteration, std::move(slots[iteration])});
  for (auto& view : part.views) std::ranges::sort(view.slots);
  std::ranges::sort(part.iterations, {}, &LoopPart::Iterations::slot);
  return part;
}

/// The warps of a group go round together; the n-th parts of all kinds of groups are written as a single part.
std::vector<KernelBuilder::Part> KernelBuilder::written_out(const NaturalLoop& loop, const Views& views,
                                                            std::size_t place) {
  std::map<std::size_t, Traces> kinds;
  for (const auto& view : views)
    for (const auto slot : view.slots)
      kinds[values_.kind_of(slot)][values_.warp_of(slot)] = survey_.pool.record(view.record).items[place];
  std::map<Traces, std::vector<Interval>> known;
  std::vector<Part> parts;
  std::map<std::uint32_t, std::int64_t> gone_round;  // by slot
  bool in_order = true;
  for (const auto& [kind, traces] : kinds) {
    const auto [found, is_new] = known.try_emplace(traces);
    if (is_new) found->second = intervals_of(loop, traces, in_order);
    parts.resize(std::max(parts.size(), found->second.size()));
    for (std::size_t i = 0; i < found->second.size(); ++i)
      for (const auto& [warp, record] : found->second[i].records) {
        const auto slot = values_.slot(kind, warp);
        auto view = std::ranges::find(parts[i].views, record, &View::record);
        if (view == parts[i].views.end()) view = parts[i].views.insert(view, {record, {}});
        view->slots.push_back(slot);
        parts[i].iterations.push_back({slot, gone_round[slot], found->second[i].iterations});
        gone_round[slot] += found->second[i].iterations;
      }
  }
  for (auto& part : parts) part.in_order = in_order;
  return parts;
}

void KernelBuilder::write(const NaturalLoop& loop, const Part& part, const Slots& all, std::vector<Item>& items) {
  const auto name = "trips_" + as_name(loop.label);
  std::vector<std::pair<std::uint32_t, std::int64_t>> iterations;
  for (const auto& one : part.iterations) iterations.emplace_back(one.slot, one.count);
  auto trips = values_.number(iterations, name);
  auto here = slots_of(part.views);
  const bool some_leave = here.size() != all.size();
  if (some_leave && values_.is_of_kinds(trips)) {
    // Warps outside the loop go round no more.
    for (const auto slot : all)
      if (!std::ranges::binary_search(here, slot)) iterations.emplace_back(slot, 0);
    std::ranges::sort(iterations);
    trips = values_.number(iterations, name);
    here = all;
  }
  std::vector<Item> body;
  repeat(loop, std::move(trips), part, body);
  under(here, all, loop.label, std::move(body), items);
}

/// Intervals of a loop for the warps of a group, as few as possible.
/// @param in_order  becomes false where their iterations are not the program's
std::vector<KernelBuilder::Interval> KernelBuilder::intervals_of(const NaturalLoop& loop, const Traces& traces,
                                                                 bool& in_order) {
  std::map<std::int64_t, LoopTrace> of_warps;
  for (const auto& [warp, trace] : traces) of_warps[warp] = survey_.pool.trace(trace);
  const auto most = std::clamp<std::size_t>(
      kEffort.copies / written_out_ / std::max<std::size_t>(1, size_of(loop.body)), 2, std::size_t{kEffort.pattern});
  auto parts = intervals(of_warps);
  in_order = in_order && parts.size() <= most;
  if (parts.size() > most) parts = by_kind(parts);
  if (parts.size() > most) parts = averaged(loop, of_warps, most);
  return parts;
}

void KernelBuilder::repeat(const NaturalLoop& loop, Expression trips, const Part& part, std::vector<Item>& items) {
  const auto first = kernel_.instructions.size();
  const bool goes_round = trips != Expression(1);
  around_.push_back(std::make_shared<LoopPart>(LoopPart{"", part.iterations, part.in_order}));
  const auto written = around_.back();
  if (goes_round) copies_.open_loop(first);
  auto body = list(loop.body, part.views);
  if (goes_round) copies_.close_loop(kernel_.instructions.size());
  around_.pop_back();
  if (body.empty()) return;
  if (!goes_round) {
    std::ranges::move(body, std::back_inserter(items));
    return;
  }
  // The first instruction also waits for the branch back to it.
  const auto slots = slots_of(part.views);
  for (const auto& [branch, going_on] : branches_)
    if (std::ranges::any_of(going_on, [&](auto slot) { return std::ranges::binary_search(slots, slot); }))
      wait_for(first, branch);
  Loop made;
  made.name = unique("loop_" + as_name(loop.label), loops_);
  written->counter = made.name;
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
    interval.iterations = INT64_MAX;
    for (const auto& [warp, cursor] : cursors) {
      if (cursor.run == cursor.trace->size()) continue;
      interval.records[warp] = (*cursor.trace)[cursor.run].first;
      interval.iterations = std::min(interval.iterations, cursor.left);
    }
    if (interval.records.empty()) return result;
    for (auto& [warp, cursor] : cursors) {
      if (cursor.run == cursor.trace->size()) continue;
      cursor.left -= interval.iterations;
      if (cursor.left == 0 && ++cursor.run < cursor.trace->size()) cursor.left = (*cursor.trace)[cursor.run].second;
    }
    if (!result.empty() && result.back().records == interval.records)
      result.back().iterations += interval.iterations;
    else
      result.push_back(std::move(interval));
  }
}

/// The same iterations, equal iterations together: as often, in another order.
std::vector<KernelBuilder::Interval> KernelBuilder::by_kind(const std::vector<Interval>& parts) const {
  std::vector<Interval> result;
  std::map<std::map<std::int64_t, std::uint32_t>, std::size_t> place_of;
  for (const auto& part : parts) {
    const auto [place, is_new] = place_of.emplace(part.records, result.size());
    if (is_new) result.push_back({part.records, 0});
    result[place->second].iterations += part.iterations;
  }
  return result;
}

/// As many iterations, in a few parts, with as many runs of every instruction.
std::vector<KernelBuilder::Interval> KernelBuilder::averaged(const NaturalLoop& loop,
                                                             const std::map<std::int64_t, LoopTrace>& traces,
                                                             std::size_t most) {
  notes_.insert(fmt::format(
      "the passes of the loop at {} differ too much to be written out: as many mixed ones stand for them", loop.label));
  IterationMixer mixer(survey_.pool, measured_.made_from());
  std::map<std::int64_t, LoopTrace> mixed;
  for (const auto& [warp, trace] : traces) mixed[warp] = mixer.mix(loop, trace, static_cast<std::int64_t>(most));
  return intervals(mixed);
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

}  // namespace warpipe::isa
