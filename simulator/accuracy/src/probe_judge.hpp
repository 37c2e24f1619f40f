#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "fit_rows.hpp"
#include "probe_fit.hpp"
#include "statistics.hpp"
#include "warpipe/latency_tables/device.hpp"

/// The numbers left open by the rows of probes, and the intervals of the rest.

namespace warpipe {

/// Finds the numbers of a fit with hardly any effect on their rows, and the intervals of the rest.
class ProbeJudge {
 public:
  /// @param fit  settled; outlives this, and is judged as it is now
  ProbeJudge(const FitRows& rows, const ProbeFit& fit);

  /// @return the numbers with hardly any effect on their rows, the last first
  std::vector<std::size_t> idle() const;
  /// Why a number has hardly any effect on its rows.
  std::string hardly_matters(std::size_t number) const;

  /// The interval of a number; where the interval is wide, also the number that moves together with it.
  struct Told {
    Interval interval;  ///< in 90 of 100 cases
    std::optional<std::size_t> partner;
  };

  /// @return an entry for each number, in order
  std::vector<Told> told() const;

 private:
  const ProbeFit* fit_;
  Vector own_slopes_;  ///< on the flatter side, of the number's own rows the most
  std::vector<Vector> slopes_;
};

}  // namespace warpipe
