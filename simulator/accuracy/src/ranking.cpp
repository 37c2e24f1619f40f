#include "warpipe/accuracy/ranking.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "ranks.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"

namespace warpipe {
namespace {

/// A row's value of a name; nothing where the row leaves it to the kernel.
std::optional<double> given(const Measurement& row, const std::string& name) {
  const auto whole = [](const std::optional<std::int64_t>& value) {
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
  };
  if (name == "group_size") return whole(row.options.group_size);
  if (name == "groups") return whole(row.options.groups);
  const auto parameter = row.options.parameters.find(name);
  return parameter == row.options.parameters.end() ? std::nullopt : std::optional(parameter->second);
}

void require_names(const std::vector<Comparison>& rows, const std::vector<std::string>& names) {
  std::set<std::string> known;
  for (const Comparison& row : rows) {
    for (const auto& [name, value] : row.measurement.options.parameters) known.insert(name);
    for (const char* name : {"group_size", "groups"})
      if (given(row.measurement, name)) known.insert(name);
  }
  for (const std::string& name : names) {
    if (known.contains(name)) continue;
    throw UsageError(Diagnostic{fmt::format("`rank {}`", name), fmt::format("no row gives \"{}\"", name), "",
                                suggest(name, std::vector(known.begin(), known.end()))});
  }
}

std::string problem_of(const Measurement& row, const std::vector<std::string>& names) {
  std::vector<std::string> said;
  for (const std::string& name : names) {
    const auto value = given(row, name);
    said.push_back(value ? fmt::format("{} {}", name, *value) : fmt::format("{} as the kernel has it", name));
  }
  return fmt::format("{}", fmt::join(said, ", "));
}

/// The rows of one problem with their costs: the less the faster.
struct Problem {
  Ranking ranking;
  std::vector<double> measured, predicted;
  std::vector<std::size_t> lines;
};

double cost(Quantity quantity, double value) {
  return quantity == Quantity::BandwidthGbps || quantity == Quantity::Gflops ? 1 / value : value;
}

std::vector<Problem> problems_of(const std::vector<Comparison>& rows, const std::vector<std::string>& names) {
  std::vector<Problem> problems;
  std::map<std::tuple<std::string, std::string, Quantity, std::string>, std::size_t> index_of;
  for (const Comparison& row : rows) {
    const Measurement& measurement = row.measurement;
    auto problem = problem_of(measurement, names);
    const auto [place, is_new] =
        index_of.try_emplace({measurement.kernel, measurement.device, measurement.quantity, problem}, problems.size());
    if (is_new) {
      Ranking ranking;
      ranking.kernel = measurement.kernel;
      ranking.device = measurement.device;
      ranking.quantity = measurement.quantity;
      ranking.problem = std::move(problem);
      problems.push_back({std::move(ranking), {}, {}, {}});
    }
    Problem& found = problems[place->second];
    if (!row.predicted) {
      ++found.ranking.failed;
      continue;
    }
    found.measured.push_back(cost(measurement.quantity, measurement.value));
    found.predicted.push_back(cost(measurement.quantity, *row.predicted));
    found.lines.push_back(measurement.line);
  }
  return problems;
}

/// How far each row belongs to the k of the least ranks: 1, 0, or for equals at the end their share of the rest.
std::vector<double> shares(const std::vector<double>& ranks, std::size_t k) {
  auto sorted = ranks;
  std::ranges::sort(sorted);
  std::vector<double> result;
  for (const double rank : ranks) {
    const auto [begin, end] = std::equal_range(sorted.begin(), sorted.end(), rank);
    const auto faster = static_cast<double>(begin - sorted.begin()), equal = static_cast<double>(end - begin);
    result.push_back(std::clamp((static_cast<double>(k) - faster) / equal, 0.0, 1.0));
  }
  return result;
}

double top_percent(const std::vector<double>& measured, const std::vector<double>& predicted, std::size_t k) {
  const auto a = shares(measured, k), b = shares(predicted, k);
  return std::min(100 * std::inner_product(a.begin(), a.end(), b.begin(), 0.0) / static_cast<double>(k), 100.0);
}

void find_loss(const Problem& problem, const std::vector<double>& predicted, Ranking& ranking) {
  const auto best = std::ranges::min_element(problem.measured);
  ranking.best_line = problem.lines[static_cast<std::size_t>(best - problem.measured.begin())];
  const double least = *std::ranges::min_element(predicted);
  double sum = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    if (predicted[i] != least) continue;
    const double loss = 100 * (problem.measured[i] / *best - 1);
    sum += loss;
    ranking.worst_loss_percent = std::max(ranking.worst_loss_percent, loss);
    ranking.predicted_lines.push_back(problem.lines[i]);
  }
  ranking.loss_percent = sum / static_cast<double>(ranking.predicted_lines.size());
}

Ranking rank(const Problem& problem) {
  Ranking ranking = problem.ranking;
  ranking.rows = problem.measured.size();
  if (ranking.rows == 0) return ranking;
  const auto measured = ranks(problem.measured), predicted = ranks(problem.predicted);
  ranking.kendall = kendall_tau(measured, predicted);
  ranking.spearman = correlation(measured, predicted);
  for (std::size_t i = 0; i < kTops.size(); ++i)
    if (ranking.rows > kTops[i]) ranking.top_percent[i] = top_percent(measured, predicted, kTops[i]);
  find_loss(problem, predicted, ranking);
  return ranking;
}

double pairs(std::size_t count) { return static_cast<double>(count) * (static_cast<double>(count) - 1) / 2; }

/// The pairs of equal neighbours of a sorted list.
template <class T>
double equal_pairs(const std::vector<T>& sorted) {
  double sum = 0;
  for (auto begin = sorted.begin(); begin != sorted.end();) {
    const auto end = std::find_if(begin, sorted.end(), [&](const T& value) { return value != *begin; });
    sum += pairs(static_cast<std::size_t>(end - begin));
    begin = end;
  }
  return sum;
}

/// Sorts, and counts the pairs with the greater value first.
double sort_counting(std::vector<double>& values, std::size_t begin, std::size_t end) {
  if (end - begin < 2) return 0;
  const std::size_t middle = begin + (end - begin) / 2;
  double count = sort_counting(values, begin, middle) + sort_counting(values, middle, end);
  for (std::size_t i = begin, j = middle; j < end; ++j) {
    while (i < middle && values[i] <= values[j]) ++i;
    count += static_cast<double>(middle - i);
  }
  const auto at = [&](std::size_t i) { return values.begin() + static_cast<std::ptrdiff_t>(i); };
  std::inplace_merge(at(begin), at(middle), at(end));
  return count;
}

}  // namespace

std::optional<double> kendall_tau(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<std::pair<double, double>> both;
  for (std::size_t i = 0; i < a.size(); ++i) both.emplace_back(a[i], b[i]);
  std::ranges::sort(both);
  std::vector<double> first, second;
  for (const auto& [x, y] : both) {
    first.push_back(x);
    second.push_back(y);
  }
  const double equal_in_both = equal_pairs(both), equal_in_a = equal_pairs(first);
  const double discordant = sort_counting(second, 0, second.size());
  const double equal_in_b = equal_pairs(second), all = pairs(a.size());
  if (!(all > equal_in_a && all > equal_in_b)) return std::nullopt;
  const double concordant = all - equal_in_a - equal_in_b + equal_in_both - discordant;
  return std::clamp((concordant - discordant) / std::sqrt((all - equal_in_a) * (all - equal_in_b)), -1.0, 1.0);
}

std::vector<Ranking> rankings(const std::vector<Comparison>& rows, const std::vector<std::string>& problem) {
  require_names(rows, problem);
  std::vector<Ranking> result;
  for (const Problem& each : problems_of(rows, problem)) result.push_back(rank(each));
  return result;
}

}  // namespace warpipe
