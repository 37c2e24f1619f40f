#include "warpipe/sweep/equal_work.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "warpipe/predict/launch_work.hpp"

namespace warpipe {
namespace {

using Kind = Variation::Kind;

/// What decides how much work a point does: values that may change it, or an amount and what it counts.
using Key = std::pair<char, std::vector<double>>;

/// Whether threads of other values do other work.
bool decides_work(Kind kind) { return kind == Kind::Kernel || kind == Kind::Parameter || kind == Kind::Argument; }

/// The indices of the variations that may change the work.
std::vector<std::size_t> changing(const std::vector<Variation>& variations) {
  const auto varies = [&](Kind kind) {
    return std::ranges::find(variations, kind, &Variation::kind) != variations.end();
  };
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < variations.size(); ++i) {
    const Kind kind = variations[i].kind;
    const bool free_size =
        (kind == Kind::GroupSize && varies(Kind::Groups)) || (kind == Kind::Block && varies(Kind::Grid));
    if (free_size || kind == Kind::Groups || kind == Kind::Grid || decides_work(kind)) indices.push_back(i);
  }
  return indices;
}

/// What a point's work amounts to.
Key amount_of(const SweepPoint& point, const std::vector<Variation>& variations) {
  const Launch& launch = point.prediction->launch;
  if (launch.flops && *launch.flops > 0) return {'f', {*launch.flops}};
  if (launch.bytes && *launch.bytes > 0) return {'b', {*launch.bytes}};
  Key threads{'t', {static_cast<double>(launch.groups.value) * static_cast<double>(launch.group_size.value)}};
  for (std::size_t i = 0; i < variations.size(); ++i)
    if (decides_work(variations[i].kind)) threads.second.push_back(point.values[i].number);
  return threads;
}

/// What the points share that differ in nothing that may change the work.
std::vector<double> shared_values(const SweepPoint& point, const std::vector<std::size_t>& changing) {
  std::vector<double> values;
  for (const std::size_t index : changing) {
    const auto& value = point.values[index];
    values.push_back(value.number);
    if (value.sizes) values.insert(values.end(), value.sizes->begin(), value.sizes->end());
  }
  return values;
}

}  // namespace

std::vector<EqualWork> equal_work(const std::vector<Variation>& variations, const std::vector<SweepPoint>& points) {
  const auto indices = changing(variations);
  std::map<std::vector<double>, Key> amounts;  // of the first point with these values: others may round another way
  std::map<Key, std::size_t> places;
  std::vector<EqualWork> all;
  for (const auto& point : points) {
    if (!point.prediction) continue;
    const auto [amount, is_new] = amounts.try_emplace(shared_values(point, indices));
    if (is_new) amount->second = amount_of(point, variations);
    const auto [place, is_other] = places.try_emplace(amount->second, all.size());
    if (is_other) all.emplace_back();
    EqualWork& same = all[place->second];
    ++same.points;
    if (same.fastest == nullptr || point.prediction->time < same.fastest->prediction->time) same.fastest = &point;
  }
  return all;
}

std::string changes_of_work(const std::vector<Variation>& variations) {
  std::string names;
  for (const std::size_t index : changing(variations)) names += (names.empty() ? "" : ", ") + variations[index].name;
  return names;
}

const SweepPoint* highest_throughput(const std::vector<SweepPoint>& points) {
  const SweepPoint* highest = nullptr;
  const auto rate = [](const SweepPoint& point) {
    return throughput_of(point.prediction->launch).amount / point.prediction->time.count;
  };
  for (const auto& point : points) {
    if (!point.prediction) continue;
    const Launch& launch = point.prediction->launch;
    const bool alike =
        highest == nullptr || throughput_of(highest->prediction->launch).unit == throughput_of(launch).unit;
    if (!alike || !(launch.flops || launch.bytes) || !(point.prediction->time.count > 0)) return nullptr;
    if (highest == nullptr || rate(point) > rate(*highest)) highest = &point;
  }
  return highest;
}

}  // namespace warpipe
