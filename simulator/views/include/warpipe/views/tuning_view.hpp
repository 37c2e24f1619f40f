#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/latency_tables/device.hpp"  // Interval
#include "warpipe/views/records.hpp"

namespace warpipe {

/// The results of a configuration on a device.
struct TunedPoint {
  std::string block, grid;            ///< "16x8", "256"
  std::optional<double> bound, time;  ///< seconds; no time: not simulated, since its bound is above the best times
  std::optional<Interval> range;      ///< of the time, seconds
  std::string limiter;                ///< the highest bound
  std::int64_t resident_warps = 0, registers = 0, shared_memory = 0;  ///< bytes of a group
  std::string error;               ///< why a device does not run it; empty where it does
  std::optional<double> measured;  ///< seconds
};

/// How well predicted times choose among measured times, over the configurations with both.
struct TuningScore {
  std::size_t rows = 0;
  std::optional<double> mean_error;     ///< of |predicted / measured - 1|
  std::optional<double> kendall;        ///< tau-b
  std::optional<double> kendall_apart;  ///< likewise, where predicted times within the model's error are equal
  std::optional<double> spearman;
  std::array<std::optional<double>, 3> loss;  ///< how much longer the best of the first 1, 5 and 10 takes than the best
};
inline constexpr std::array<std::size_t, 3> kScoredTops{1, 5, 10};

/// A space on a device.
struct DeviceTuning {
  std::string device, title;
  std::vector<TunedPoint> points;   ///< of all configurations, in their order
  std::vector<std::size_t> ranked;  ///< points with a time, the shortest first
  std::optional<TuningScore> score;
};

/// A space of configurations, with their predictions.
struct Tuning {
  std::string source, space, form;  ///< files, and the form of the space
  std::size_t sources = 0;          ///< compiled: configurations with the same macros share a source
  std::vector<std::string> tunables;
  std::vector<std::vector<Cell>> values;  ///< by configuration, a value of each tunable
  std::vector<DeviceTuning> devices;
  std::size_t top = 10;  ///< so many are shown
};

/// The possible ranks of a configuration, since the model does not tell apart times within its error.
struct RankRange {
  std::size_t low = 1, high = 1;
};
/// @param place  in DeviceTuning::ranked
RankRange rank_range(const DeviceTuning& tuning, std::size_t place);

/// The number of configurations as fast as the best within the model's error.
std::size_t ties_of_best(const DeviceTuning& tuning);

/// A table of the best configurations for each device, with a summary of the rest, the reasons of failures, and the
/// scores.
std::string write_text(const Tuning& tuning);
/// RFC 4180 with a header: a row for each configuration and device.
std::string write_csv(const Tuning& tuning);
/// Format "warpipe-tuning": the best of each device, the number of each kind, the reasons of failures, scores.
std::string write_json(const Tuning& tuning);

}  // namespace warpipe
