#include "mixed_passes.hpp"

#include <algorithm>
#include <set>

namespace warpipe::ptx {
namespace {

constexpr std::int64_t kMostParts = 32;   // that passes are mixed to
constexpr std::int64_t kFewerWithin = 8;  // times fewer in a loop within

const NaturalLoop* loop_at(const NaturalLoop& loop, std::size_t item) {
  return std::get_if<NaturalLoop>(&loop.body[item].node);
}

/// The number that a pass has of what happens `total` times in so many passes: the first ones have what is left over.
struct Share {
  std::int64_t passes, step;

  /// The first pass that does not have one more.
  std::int64_t end_of_rest(std::int64_t total) const { return (total % passes + step / 2) / step * step; }
  std::int64_t at(std::int64_t pass, std::int64_t total) const {
    return total / passes + (pass < end_of_rest(total) ? 1 : 0);
  }
};

}  // namespace

LoopTrace PassMixer::mix(const NaturalLoop& loop, const LoopTrace& trace) {
  Passes passes;
  std::int64_t all = 0;
  for (const auto& [record, times] : trace) {
    passes[record] += times;
    all += times;
  }
  return spread(loop, totals(loop, passes), all, kMostParts);
}

PassMixer::Totals PassMixer::totals(const NaturalLoop& loop, const Passes& passes) const {
  Totals result;
  result.runs.assign(loop.body.size(), 0);
  for (const auto& [record, times] : passes) result.records.push_back(record);
  for (std::size_t item = 0; item < loop.body.size(); ++item) {
    const auto* within = loop_at(loop, item);
    Passes inner;
    for (const auto& [record, times] : passes) {
      const auto found = pool_.record(record).items[item];
      if (within == nullptr) {
        result.runs[item] += found != 0 ? times : 0;
      } else if (found >= 0) {
        for (const auto& [pass, count] : pool_.trace(found)) {
          inner[pass] += times * count;
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
Totals part_of(const Totals& totals, const Share& share, std::int64_t pass) {
  Totals part = totals;
  for (auto& total : part.runs) total = share.at(pass, total);
  for (auto& [item, inner] : part.inner) inner = part_of(inner, share, pass);
  return part;
}

}  // namespace

/// What is over where the totals are shared out among the passes goes to the first ones, so that they fall into as many
/// parts as there are different rests.
LoopTrace PassMixer::spread(const NaturalLoop& loop, const Totals& totals, std::int64_t passes, std::int64_t most) {
  Share share{passes, 1};
  const auto ends = [&] {
    std::set<std::int64_t> found{0, passes};
    for_each_total(totals, [&](std::int64_t total) { found.insert(std::min(passes, share.end_of_rest(total))); });
    return found;
  };
  if (static_cast<std::int64_t>(ends().size()) > most + 1) share.step = (passes + most - 1) / most;
  LoopTrace trace;
  const auto found = ends();
  for (auto begin = found.begin(), end = std::next(begin); end != found.end(); begin = end++) {
    const auto pass = record(loop, part_of(totals, share, *begin), most);
    if (!trace.empty() && trace.back().first == pass)
      trace.back().second += *end - *begin;
    else
      trace.emplace_back(pass, *end - *begin);
  }
  return trace;
}

std::uint32_t PassMixer::record(const NaturalLoop& loop, const Totals& once, std::int64_t most) {
  PassRecord made{loop.header, {}};
  for (std::size_t item = 0; item < loop.body.size(); ++item) {
    const auto runs = once.runs[item];
    const auto* within = loop_at(loop, item);
    if (within == nullptr) {
      made.items.push_back(runs > 0 ? 1 : 0);
    } else if (runs == 0) {
      made.items.push_back(-1);
    } else {
      auto trace = spread(*within, once.inner.at(item), runs, std::max<std::int64_t>(2, most / kFewerWithin));
      made.items.push_back(pool_.add(std::move(trace)));
    }
  }
  const auto number = pool_.add(std::move(made));
  made_from_[number].insert(once.records.begin(), once.records.end());
  return number;
}

}  // namespace warpipe::ptx
