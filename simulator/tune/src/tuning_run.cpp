#include "warpipe/tune/tuning_run.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <variant>

#include "warpipe/idg/error.hpp"
#include "warpipe/parallel/loops.hpp"
#include "warpipe/tune/scores.hpp"

namespace warpipe {
namespace {

using Make = TuningItem::Make;

constexpr int kBitsOfIndex = 29, kBitsOfWorst = 32;  // a million configurations on 500 devices

float rounded_up(double number) {
  const auto near = static_cast<float>(number);
  return near < number ? std::nextafter(near, std::numeric_limits<float>::infinity()) : near;
}

Cell cell_of(const FormulaValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value.value)) return *whole;
  if (const auto* number = std::get_if<double>(&value.value)) return *number;
  return to_string(value);
}

/// The sizes come from the bound, where the bound was asked for.
void put(TunedPoint made, TunedPoint& point) {
  if (!point.block.empty()) made.block = point.block;
  if (!point.grid.empty()) made.grid = point.grid;
  point = std::move(made);
}

/// The shortest times first.
void rank(DeviceTuning& found) {
  found.ranked.clear();
  for (std::size_t i = 0; i < found.points.size(); ++i)
    if (found.points[i].time) found.ranked.push_back(i);
  std::ranges::sort(found.ranked, {}, [&](std::size_t i) { return std::pair(*found.points[i].time, i); });
}

}  // namespace

std::uint64_t pack(const TuningItem& item) {
  return (std::uint64_t{static_cast<std::uint32_t>(item.make)} << kBitsOfIndex | item.index) << kBitsOfWorst |
         std::bit_cast<std::uint32_t>(item.worst);
}

TuningItem unpack_tuning_item(std::uint64_t packed) {
  const auto place = packed >> kBitsOfWorst;
  return {static_cast<Make>(place >> kBitsOfIndex), place & ((std::uint64_t{1} << kBitsOfIndex) - 1),
          std::bit_cast<float>(static_cast<std::uint32_t>(packed))};
}

TuningRun::TuningRun(const Tuner& tuner, std::string source, const TuningWish& wish)
    : tuner_(tuner), wish_(wish), parts_(tuner.parts()), warnings_(tuner.devices().size()) {
  tuning_.source = std::move(source);
  tuning_.space = tuner.space().file;
  tuning_.form = tuner.space().form;
  tuning_.sources = tuner.sources();
  tuning_.top = wish.top;
  for (const auto& tunable : tuner.space().tunables) tuning_.tunables.push_back(tunable.name);
  for (const auto& configuration : tuner.configurations()) {
    auto& cells = tuning_.values.emplace_back();
    for (std::size_t i = 0; i < configuration.values.size(); ++i)
      cells.push_back(cell_of(tuner.space().tunables[i].values[configuration.values[i]]));
  }
  for (const auto& device : tuner.devices())
    tuning_.devices.push_back(
        {device.name, device.title, std::vector<TunedPoint>(tuner.configurations().size()), {}, {}});
}

Tuner::Item TuningRun::item_of(std::size_t index) const {
  return {index / tuning_.devices.size(), index % tuning_.devices.size()};
}

TunedItem TuningRun::make(const TuningItem& item) const {
  TunedItem made;
  if (item.make == Make::Bounds)
    for (const auto& each : parts_[item.index]) made.points.push_back(tuner_.bound(each));
  else if (item.make == Make::Times)
    for (const auto& each : parts_[item.index]) made.points.push_back(tuner_.simulate(each, item.worst, false));
  else
    made.points.push_back(tuner_.simulate(item_of(item.index), item.worst, item.make != Make::Time,
                                          item.make == Make::RangeOfBest ? &made.warnings : nullptr));
  return made;
}

const Tuning& TuningRun::run(const Do& act) {
  wish_.all ? go_through(act, Make::Times, "configurations simulated")
            : go_through(act, Make::Bounds, "configurations bounded");
  for (std::size_t device = 0; device < tuning_.devices.size(); ++device) {
    wish_.all ? rank(tuning_.devices[device]) : find_times(act, device);
    if (wish_.range) find_ranges(act, device);
    add_measured(device);
  }
  return tuning_;
}

