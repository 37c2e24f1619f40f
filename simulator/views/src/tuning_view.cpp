#include "warpipe/views/tuning_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "warpipe/idg/json_writer.hpp"
#include "warpipe/idg/printable.hpp"
#include "warpipe/sweep/equal_work.hpp"
#include "warpipe/views/numbers.hpp"

namespace warpipe {
namespace {

constexpr double kToMicroseconds = 1e6;
constexpr std::size_t kMostReasons = 5;

struct TuningCounts {
  std::size_t simulated = 0, bounded = 0, failed = 0;
};

TuningCounts counts_of(const DeviceTuning& tuning) {
  TuningCounts counts;
  for (const auto& point : tuning.points)
    ++(!point.error.empty() ? counts.failed : point.time ? counts.simulated : counts.bounded);
  return counts;
}

Cell microseconds(const std::optional<double>& seconds) { return seconds ? Cell(*seconds * kToMicroseconds) : Cell(); }

double time_at(const DeviceTuning& tuning, std::size_t place) { return *tuning.points[tuning.ranked[place]].time; }

std::string show_rank(const RankRange& rank) {
  return rank.low == rank.high ? fmt::format("{}", rank.low) : fmt::format("{}-{}", rank.low, rank.high);
}

/// The best configurations: for people with ranks as they may be, for programs with both ends.
Records best_of(const Tuning& tuning, const DeviceTuning& device, bool for_people) {
  Records records{
      for_people ? std::vector<std::string>{"rank"} : std::vector<std::string>{"rank", "rank_low", "rank_high"}, {}};
  auto& names = records.names;
  names.insert(names.end(), tuning.tunables.begin(), tuning.tunables.end());
  names.insert(names.end(), {"block", "grid", "time_us", "low_us", "high_us", "against_best", "limiter", "bound_us",
                             "resident_warps", "registers", "shared_memory", "measured_us"});
  for (std::size_t place = 0; place < std::min(tuning.top, device.ranked.size()); ++place) {
    const auto index = device.ranked[place];
    const auto& point = device.points[index];
    const auto rank = rank_range(device, place);
    std::vector<Cell> row{for_people ? Cell(show_rank(rank)) : Cell(static_cast<std::int64_t>(place + 1))};
    if (!for_people) row.insert(row.end(), {static_cast<std::int64_t>(rank.low), static_cast<std::int64_t>(rank.high)});
    row.insert(row.end(), tuning.values[index].begin(), tuning.values[index].end());
    row.insert(row.end(), {point.block, point.grid, microseconds(point.time)});
    row.push_back(point.range ? Cell(in_microseconds(point.range->low)) : Cell());
    row.push_back(point.range ? Cell(in_microseconds(point.range->high)) : Cell());
    row.insert(row.end(), {*point.time / time_at(device, 0), point.limiter, microseconds(point.bound),
                           point.resident_warps, point.registers, point.shared_memory, microseconds(point.measured)});
    records.rows.push_back(std::move(row));
  }
  return records;
}

/// The reasons of failed configurations, without the values found, the most frequent reason first.
std::vector<std::pair<std::string, std::size_t>> reasons_of(const DeviceTuning& tuning) {
  std::map<std::string, std::size_t> counts;
  for (const auto& point : tuning.points)
    if (!point.error.empty()) ++counts[point.error.substr(0, point.error.find("; found"))];
  std::vector<std::pair<std::string, std::size_t>> reasons(counts.begin(), counts.end());
  std::ranges::stable_sort(reasons, std::greater(), &std::pair<std::string, std::size_t>::second);
  return reasons;
}

std::string as_percent(const std::optional<double>& fraction) {
  return fraction ? show_percent(*fraction) : std::string("none");
}

std::string show_score(const TuningScore& score) {
  auto text = fmt::format("measured: {} of those with a predicted time; mean |error| {}\n", score.rows,
                          as_percent(score.mean_error));
  text += fmt::format("  Kendall's tau-b {}, with times within {:.0f} % as equal {}; Spearman {}\n",
                      show_decimals(score.kendall, 2), 100 * kTie, show_decimals(score.kendall_apart, 2),
                      show_decimals(score.spearman, 2));
  for (std::size_t i = 0; i < kScoredTops.size(); ++i)
    if (score.loss[i])
      text += fmt::format("  {}: takes {} longer than the fastest that was measured\n",
                          kScoredTops[i] == 1 ? "the first" : fmt::format("the best of the first {}", kScoredTops[i]),
                          as_percent(score.loss[i]));
  return text;
}

std::string show_device(const Tuning& tuning, const DeviceTuning& device) {
  const auto counts = counts_of(device);
  auto text = fmt::format(
      "{} on {}: {} configurations of {} source{}: {} simulated, {} not, since their bounds are above "
      "the times of the best, {} fail\n\n",
      printable(tuning.source), printable(device.device), device.points.size(), tuning.sources,
      tuning.sources == 1 ? "" : "s", counts.simulated, counts.bounded, counts.failed);
  if (!device.ranked.empty()) text += to_text(best_of(tuning, device, true)) + "\n";
  if (const auto ties = ties_of_best(device); ties > 0)
    text += fmt::format("as fast as the first within the model's error of {:.0f} %: {} other{}\n", 100 * kTie, ties,
                        ties == 1 ? "" : "s");
  const auto reasons = reasons_of(device);
  for (std::size_t i = 0; i < std::min(reasons.size(), kMostReasons); ++i)
    text += fmt::format("{} fail: {}\n", reasons[i].second, printable(reasons[i].first));
  if (reasons.size() > kMostReasons) text += fmt::format("and {} further reasons\n", reasons.size() - kMostReasons);
  if (device.score) text += show_score(*device.score);
  return text;
}

std::string state_of(const TunedPoint& point) {
  return !point.error.empty() ? "failed" : point.time ? "simulated" : "bounded";
}

}  // namespace

RankRange rank_range(const DeviceTuning& tuning, std::size_t place) {
  const double time = time_at(tuning, place);
  RankRange rank{1, 0};
  for (const auto& point : tuning.points) {
    if (!point.error.empty()) continue;
    const auto least = point.time ? point.time : point.bound;
    if (point.time && *point.time * (1 + kTie) < time) ++rank.low;
    if (least && *least <= time * (1 + kTie)) ++rank.high;
  }
  return rank;
}

std::size_t ties_of_best(const DeviceTuning& tuning) {
  if (tuning.ranked.empty()) return 0;
  return static_cast<std::size_t>(std::ranges::count_if(
             tuning.ranked,
             [&](std::size_t index) { return *tuning.points[index].time <= (1 + kTie) * time_at(tuning, 0); })) -
         1;
}

std::string write_text(const Tuning& tuning) {
  std::string text;
  for (const auto& device : tuning.devices) text += (text.empty() ? "" : "\n") + show_device(tuning, device);
  return text;
}

std::string write_csv(const Tuning& tuning) {
  Records records{{"device"}, {}};
  records.names.insert(records.names.end(), tuning.tunables.begin(), tuning.tunables.end());
  records.names.insert(records.names.end(),
                       {"block", "grid", "state", "rank", "time_us", "low_us", "high_us", "bound_us", "limiter",
                        "resident_warps", "registers", "shared_memory", "measured_us", "error"});
  for (const auto& device : tuning.devices) {
    std::vector<std::int64_t> ranks(device.points.size());
    for (std::size_t place = 0; place < device.ranked.size(); ++place)
      ranks[device.ranked[place]] = static_cast<std::int64_t>(place + 1);
    for (std::size_t i = 0; i < device.points.size(); ++i) {
      const auto& point = device.points[i];
      std::vector<Cell> row{device.device};
      row.insert(row.end(), tuning.values[i].begin(), tuning.values[i].end());
      row.insert(row.end(), {text_cell(point.block), text_cell(point.grid), state_of(point),
                             ranks[i] > 0 ? Cell(ranks[i]) : Cell(), microseconds(point.time)});
      row.push_back(point.range ? Cell(in_microseconds(point.range->low)) : Cell());
      row.push_back(point.range ? Cell(in_microseconds(point.range->high)) : Cell());
      row.insert(row.end(), {microseconds(point.bound), text_cell(point.limiter)});
      if (point.error.empty())
        row.insert(row.end(), {point.resident_warps, point.registers, point.shared_memory});
      else
        row.insert(row.end(), 3, Cell());
      row.insert(row.end(), {microseconds(point.measured), text_cell(point.error)});
      records.rows.push_back(std::move(row));
    }
  }
  return to_csv(records);
}

std::string write_json(const Tuning& tuning) {
  JsonWriter json;
  json.begin_object().member("format", "warpipe-tuning").member("version", std::int64_t{1});
  json.member("source", tuning.source).member("space", tuning.space).member("sources", tuning.sources);
  json.key("tunables").begin_array();
  for (const auto& name : tuning.tunables) json.value(name);
  json.end_array().key("devices").begin_array();
  for (const auto& device : tuning.devices) {
    const auto counts = counts_of(device);
    json.begin_object().member("device", device.device).member("configurations", device.points.size());
    json.member("simulated", counts.simulated).member("bounded", counts.bounded).member("failed", counts.failed);
    json.member("ties_of_best", ties_of_best(device)).key("best").begin_array();
    const auto best = best_of(tuning, device, false);
    for (const auto& row : best.rows) write_record(json, best, row);
    json.end_array().key("failures").begin_array();
    for (const auto& [reason, count] : reasons_of(device))
      json.begin_object().member("reason", reason).member("configurations", count).end_object();
    json.end_array();
    if (const auto& score = device.score) {
      json.key("score").begin_object().member("rows", score->rows).member("mean_error", score->mean_error);
      json.member("kendall", score->kendall).member("kendall_apart", score->kendall_apart);
      json.member("spearman", score->spearman);
      for (std::size_t i = 0; i < kScoredTops.size(); ++i)
        json.member(fmt::format("loss_of_{}", kScoredTops[i]), score->loss[i]);
      json.end_object();
    }
    json.end_object();
  }
  return json.end_array().end_object().text();
}

}  // namespace warpipe
