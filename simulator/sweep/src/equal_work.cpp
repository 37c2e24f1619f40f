#include "warpipe/sweep/equal_work.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace warpipe {
namespace {

using Kind = Variation::Kind;
using Arrays = std::vector<isa::ArrayReach>;

/// The difference allowed between amounts of the same work: groups at the rims of a launch are rounded up, and large
/// arrays are counted by samples.
constexpr double kSame = 0.02;

bool are_same(double a, double b) { return std::abs(a - b) <= kSame * std::max(a, b); }

/// Whether threads of other values do other work.
bool decides_work(Kind kind) { return kind == Kind::Kernel || kind == Kind::Parameter || kind == Kind::Argument; }

bool any_decides(const std::vector<Variation>& variations) {
  return std::ranges::any_of(variations, decides_work, &Variation::kind);
}

/// The indices of the variations that may change the work.
std::vector<std::size_t> changing(const std::vector<Variation>& variations) {
  const bool groups_vary = std::ranges::find(variations, Kind::Groups, &Variation::kind) != variations.end();
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < variations.size(); ++i) {
    const Kind kind = variations[i].kind;
    if ((kind == Kind::GroupSize && groups_vary) || kind == Kind::Groups || kind == Kind::Block || kind == Kind::Grid ||
        kind == Kind::Define || decides_work(kind))
      indices.push_back(i);
  }
  return indices;
}

double threads_of(const Launch& launch) {
  return static_cast<double>(launch.groups.value) * static_cast<double>(launch.group_size.value);
}

/// Two arrays of the same name, or of two kernels.
bool are_same(const isa::ArrayReach& a, const isa::ArrayReach& b, bool& by_lanes) {
  const bool are_results = a.is_result && b.is_result;
  if (are_results) return true;
  if (a.is_counted && b.is_counted) return are_same(a.read, b.read) && are_same(a.written, b.written);
  by_lanes = true;
  return are_same(a.lanes, b.lanes);
}

bool are_same(const Arrays& some, const Arrays& others, bool& by_lanes) {
  std::map<std::string, std::pair<isa::ArrayReach, isa::ArrayReach>> pairs;  // missing on one side: not reached there
  for (const auto& array : some) pairs[array.name].first = array;
  for (const auto& array : others) pairs[array.name].second = array;
  return std::ranges::all_of(
      pairs, [&](const auto& pair) { return are_same(pair.second.first, pair.second.second, by_lanes); });
}

/// Other kernels have other names for their arrays: arrays reached to the same amount are taken to be the same.
Arrays without_names(Arrays arrays) {
  std::erase_if(arrays, [](const auto& array) { return array.is_result; });
  std::ranges::sort(arrays, std::greater(), [](const auto& array) { return std::pair(array.read, array.written); });
  for (std::size_t i = 0; i < arrays.size(); ++i) arrays[i].name = std::to_string(i);
  return arrays;
}

/// The work of a point as a kernel file states it: values that may change it, or an amount and its unit.
using Said = std::pair<char, std::vector<double>>;

/// The work of a point.
struct Work {
  const SweepPoint* point;
  Said said;
  Arrays arrays;  ///< reached by the launch, where code was imported
};

/// The different works of points, by number.
class Works {
 public:
  explicit Works(const std::vector<Variation>& variations)
      : variations_(variations),
        decides_(any_decides(variations)),
        kernels_vary_(std::ranges::find(variations, Kind::Kernel, &Variation::kind) != variations.end()) {}

  /// @param by_lanes  set where lanes were compared
  /// @return          the number of a point's work: the next number where no earlier point did it
  std::size_t number_of(const SweepPoint& point, bool& by_lanes) {
    Work work{&point, said_of(point), {}};
    if (point.arrays) work.arrays = kernels_vary_ ? without_names(*point.arrays) : *point.arrays;
    for (const auto& [number, other] : imported_)
      if (are_equal(other, work, by_lanes = false)) return number;
    const auto [said, is_new] = of_files_.try_emplace(work.said, count_);
    if (!is_new) return said->second;
    if (point.arrays) {
      of_files_.erase(said);
      imported_.emplace_back(count_, std::move(work));
    }
    return count_++;
  }

 private:
  bool are_equal(const Work& a, const Work& b, bool& by_lanes) const {
    if (!a.point->arrays || !b.point->arrays) return a.said == b.said;
    const Launch &one = a.point->prediction->launch, &other = b.point->prediction->launch;
    const bool same_flops = are_same(one.flops.value_or(0), other.flops.value_or(0));
    if (decides_ && !same_flops) return false;
    if (!a.arrays.empty() || !b.arrays.empty()) return are_same(a.arrays, b.arrays, by_lanes);
    if (!same_flops || !are_same(threads_of(one), threads_of(other))) return false;
    return one.flops || values_of(*a.point) == values_of(*b.point);
  }

  std::vector<double> values_of(const SweepPoint& point) const {
    std::vector<double> values;
    for (std::size_t i = 0; i < variations_.size(); ++i)
      if (decides_work(variations_[i].kind)) values.push_back(point.values[i].number);
    return values;
  }

  Said said_of(const SweepPoint& point) const {
    const Launch& launch = point.prediction->launch;
    if (launch.flops && *launch.flops > 0) return {'f', {*launch.flops}};
    if (launch.bytes && *launch.bytes > 0) return {'b', {*launch.bytes}};
    Said threads{'t', values_of(point)};
    threads.second.push_back(threads_of(launch));
    return threads;
  }