const Tuning& TuningRun::run(std::size_t threads) {
  return run([&](const Step& step, const Take& take) {
    std::size_t next = 0;
    for_each_in_order(
        0, step.items.size(), threads, [&](std::size_t place) { return make(step.items[place]); },
        [&](const TunedItem& made) { take(next++, made); });
  });
}

/// Bounds or simulates all configurations, source by source.
void TuningRun::go_through(const Do& act, Make make, const char* what) {
  Step step{what, 0, {}};
  for (const auto& part : parts_) {
    step.items.push_back({make, step.items.size()});
    step.configurations += part.size();
  }
  act(step, [&](std::size_t place, const TunedItem& made) {
    for (std::size_t i = 0; i < parts_[place].size(); ++i) point_of(parts_[place][i]) = made.points[i];
  });
  for (std::size_t device = 0; device < tuning_.devices.size(); ++device) {
    const auto& points = tuning_.devices[device].points;
    if (std::ranges::any_of(points, [](const TunedPoint& point) { return point.bound.has_value(); })) continue;
    tuner_.explain({0, device});
    throw ModelError(Diagnostic{"--space", "no configuration runs on the device", points.front().error, ""});
  }
}

/// Simulates in the order of the bounds, in parts, until no other can be among the best. How long the parts are depends
/// on nothing but how many came before.
void TuningRun::find_times(const Do& act, std::size_t device) {
  auto& found = tuning_.devices[device];
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < found.points.size(); ++i)
    if (found.points[i].bound) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return *found.points[i].bound; });
  constexpr std::size_t kLeast = 16;
  for (std::size_t done = 0; done < order.size();) {
    auto end = std::min(order.size(), done == 0 ? wish_.top : done + std::max(kLeast, done / 4));
    while (end > done && *found.points[order[end - 1]].bound > worst_of_best(found)) --end;
    if (end == done) break;
    simulate(act, device,
             {order.begin() + static_cast<std::ptrdiff_t>(done), order.begin() + static_cast<std::ptrdiff_t>(end)});
    done = end;
  }
}

/// The time of the last configuration shown; infinite until so many are known.
double TuningRun::worst_of_best(const DeviceTuning& found) const {
  if (found.ranked.size() < wish_.top) return std::numeric_limits<double>::infinity();
  return *found.points[found.ranked[wish_.top - 1]].time;
}

void TuningRun::simulate(const Do& act, std::size_t device, const std::vector<std::size_t>& chosen) {
  auto& found = tuning_.devices[device];
  Step step{"configurations simulated", chosen.size(), {}};
  const auto worst = rounded_up(worst_of_best(found));
  for (const auto i : chosen) step.items.push_back({Make::Time, i * tuning_.devices.size() + device, worst});
  act(step, [&](std::size_t place, const TunedItem& made) { put(made.points.front(), found.points[chosen[place]]); });
  rank(found);
}

void TuningRun::find_ranges(const Do& act, std::size_t device) {
  auto& found = tuning_.devices[device];
  Step step{"ranges of the best", std::min(wish_.top, found.ranked.size()), {}};
  for (std::size_t place = 0; place < step.configurations; ++place)
    step.items.push_back(
        {place == 0 ? Make::RangeOfBest : Make::Range, found.ranked[place] * tuning_.devices.size() + device});
  act(step, [&](std::size_t place, const TunedItem& made) {
    put(made.points.front(), found.points[found.ranked[place]]);
    if (place == 0) warnings_[device] = made.warnings;
  });
}

void TuningRun::add_measured(std::size_t device) {
  auto& found = tuning_.devices[device];
  const auto* times = times_on(tuner_.space(), found.device, found.title, tuning_.devices.size() == 1);
  if (times == nullptr) return;
  for (std::size_t i = 0; i < found.points.size(); ++i) {
    const auto time = times->by_values.find(tuner_.configurations()[i].values);
    if (time != times->by_values.end()) found.points[i].measured = time->second.seconds;
  }
  found.score = score_of(found);
}

}  // namespace warpipe
