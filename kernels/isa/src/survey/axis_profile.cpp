#include "survey/axis_profile.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <set>

#include "program/effort.hpp"

namespace warpipe::isa {
namespace {

constexpr std::int64_t kFewerAlone = 4;  // times fewer places stand for themselves alone than for others

using Run = AxisProfile::Run;
using Stretch = AxisProfile::Stretch;

/// A number from 0 to 1 that looks unordered and is the same everywhere.
double fraction(std::uint64_t x) {
  x = (x + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 29)) * 0x94d049bb133111eb;
  return static_cast<double>((x ^ (x >> 32)) >> 11) * 0x1p-53;
}

/// Each of `places` stands for those nearest to it, but for none of those that stand alone.
AxisProfile around(std::vector<std::int64_t> places, const std::set<std::int64_t>& alone, std::int64_t size) {
  std::erase_if(places, [&](std::int64_t place) { return alone.contains(place); });
  if (places.empty()) places.push_back(size / 2);
  std::vector<Run> runs;
  auto next_alone = alone.begin();
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto end = i + 1 < places.size() ? (places[i] + places[i + 1]) / 2 + 1 : size;
    for (; next_alone != alone.end() && *next_alone < end; ++next_alone) {
      if (*next_alone > begin) runs.push_back({places[i], *next_alone - begin});
      runs.push_back({*next_alone, 1});
      begin = *next_alone + 1;
    }
    if (end > begin) runs.push_back({places[i], end - begin});
    begin = std::max(begin, end);
  }
  return {{{std::move(runs), 1}}, false};
}

std::int64_t places_of(const std::vector<Run>& runs) {
  return std::accumulate(runs.begin(), runs.end(), std::int64_t{0},
                         [](std::int64_t sum, const Run& run) { return sum + run.places; });
}

class Profiler {
 public:
  Profiler(std::int64_t size, const BehaviourAt& at, std::size_t most) : size_(size), at_(at), most_(most) {}

  AxisProfile run() {
    std::vector<Stretch> found;
    if (size_ <= static_cast<std::int64_t>(most_)) return {{{joined(0, size_), 1}}, true};
    if (auto runs = by_halving(0, size_)) return {{{std::move(*runs), 1}}, true};
    if (by_pattern(0, size_, found)) return {std::move(found), true};
    return nearest();
  }

 private:
  /// Neighbours that are alike, all looked at; the first and the last place of the axis by themselves.
  std::vector<Run> joined(std::int64_t first, std::int64_t end) const {
    std::vector<Run> runs;
    for (auto place = first; place < end; ++place) {
      const bool goes_on =
          place > std::max<std::int64_t>(first, 1) && place + 1 < size_ && at_(place) == at_(place - 1);
      if (goes_on)
        ++runs.back().places;
      else
        runs.push_back({place, 1});
    }
    for (auto& run : runs) run.place += run.places / 2;
    return runs;
  }

  /// Runs of equal behaviour, if they are few among the places looked at first.
  std::optional<std::vector<Run>> by_halving(std::int64_t first, std::int64_t end) const {
    auto places = spread_places(end - first, std::min(std::size_t{kEffort.pattern}, most_ / 2));
    for (auto& place : places) place += first;
    for (const auto edge : {first, first + 1, end - 2, end - 1})
      if (edge >= first && edge < end) places.push_back(edge);
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    std::size_t changes = 0;
    for (std::size_t i = 1; i < places.size(); ++i) changes += at_(places[i]) != at_(places[i - 1]) ? 1U : 0U;
    if (3 * changes > places.size()) return std::nullopt;
    std::vector<std::int64_t> begins{first};
    std::size_t looked_at = places.size();
    for (std::size_t i = 1; i < places.size(); ++i)
      if (!find_begins(places[i - 1], places[i], begins, looked_at)) return std::nullopt;
    return runs_between(begins, end);
  }

  /// Where the behaviour changes in (low, high].
  bool find_begins(std::int64_t low, std::int64_t high, std::vector<std::int64_t>& begins,
                   std::size_t& looked_at) const {
    if (at_(low) == at_(high)) return true;
    if (high - low == 1) {
      begins.push_back(high);
      return true;
    }
    if (++looked_at > most_) return false;
    const auto middle = low + (high - low) / 2;
    return find_begins(low, middle, begins, looked_at) && find_begins(middle, high, begins, looked_at);
  }

