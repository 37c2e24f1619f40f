#include "survey/reach_of_forms.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>

#include "lanes/access_cost.hpp"

namespace warpipe::isa {
namespace {

constexpr std::int64_t kMostSectorsAsked = 2048;  // sectors of an array
constexpr int kMostSought = 4096;                 // steps of a search; beyond them a sector counts as not reached

std::int64_t floor_of(std::int64_t number, std::int64_t divisor) {
  return number / divisor - (number % divisor != 0 && number < 0 ? 1 : 0);
}

/// From the start nothing.
struct Interval {
  std::int64_t least = INT64_MAX, most = INT64_MIN;
  Interval operator+(const Interval& other) const { return {least + other.least, most + other.most}; }
  Interval operator*(std::int64_t factor) const {
    return factor < 0 ? Interval{factor * most, factor * least} : Interval{factor * least, factor * most};
  }
  void include(const Interval& other) {
    least = std::min(least, other.least);
    most = std::max(most, other.most);
  }
};

/// A sum of forms, each times a number.
using Combination = Terms;

/// A factor times a combination: a whole number from 0 to `most` after its least is taken off.
struct Strand {
  std::int64_t factor = 1, most = 0;
  Combination parts;
};

}  // namespace

/// Ranges of forms in the active lanes of accesses, over all groups of the kinds looked at.
class ReachOfForms::Observed {
 public:
  Observed(const AddressReader& reader, const std::vector<GroupBounds>& boxes, std::span<const LoggedAccess> accesses)
      : reader_(reader), boxes_(boxes) {
    std::set<
        std::tuple<Dimensions, Dimensions, std::uint32_t, std::uint64_t, std::uint32_t, std::int64_t, std::int64_t>>
        known;  // groups of a kind do the same
    for (const auto& access : accesses) {
      const auto& [first, last] = boxes[access.group];
      if (known.emplace(first, last, access.warp, access.mask, access.iterations, access.from, access.times).second)
        accesses_.push_back(access);
    }
  }

  Interval operator()(const Combination& parts) const {
    Combination of_threads, of_all;
    for (const auto& part : parts) (places_of(part.form).threads_alone ? of_threads : of_all).push_back(part);
    std::map<std::pair<std::uint32_t, std::uint64_t>, Interval> of_lanes;  // by warp and mask
    Interval all;
    for (const auto& access : accesses_) {
      const auto [lanes, is_new] = of_lanes.try_emplace({access.warp, access.mask});
      if (is_new) lanes->second = over_lanes(of_threads, access);
      auto sum = lanes->second;
      for (const auto& [form, times] : of_all) sum = sum + over_groups(form, access) * times;
      all.include(sum);
    }
    return all;
  }

 private:
  /// The places that a form depends on.
  struct Places {
    bool threads_alone = true, goes_straight = true;  ///< it cannot turn between two ends
    std::vector<Variable> moving;                     ///< groups and trips
  };
  const Places& places_of(Form form) const {
    const auto [found, is_new] = places_.try_emplace(form);
    if (!is_new) return found->second;
    const auto& forms = reader_.forms();
    auto& places = found->second;
    places.moving = forms.variables(form);
    std::erase_if(places.moving, [](Variable one) { return one.place == Place::Thread; });
    places.threads_alone = places.moving.empty();
    const auto kind = forms[form].kind;
    places.goes_straight = kind == FormKind::Variable || kind == FormKind::Quotient;
    return places;
  }

  Interval over_lanes(const Combination& parts, const LoggedAccess& access) const {
    Interval all;
    ExecutionNumbers at;
    for (auto mask = access.mask; mask != 0; mask &= mask - 1) {
      at.thread = reader_.thread(access.warp, static_cast<std::size_t>(std::countr_zero(mask)));
      std::int64_t sum = 0;
      for (const auto& [form, times] : parts) sum += times * reader_.value(form, at);
      all.include({sum, sum});
    }
    return all;
  }

