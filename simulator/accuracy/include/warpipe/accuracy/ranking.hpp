#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/accuracy/accuracy.hpp"

/// Rankings of rows: how well predictions choose the fastest row of a tuned kernel, whatever the errors.

namespace warpipe {

/// How many of the fastest rows are looked at together.
inline constexpr std::array<std::size_t, 3> kTops{1, 5, 10};

/// The rows of one problem with a prediction, in the order of the measured and of the predicted values. The shorter of
/// two times is faster, as is the higher of two rates. Values with a relative difference below 1e-9 are equal.
struct Ranking {
  std::string kernel, device;
  Quantity quantity = Quantity::Cycles;
  std::string problem;             ///< "m 16, n 1024": common values of the rows; empty where none were asked for
  std::size_t rows = 0;            ///< with a prediction
  std::size_t failed = 0;          ///< without a prediction; they take no part
  std::optional<double> kendall;   ///< tau-b; nothing where all measured or all predicted values are equal
  std::optional<double> spearman;  ///< likewise
  /// How many percent of the k fastest are among the k predicted fastest, for each of kTops; nothing where there are no
  /// more than k rows. Of equal values at the end of the k each counts in part: the mean over all ways to choose.
  std::array<std::optional<double>, kTops.size()> top_percent;
  /// How much longer the row predicted fastest takes than the fastest, in percent of the fastest; nothing without rows.
  /// For several rows with the same prediction, their mean.
  std::optional<double> loss_percent;
  double worst_loss_percent = 0;             ///< of the rows predicted fastest
  std::size_t best_line = 0;                 ///< of the fastest row, the first of equals; 0: no rows
  std::vector<std::size_t> predicted_lines;  ///< of the rows predicted fastest
};

/// @param problem  parameters (or "group_size", "groups") whose values make a problem: only rows with equal values are
///                 compared
/// @return         a ranking per (kernel, device, quantity, problem), in order of first appearance
/// @throws UsageError for a name without a value in any row
/// @complexity     rows x log rows
std::vector<Ranking> rankings(const std::vector<Comparison>& rows, const std::vector<std::string>& problem = {});

/// Kendall's tau-b: (concordant - discordant pairs) / sqrt(pairs not equal in a x pairs not equal in b).
/// @param a, b  as many, finite
/// @return      nothing where all values of a or all values of b are equal
/// @source M. G. Kendall, The treatment of ties in ranking problems, Biometrika 33 (1945); the count of discordant
///         pairs by sorting: W. R. Knight, JASA 61 (1966)
std::optional<double> kendall_tau(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace warpipe
