#include "warpipe/tune/scores.hpp"

#include <algorithm>
#include <cmath>

#include "warpipe/accuracy/ranking.hpp"
#include "warpipe/sweep/equal_work.hpp"

namespace warpipe {
namespace {

/// The predicted and measured times of configurations with both, the shortest predicted time first.
struct TimesOfBoth {
  std::vector<double> predicted, measured;
};

TimesOfBoth times_of(const DeviceTuning& tuning) {
  TimesOfBoth both;
  for (const auto index : tuning.ranked) {
    const auto& point = tuning.points[index];
    if (!point.measured) continue;
    both.predicted.push_back(*point.time);
    both.measured.push_back(*point.measured);
  }
  return both;
}

/// The ranking of these rows, as of `validate --rank`.
Ranking ranking_of(const TimesOfBoth& both) {
  constexpr double kMicroseconds = 1e6;
  std::vector<Comparison> rows;
  for (std::size_t i = 0; i < both.predicted.size(); ++i) {
    Comparison row;
    row.measurement.quantity = Quantity::TimeUs;
    row.measurement.value = both.measured[i] * kMicroseconds;
    row.measurement.line = i + 1;
    row.predicted = both.predicted[i] * kMicroseconds;
    rows.push_back(std::move(row));
  }
  return rankings(rows).front();
}

}  // namespace

std::optional<TuningScore> score_of(const DeviceTuning& tuning) {
  const auto both = times_of(tuning);
  if (both.predicted.empty()) return std::nullopt;
  const auto count = both.predicted.size();
  const auto ranking = ranking_of(both);
  TuningScore score{
      count, 0.0, ranking.kendall, kendall_tau_apart(both.predicted, both.measured, kTie), ranking.spearman, {}};
  for (std::size_t i = 0; i < count; ++i)
    *score.mean_error += std::abs(both.predicted[i] / both.measured[i] - 1) / static_cast<double>(count);
  // The fastest of all measured times, including configurations that are not simulated or fail.
  double fastest = both.measured.front();
  for (const auto& point : tuning.points) fastest = std::min(fastest, point.measured.value_or(fastest));
  for (std::size_t i = 0; i < kScoredTops.size(); ++i) {
    const auto first = both.measured.begin();
    if (count >= kScoredTops[i])
      score.loss[i] = *std::min_element(first, first + static_cast<std::ptrdiff_t>(kScoredTops[i])) / fastest - 1;
  }
  return score;
}

std::optional<double> kendall_tau_apart(const std::vector<double>& predicted, const std::vector<double>& measured,
                                        double within) {
  double agreeing = 0, of_predicted = 0, of_measured = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double ratio = predicted[i] / predicted[j];
      const int a = ratio > 1 + within ? 1 : ratio * (1 + within) < 1 ? -1 : 0;
      const int b = measured[i] > measured[j] ? 1 : measured[i] < measured[j] ? -1 : 0;
      agreeing += a * b;
      of_predicted += a != 0;
      of_measured += b != 0;
    }
  if (of_predicted == 0 || of_measured == 0) return std::nullopt;
  return agreeing / std::sqrt(of_predicted * of_measured);
}

}  // namespace warpipe