  /// The range of a form over executions in a row, groups and lanes, from the first to the last of each. A form that
  /// may turn on the way takes its full range.
  Interval over_groups(Form form, const LoggedAccess& access) const {
    const auto& places = places_of(form);
    auto first = reader_.numbers(access, access.from), last = reader_.numbers(access, access.times - 1);
    first.group = boxes_[access.group].first;
    last.group = boxes_[access.group].last;
    const auto moves = [&](Variable variable) { return first.of(variable) != last.of(variable); };
    if (!places.goes_straight && std::ranges::any_of(places.moving, moves)) {
      const auto [least, most] = reader_.forms().range(form);
      return {least, most};
    }
    Interval all;
    for (const auto lane : {std::countr_zero(access.mask), static_cast<int>(std::bit_width(access.mask)) - 1}) {
      first.thread = last.thread = reader_.thread(access.warp, static_cast<std::size_t>(lane));
      for (const auto value : {reader_.value(form, first), reader_.value(form, last)}) all.include({value, value});
    }
    return all;
  }

  mutable std::map<Form, Places> places_;
  const AddressReader& reader_;
  const std::vector<GroupBounds>& boxes_;
  std::vector<LoggedAccess> accesses_;
};

namespace {

/// Joins strands that follow each other: 4 x (0 to 31) and 128 x (0 to 9) become 4 x (0 to 319).
/// @param limit  sets the end of a joined strand: less than its parts give where lanes at the rims are not active
template <class Limit>
void join(std::vector<Strand>& strands, const Limit& limit) {
  std::ranges::sort(strands, {}, &Strand::factor);
  std::vector<Strand> joined;
  for (auto& strand : strands) {
    const auto times = joined.empty() ? 0 : strand.factor / joined.back().factor;
    if (joined.empty() || strand.factor % joined.back().factor != 0 || times > joined.back().most + 1) {
      joined.push_back(std::move(strand));
      continue;
    }
    joined.back().most += times * strand.most;
    for (const auto& [form, each] : strand.parts) joined.back().parts.push_back({form, times * each});
    limit(joined.back());
  }
  strands = std::move(joined);
}

}  // namespace

bool ReachOfForms::is_countable(const Forms& forms, const AddressForm& form) {
  std::int64_t constant = 0;
  return std::ranges::all_of(forms.terms_of(form.bytes, constant), [&](const isa::Term& term) {
    const auto kind = forms[term.form].kind;
    return kind == FormKind::Variable || kind == FormKind::Quotient || kind == FormKind::Remainder ||
           kind == FormKind::Least || kind == FormKind::Greatest;
  });
}

void ReachOfForms::add(const AddressForm& form, std::span<const LoggedAccess> accesses, std::int64_t width) {
  const Observed observed(reader_, boxes_, accesses);
  std::int64_t constant = 0;
  const auto terms = reader_.forms().terms_of(form.bytes, constant);
  Sums sums{{}, width, constant};
  std::vector<Strand> strands;
  for (const auto& [part, factor] : terms) {
    const Combination one{{part, factor < 0 ? -1 : 1}};
    const auto seen = observed(one);
    if (seen.most > seen.least)
      strands.push_back({std::abs(factor), seen.most - seen.least, one});
    else
      sums.origin += std::abs(factor) * seen.least;
  }
  join(strands, [&](Strand& strand) {
    const auto seen = observed(strand.parts);
    strand.most = seen.most - seen.least;
  });
  for (const auto& strand : strands) {
    sums.origin += strand.factor * observed(strand.parts).least;
    sums.terms.push_back({strand.factor, strand.most});
  }
  std::ranges::reverse(sums.terms);
  sums_.push_back(std::move(sums));
}

/// Joins sums that differ in their origins alone, by a constant step, as the copies of an unrolled loop do.
std::vector<ReachOfForms::Sums> ReachOfForms::joined() const {
  auto all = sums_;
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<Sums> result;
  for (std::size_t i = 0; i < all.size();) {
    const auto alike = [&](std::size_t j) {
      return j < all.size() && all[j].terms == all[i].terms && all[j].width == all[i].width;
    };
    std::size_t end = i + 1;
    const auto step = alike(end) ? all[end].origin - all[i].origin : 0;
    while (alike(end) && all[end].origin - all[end - 1].origin == step) ++end;
    auto sums = all[i];
    if (step > 0) {
      std::vector<Strand> strands{{step, static_cast<std::int64_t>(end - i - 1), {}}};
      for (const auto& [factor, most] : sums.terms) strands.push_back({factor, most, {}});
      join(strands, [](Strand&) {});
      sums.terms.clear();
      for (const auto& strand : strands) sums.terms.push_back({strand.factor, strand.most});
      std::ranges::reverse(sums.terms);
    }
    result.push_back(std::move(sums));
    i = end;
  }
  return result;
}

/// Finds the reached bytes of a sector.
class ReachOfForms::Search {
 public:
  explicit Search(const Sums& sums) : sums_(sums), rest_(sums.terms.size() + 1, sums.width - 1) {
    for (auto i = sums.terms.size(); i-- > 0;) rest_[i] = rest_[i + 1] + sums.terms[i].factor * sums.terms[i].most;
  }