  /// Where an axis begins and ends, what memory is reached differs even where control does not.
  std::vector<Run> runs_between(const std::vector<std::int64_t>& begins, std::int64_t end) const {
    std::vector<Run> runs;
    for (std::size_t i = 0; i < begins.size(); ++i) {
      auto first = begins[i], last = i + 1 < begins.size() ? begins[i + 1] : end;
      if (first == 0 && last - first > 1) runs.push_back({first++, 1});
      const bool has_edge = last == size_ && last - first > 1;
      if (has_edge) --last;
      runs.push_back({first + (last - first) / 2, last - first});
      if (has_edge) runs.push_back({last, 1});
    }
    return runs;
  }

  /// A pattern that repeats in a window of neighbours in the middle, and holds at places spread over the axis.
  bool by_pattern(std::int64_t first, std::int64_t end, std::vector<Stretch>& found) const {
    const auto longest = std::min(end - first, static_cast<std::int64_t>(most_ / 2));
    for (std::int64_t window = kEffort.pattern; window <= longest; window *= 2) {
      const auto begin = first + (end - first - window) / 2;
      const auto period = period_of(begin, window);
      if (period && extend(first, end, begin, *period, found)) return true;
    }
    return false;
  }

  std::optional<std::int64_t> period_of(std::int64_t begin, std::int64_t window) const {
    for (std::int64_t period = 1; period <= window / 2; ++period) {
      bool holds = true;
      for (auto place = begin; place + period < begin + window && holds; ++place)
        holds = at_(place) == at_(place + period);
      if (holds) return period;
    }
    return std::nullopt;
  }

  /// How far a pattern reaches, and what lies before and behind it.
  bool extend(std::int64_t first, std::int64_t end, std::int64_t begin, std::int64_t period,
              std::vector<Stretch>& found) const {
    const auto in_pattern = [&](std::int64_t place) {
      const auto offset = (place - begin) % period;
      return begin + (offset < 0 ? offset + period : offset);
    };
    const auto holds = [&](std::int64_t place) { return at_(place) == at_(in_pattern(place)); };
    const auto edge = [&](std::int64_t inside, std::int64_t outside) {
      while (std::abs(outside - inside) > 1) {
        const auto middle = inside + (outside - inside) / 2;
        (holds(middle) ? inside : outside) = middle;
      }
      return inside;
    };
    const auto low = holds(first) ? first : edge(begin, first);
    const auto high = holds(end - 1) ? end : edge(begin, end - 1) + 1;
    for (const auto place : spread_places(high - low, std::size_t{kEffort.pattern}))
      if (!holds(low + place)) return false;
    std::vector<Stretch> before, behind;
    if (low > first && !part(first, low, before)) return false;
    if (high < end && !part(high, end, behind)) return false;
    std::ranges::move(before, std::back_inserter(found));
    add_pattern(low, high, period, in_pattern, found);
    std::ranges::move(behind, std::back_inserter(found));
    return true;
  }

  template <class InPattern>
  void add_pattern(std::int64_t low, std::int64_t high, std::int64_t period, const InPattern& in_pattern,
                   std::vector<Stretch>& found) const {
    const auto add = [&](std::int64_t first, std::int64_t last, std::int64_t repeats) {
      Stretch stretch{{}, repeats};
      for (auto place = first; place < last; ++place) stretch.runs.push_back({in_pattern(place), 1});
      if (first < last && repeats > 0) found.push_back(std::move(stretch));
    };
    const auto repeats = (high - low) / period;
    add(low, low + period, repeats);
    add(low + repeats * period, high, 1);
  }

  /// What lies beside a pattern: every place, or a few runs.
  bool part(std::int64_t first, std::int64_t end, std::vector<Stretch>& found) const {
    if (end - first <= static_cast<std::int64_t>(most_)) {
      found.push_back({joined(first, end), 1});
      return true;
    }
    auto runs = by_halving(first, end);
    if (runs) found.push_back({std::move(*runs), 1});
    return runs.has_value();
  }

  /// Places spread evenly stand for those nearest to them. Those before and at multiples of large powers of two, of
  /// which trees make few and large nodes, stand for themselves alone, as do the ends.
  AxisProfile nearest() const {
    std::set<std::int64_t> alone{0, size_ - 1};
    std::int64_t step = 1;
    while (kFewerAlone * (size_ / step) > static_cast<std::int64_t>(most_)) step *= 2;
    for (auto place = step; place < size_; place += step) alone.insert({place - 1, place});
    return around(spread_places(size_, most_ - alone.size()), alone, size_);
  }