  const std::vector<Variation>& variations_;
  bool decides_, kernels_vary_;
  std::size_t count_ = 0;
  std::vector<std::pair<std::size_t, Work>> imported_;
  std::map<Said, std::size_t> of_files_;
};

/// The values common to points with the same value in all variations that may change the work.
std::vector<double> shared_values(const SweepPoint& point, const std::vector<std::size_t>& changing) {
  std::vector<double> values;
  for (const std::size_t index : changing) {
    const auto& value = point.values[index];
    values.push_back(value.number);
    if (value.sizes) values.insert(values.end(), value.sizes->begin(), value.sizes->end());
  }
  return values;
}

void add_ties(const std::vector<SweepPoint>& points, const std::vector<std::size_t>& place_of,
              std::vector<EqualWork>& all) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].prediction) continue;
    EqualWork& same = all[place_of[i]];
    const double fastest = same.fastest->prediction->time.count;
    if (&points[i] != same.fastest && points[i].prediction->time.count <= (1 + kTie) * fastest)
      same.ties.push_back(&points[i]);
  }
}

}  // namespace

std::vector<EqualWork> equal_work(const std::vector<Variation>& variations, const std::vector<SweepPoint>& points) {
  const auto indices = changing(variations);
  Works works(variations);
  std::map<std::vector<double>, std::size_t> known;  // of the first point with these values, as rounding may differ
  std::vector<EqualWork> all;
  std::vector<std::size_t> place_of(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const SweepPoint& point = points[i];
    if (!point.prediction) continue;
    const auto [place, is_new] = known.try_emplace(shared_values(point, indices));
    bool by_lanes = false;
    if (is_new) place->second = works.number_of(point, by_lanes);
    if (place->second == all.size()) all.emplace_back();
    EqualWork& same = all[place_of[i] = place->second];
    same.by_lanes = same.by_lanes || by_lanes;
    ++same.points;
    if (same.fastest == nullptr || point.prediction->time < same.fastest->prediction->time) same.fastest = &point;
  }
  add_ties(points, place_of, all);
  return all;
}

std::string changes_of_work(const std::vector<Variation>& variations) {
  std::string names;
  for (const std::size_t index : changing(variations)) names += (names.empty() ? "" : ", ") + variations[index].name;
  return names;
}

std::vector<std::string> without_effect(const std::vector<Variation>& variations,
                                        const std::vector<SweepPoint>& points) {
  const auto of_work = changing(variations);
  std::vector<std::string> names;
  for (std::size_t varied = 0; varied < variations.size(); ++varied) {
    if (std::ranges::binary_search(of_work, varied)) continue;
    std::map<std::vector<std::string>, std::set<double>> times;  // by the other values
    std::size_t predicted = 0;
    for (const SweepPoint& point : points) {
      if (!point.prediction) continue;
      std::vector<std::string> others;
      for (std::size_t i = 0; i < variations.size(); ++i)
        if (i != varied) others.push_back(to_string(point.values[i]));
      times[std::move(others)].insert(point.prediction->time.count);
      ++predicted;
    }
    const bool makes_none = std::ranges::all_of(times, [](const auto& each) { return each.second.size() == 1; });
    if (makes_none && predicted > times.size()) names.push_back(variations[varied].name);
  }
  return names;
}

BytesOfWork bytes_of_work(const std::vector<isa::ArrayReach>& arrays) {
  BytesOfWork bytes;
  for (const auto& array : arrays) {
    if (array.is_result) continue;
    bytes.read += array.read;
    bytes.written += array.written;
  }
  return bytes;
}

std::optional<double> cost_of(double time, const Launch& launch, const ArrayReaches& arrays,
                              const std::vector<Variation>& variations) {
  if (changing(variations).empty()) return time;
  const double flops = launch.flops.value_or(0), said = launch.bytes.value_or(0);
  const auto [read, written] = arrays ? bytes_of_work(*arrays) : BytesOfWork{};
  if (flops > 0 && (read + written == 0 || any_decides(variations))) return time / flops;
  if (read + written > 0) return time / (read + written);
  if (said > 0) return time / said;
  return arrays ? std::optional(time / threads_of(launch)) : std::nullopt;
}

Throughput throughput_of(const SweepPoint& point, const std::vector<Variation>& variations) {
  constexpr double kGiga = 1e9;
  const Launch& launch = point.prediction->launch;
  const auto [read, written] = point.arrays ? bytes_of_work(*point.arrays) : BytesOfWork{};
  if (read + written == 0 || (launch.flops.value_or(0) > 0 && any_decides(variations))) return throughput_of(launch);
  return {"GB/s", (read + written) / kGiga};
}

const SweepPoint* highest_throughput(const std::vector<SweepPoint>& points, const std::vector<Variation>& variations) {
  const SweepPoint* highest = nullptr;
  const auto work = [&](const SweepPoint& point) { return throughput_of(point, variations); };
  const auto rate = [&](const SweepPoint& point) { return work(point).amount / point.prediction->time.count; };
  for (const auto& point : points) {
    if (!point.prediction) continue;
    const Launch& launch = point.prediction->launch;
    const bool alike = highest == nullptr || work(*highest).unit == work(point).unit;
    if (!alike || !(launch.flops || launch.bytes) || !(point.prediction->time.count > 0)) return nullptr;
    if (highest == nullptr || rate(point) > rate(*highest)) highest = &point;
  }
  return highest;
}

}  // namespace warpipe
