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

/// Which points of a sweep are predicted, where not all are.
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
  std::optional<std::size_t> top;  ///< so many of the best points are shown
  std::size_t combinations = 0;
  std::size_t threads = 0;
  Voice voice = Voice::Normal;

  /// Whether points do different work, so that the fastest says nothing.
  bool work_differs() const;
};

/// @throws UsageError for options that do not belong together, names that the files do not have
Sweep read_sweep(const Ranks& ranks, const Arguments& arguments);

}  // namespace warpipe::app
