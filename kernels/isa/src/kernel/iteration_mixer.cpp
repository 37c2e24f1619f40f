#include "kernel/iteration_mixer.hpp"

#include <algorithm>
#include <set>

#include "program/effort.hpp"

namespace warpipe::isa {
namespace {

const NaturalLoop* loop_at(const NaturalLoop& loop, std::size_t item) {
  return std::get_if<NaturalLoop>(&loop.body[item].node);
}

/// An iteration's share of `total` runs in all iterations: the first iterations get the rest of the division.
struct Share {
  std::int64_t iterations, step;

  /// The first iteration without a part of the rest.
  std::int64_t end_of_rest(std::int64_t total) const { return (total % iterations + step / 2) / step * step; }
  std::int64_t at(std::int64_t iteration, std::int64_t total) const {
    return total / iterations + (iteration < end_of_rest(total) ? 1 : 0);
  }
};

}  // namespace

LoopTrace IterationMixer::mix(const NaturalLoop& loop, const LoopTrace& trace, std::int64_t most) {
  Iterations iterations;
  std::int64_t all = 0;
  for (const auto& [record, times] : trace) {
    iterations[record] += times;
    all += times;
  }
  return spread(loop, totals(loop, iterations), all, std::min(most, kEffort.mixed_parts));
}

IterationMixer::Totals IterationMixer::totals(const NaturalLoop& loop, const Iterations& iterations) const {
  Totals result;
  result.runs.assign(loop.body.size(), 0);
  for (const auto& [record, times] : iterations) result.records.push_back(record);
  for (std::size_t item = 0; item < loop.body.size(); ++item) {
    const auto* within = loop_at(loop, item);
    Iterations inner;
    for (const auto& [record, times] : iterations) {
      const auto found = pool_.record(record).items[item];
      if (within == nullptr) {
        result.runs[item] += found != 0 ? times : 0;
      } else if (found >= 0) {
        for (const auto& [iteration, count] : pool_.trace(found)) {
          inner[iteration] += times * count;
          result.runs[item] += times * count;
        }
      }
    }
    if (!inner.empty()) result.inner.emplace(item, totals(*within, inner));
  }
  return result;
}

namespace {

template <class Totals, class Visit>
void for_each_total(const Totals& totals, const Visit& visit) {
  for (const auto total : totals.runs) visit(total);
  for (const auto& [item, inner] : totals.inner) for_each_total(inner, visit);
}

template <class Totals>
Totals part_of(const Totals& totals, const Share& share, std::int64_t iteration) {
  Totals part = totals;
  for (auto& total : part.runs) total = share.at(iteration, total);
  for (auto& [item, inner] : part.inner) inner = part_of(inner, share, iteration);
  return part;
}

}  // namespace

/// Shares the totals out among the iterations. The first iterations get the rests, and so there are as many parts as
/// different rests.
LoopTrace IterationMixer::spread(const NaturalLoop& loop, const Totals& totals, std::int64_t iterations,
                                 std::int64_t most) {
  Share share{iterations, 1};
  const auto ends = [&] {
    std::set<std::int64_t> found{0, iterations};
    for_each_total(totals, [&](std::int64_t total) { found.insert(std::min(iterations, share.end_of_rest(total))); });
    return found;
  };
  if (static_cast<std::int64_t>(ends().size()) > most + 1) share.step = (iterations + most - 1) / most;
  LoopTrace trace;
  const auto found = ends();
  for (auto begin = found.begin(), end = std::next(begin); end != found.end(); begin = end++) {
    const auto iteration = record(loop, part_of(totals, share, *begin), most);
    if (!trace.empty() && trace.back().first == iteration)
      trace.back().second += *end - *begin;
    else
      trace.emplace_back(iteration, *end - *begin);
  }
  return trace;
}

std::uint32_t IterationMixer::record(const NaturalLoop& loop, const Totals& once, std::int64_t most) {
  TraceRecord made{loop.header, {}};
  for (std::size_t item = 0; item < loop.body.size(); ++item) {
    const auto runs = once.runs[item];
    const auto* within = loop_at(loop, item);
    if (within == nullptr) {
      made.items.push_back(runs > 0 ? 1 : 0);
    } else if (runs == 0) {
      made.items.push_back(-1);
    } else {
      auto trace = spread(*within, once.inner.at(item), runs, std::max<std::int64_t>(2, most / kEffort.fewer_within));
      made.items.push_back(pool_.add(std::move(trace)));
    }
  }
  const auto number = pool_.add(std::move(made));
  made_from_[number].insert(once.records.begin(), once.records.end());
  return number;
}

}  // namespace warpipe::isa
