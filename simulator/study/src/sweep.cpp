#include "warpipe/study/sweep.hpp"

#include <fmt/format.h>

#include <tuple>
#include <utility>

#include "in_order.hpp"
#include "resident_warps.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

using Kind = Variation::Kind;

constexpr std::size_t kMostPoints = 10'000'000;

/// An occupancy is another way to give the concurrent groups.
bool same_thing(const Variation& a, const Variation& b) {
  const auto thing = [](const Variation& variation) {
    const Kind kind = variation.kind == Kind::Occupancy ? Kind::ConcurrentGroups : variation.kind;
    return std::tuple(kind, variation.target, variation.field);
  };
  return thing(a) == thing(b);
}

void require_different(const std::vector<Variation>& variations) {
  for (auto second = variations.begin(); second != variations.end(); ++second) {
    for (auto first = variations.begin(); first != second; ++first) {
      if (!same_thing(*first, *second)) continue;
      throw UsageError(Diagnostic{.where = "--vary",
                                  .rule = "each variation changes something else",
                                  .found = fmt::format("found \"{}\" and \"{}\"", first->name, second->name),
                                  .advice = "put all values into one of them"});
    }
  }
}

/// Applies a variation that depends on no other; an occupancy waits until the group size is known.
void apply(const Variation& variation, double value, LaunchOptions& options) {
  const auto whole = static_cast<std::int64_t>(value);
  switch (variation.kind) {
    case Kind::GroupSize:
      options.group_size = whole;
      break;
    case Kind::Groups:
      options.groups = whole;
      break;
    case Kind::ConcurrentGroups:
      options.concurrent_groups = whole;
      break;
    case Kind::Occupancy:
      break;
    case Kind::Parameter:
      options.parameters.insert_or_assign(variation.target, value);
      break;
    case Kind::OpLatency:
      options.final_set.push_back({variation.target, variation.field, Cycles{value}});
      break;
    case Kind::ConflictDegree:
      options.conflict_degree.insert_or_assign(variation.target, whole);
      break;
    case Kind::Transactions:
      options.transactions.insert_or_assign(variation.target, whole);
      break;
  }
}

}  // namespace

std::size_t number_of_points(const std::vector<Variation>& variations) {
  std::size_t count = 1;
  for (const Variation& variation : variations) {
    if (variation.values.empty()) return 0;
  }
  for (const Variation& variation : variations) {
    // Both factors are small enough that a product of 64 bits holds them.
    count *= variation.values.size();
    if (count > kMostPoints) {
      throw UsageError(Diagnostic{.where = "--vary",
                                  .rule = fmt::format("a sweep has at most {} points", kMostPoints),
                                  .found = fmt::format("found more, at \"{}\"", variation.name),
                                  .advice = "vary fewer values, or in several sweeps"});
    }
  }
  return count;
}

std::vector<double> values_of_point(std::size_t index, const std::vector<Variation>& variations) {
  std::vector<double> values(variations.size());
  for (std::size_t i = variations.size(); i-- > 0;) {
    const std::vector<double>& choices = variations[i].values;
    values[i] = choices[index % choices.size()];
    index /= choices.size();
  }
  return values;
}

LaunchOptions options_at(const LaunchOptions& options, const std::vector<Variation>& variations,
                         const std::vector<double>& values, const Kernel& kernel, const Device& device) {
  LaunchOptions point = options;
  for (std::size_t i = 0; i < variations.size(); ++i) apply(variations[i], values[i], point);
  for (std::size_t i = 0; i < variations.size(); ++i) {
    if (variations[i].kind != Kind::Occupancy) continue;
    point.concurrent_groups = groups_of_resident_warps(static_cast<std::int64_t>(values[i]), kernel, device, point);
  }
  return point;
}

void for_each_point(const Kernel& kernel, const Device& device, const LaunchOptions& options,
                    const std::vector<Variation>& variations, std::size_t first, std::size_t threads,
                    const std::function<void(SweepPoint point)>& take) {
  require_different(variations);
  // A name that the files do not have is wrong at every point: it fails the sweep and not its points.
  with_options(kernel, options);
  with_options(device, options);
  const auto predict_point = [&](std::size_t index) {
    SweepPoint point;
    point.values = values_of_point(index, variations);
    try {
      point.prediction = predict(kernel, device, options_at(options, variations, point.values, kernel, device));
    } catch (const GateError&) {
      throw;  // two engines disagree: no result is to be trusted
    } catch (const Error& error) {
      point.error = error.what();
    }
    return point;
  };
  for_each_in_order(first, number_of_points(variations), threads, predict_point, take);
}

std::vector<SweepPoint> run_sweep(const Kernel& kernel, const Device& device, const LaunchOptions& options,
                                  const std::vector<Variation>& variations, std::size_t threads,
                                  const Progress& progress) {
  const std::size_t total = number_of_points(variations);
  std::vector<SweepPoint> points;
  const auto keep = [&](SweepPoint point) {
    points.push_back(std::move(point));
    if (progress) progress(points.size(), total);
  };
  for_each_point(kernel, device, options, variations, 0, threads, keep);
  return points;
}

}  // namespace warpipe