  std::int64_t last_sector() const { return floor_of(sums_.origin + rest_.front(), kSectorBytes); }

  /// @param mask  gets a bit for each byte
  void add(std::int64_t sector, std::uint32_t& mask) {
    begin_ = sector * kSectorBytes;
    steps_ = 0;
    if (sums_.origin < begin_ + kSectorBytes && sums_.origin + rest_.front() >= begin_) find(0, sums_.origin, mask);
  }

 private:
  void find(std::size_t term, std::int64_t sum, std::uint32_t& mask) {
    if (term == sums_.terms.size()) {
      const auto first = std::max<std::int64_t>(sum - begin_, 0);
      const auto end = std::min(sum + sums_.width - begin_, kSectorBytes);
      for (auto byte = first; byte < end; ++byte) mask |= std::uint32_t{1} << byte;
      return;
    }
    const auto [factor, most] = sums_.terms[term];
    const auto last = std::min(most, floor_of(begin_ + kSectorBytes - 1 - sum, factor));
    const auto first = std::max<std::int64_t>(0, -floor_of(sum + rest_[term + 1] - begin_, factor));
    for (auto times = first; times <= last && mask != UINT32_MAX && ++steps_ <= kMostSought; ++times)
      find(term + 1, sum + times * factor, mask);
  }

  const Sums& sums_;
  std::vector<std::int64_t> rest_;  ///< by term: reach of this and all later terms beyond a sum, the last byte included
  std::int64_t begin_ = 0;
  int steps_ = 0;
};

Reach ReachOfForms::count() const {
  const auto all = joined();
  std::vector<Search> searches(all.begin(), all.end());
  std::int64_t sectors = 0;
  for (const auto& search : searches) sectors = std::max(sectors, search.last_sector() + 1);
  std::int64_t stretch = 1;
  while (sectors > stretch * kMostSectorsAsked) stretch *= 2;
  Reach reach;
  for (std::int64_t first = 0; first < sectors; first += stretch) {
    const auto length = std::min(stretch, sectors - first);
    const auto within = hashed(static_cast<std::uint64_t>(first) + 1) % static_cast<std::uint64_t>(length);
    std::uint32_t mask = 0;
    for (auto& search : searches)
      if (mask != UINT32_MAX) search.add(first + static_cast<std::int64_t>(within), mask);
    reach.sectors += static_cast<double>(mask == 0 ? 0 : length);
    reach.bytes += static_cast<double>(length * std::popcount(mask));
  }
  return reach;
}

}  // namespace warpipe::isa
