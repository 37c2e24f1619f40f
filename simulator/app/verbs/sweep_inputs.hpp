#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cluster/ranks.hpp"
#include "command_line/arguments.hpp"
#include "terminal/messages.hpp"
#include "warpipe/sweep/chosen_points.hpp"
#include "warpipe/sweep/sweep.hpp"

namespace warpipe::app {

/// The choice of predicted points, where not all are.
struct Search {
  enum class Kind { Grid, Random, Halving };
  Kind kind = Kind::Grid;
  std::size_t budget = 0;  ///< points
  std::uint64_t seed = 1;
};

struct Sweep {
  SweepModels models;
  std::string texts;  ///< of the kernels' files
  LaunchOptions options;
  std::vector<Variation> variations;
  std::vector<Restriction> restrictions;
  Search search;
  std::optional<std::size_t> top;  ///< the number of best points to show
  std::size_t combinations = 0;
  std::size_t threads = 0;
  Voice voice = Voice::Normal;

  /// Whether points do different work, so that the fastest is not the best.
  bool work_differs() const;
};

/// @throws UsageError for incompatible options, and for names unknown to the files
Sweep read_sweep(const Ranks& ranks, const Arguments& arguments);

}  // namespace warpipe::app
