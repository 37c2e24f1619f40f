#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/accuracy/accuracy.hpp"

/// How well predictions choose: what one who tunes a kernel asks, whatever the errors.

namespace warpipe {

/// How many of the fastest rows are looked at together.
inline constexpr std::array<std::size_t, 3> kTops{1, 5, 10};

/// The rows of one problem that have a prediction, in the order of what was measured and of what was predicted. The
/// shorter of two times is faster, as is the higher of two rates. Values that differ by less than 1e-9 of them are
/// equal.
struct Ranking {
  std::string kernel, device;
  Quantity quantity = Quantity::Cycles;
  std::string problem;             ///< "m 16, n 1024": what the rows have in common; empty where nothing was asked for
  std::size_t rows = 0;            ///< with a prediction
  std::size_t failed = 0;          ///< without one; they take no part
  std::optional<double> kendall;   ///< tau-b; nothing where all measured or all predicted values are equal
  std::optional<double> spearman;  ///< likewise
  /// How many percent of the k fastest are among the k predicted fastest, for each of kTops; nothing where there are no
  /// more than k rows. Of equal values at the end of the k each counts in part: the mean over all ways to choose.
  std::array<std::optional<double>, kTops.size()> top_percent;
  /// How much longer the row that is predicted fastest takes than the fastest, in percent of the fastest; nothing
  /// without rows. Where several are predicted the same, their mean.
  std::optional<double> loss_percent;
  double worst_loss_percent = 0;             ///< of those that are predicted fastest
  std::size_t best_line = 0;                 ///< of the fastest row, the first of equals; 0: no rows
  std::vector<std::size_t> predicted_lines;  ///< of the rows that are predicted fastest
};

/// @param problem  parameters (or "group_size", "groups") whose values make a problem: only rows that give the same of
///                 each are compared
/// @return         one a (kernel, device, quantity, problem), in order of first appearance
/// @throws UsageError for a name that no row gives
/// @complexity     rows x log rows
std::vector<Ranking> rankings(const std::vector<Comparison>& rows, const std::vector<std::string>& problem = {});

/// Kendall's tau-b: (concordant - discordant pairs) / sqrt(pairs not equal in a x pairs not equal in b).
/// @param a, b  as many, finite
/// @return      nothing where all values of one are equal
/// @source M. G. Kendall, The treatment of ties in ranking problems, Biometrika 33 (1945); the count of discordant
/// pairs
///         by sorting: W. R. Knight, JASA 61 (1966)
std::optional<double> kendall_tau(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace warpipe