  std::int64_t size_;
  const BehaviourAt& at_;
  std::size_t most_;
};

}  // namespace

std::vector<std::int64_t> spread_places(std::int64_t size, std::size_t count) {
  // Multiples of one number, as those of the golden ratio, are only three distances apart, which a period may share.
  std::vector<std::int64_t> places;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = (static_cast<double>(i) + fraction(i)) / static_cast<double>(count);
    places.push_back(std::min(size - 1, static_cast<std::int64_t>(at * static_cast<double>(size))));
  }
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

AxisProfile every_place(std::int64_t size) {
  Stretch all;
  for (std::int64_t place = 0; place < size; ++place) all.runs.push_back({place, 1});
  return {{std::move(all)}, true};
}

AxisProfile some_places(std::int64_t size, std::size_t inner) {
  if (size <= static_cast<std::int64_t>(inner) + 2) return every_place(size);
  return around(inner == 1 ? std::vector{size / 2} : spread_places(size, inner), {0, size - 1}, size);
}

AxisProfile profile_axis(std::int64_t size, const BehaviourAt& at, std::size_t most) {
  return Profiler(size, at, most).run();
}

std::int64_t AxisProfile::representative_of(std::int64_t place) const {
  for (const auto& stretch : stretches) {
    const auto once = places_of(stretch.runs), all = once * stretch.repeats;
    if (place >= all) {
      place -= all;
      continue;
    }
    place %= once;
    for (const auto& run : stretch.runs) {
      if (place < run.places) return run.place;
      place -= run.places;
    }
  }
  return stretches.back().runs.back().place;
}

std::map<std::int64_t, double> AxisProfile::weights() const {
  std::map<std::int64_t, double> result;
  for (const auto& stretch : stretches)
    for (const auto& run : stretch.runs)
      result[run.place] += static_cast<double>(run.places) * static_cast<double>(stretch.repeats);
  return result;
}

std::int64_t AxisProfile::size() const {
  std::int64_t all = 0;
  for (const auto& stretch : stretches) all += places_of(stretch.runs) * stretch.repeats;
  return all;
}

namespace {

constexpr std::int64_t kMostRuns = 1 << 16;

void append(std::vector<GroupKinds::Run>& runs, const GroupKinds::Run& run) {
  if (!runs.empty() && runs.back().kind == run.kind)
    runs.back().groups += run.groups;
  else
    runs.push_back(run);
}

}  // namespace

void append_repeated(std::vector<GroupKinds::Run>& runs, const std::vector<GroupKinds::Run>& pattern,
                     std::int64_t times) {
  const auto length = static_cast<std::int64_t>(pattern.size());
  if (length == 1) {
    append(runs, {pattern.front().kind, pattern.front().groups * times});
    return;
  }
  const auto rounds = std::min(times, std::max<std::int64_t>(1, kMostRuns / std::max<std::int64_t>(1, length)));
  for (std::int64_t round = 0; round < rounds; ++round) {
    const auto as_one = times / rounds + (round < times % rounds ? 1 : 0);
    for (const auto& run : pattern) append(runs, {run.kind, run.groups * as_one});
  }
}

std::vector<GroupKinds::Run> shorten_runs(const std::vector<GroupKinds::Run>& runs) {
  // The longest prefix that is also the end of each part of the list: D. E. Knuth, J. H. Morris, V. R. Pratt, "Fast
  // pattern matching in strings", SIAM J. Comput. 6(2), 1977. The last run may end early.
  std::vector<std::size_t> prefix(runs.size(), 0);
  const auto equal = [&](std::size_t at, std::size_t early) {
    if (at + 1 == runs.size()) return runs[at].kind == runs[early].kind && runs[at].groups <= runs[early].groups;
    return runs[at] == runs[early];
  };
  for (std::size_t at = 1; at < runs.size(); ++at) {
    auto length = prefix[at - 1];
    while (length > 0 && !equal(at, length)) length = prefix[length - 1];
    prefix[at] = equal(at, length) ? length + 1 : 0;
  }
  const auto period = runs.size() - (runs.empty() ? 0 : prefix.back());
  return {runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(period)};
}

}  // namespace warpipe::isa
