#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "fit_rows.hpp"
#include "probe_fit.hpp"
#include "statistics.hpp"
#include "warpipe/latency_tables/device.hpp"

/// What the rows of probes leave open.

namespace warpipe {

/// Finds the numbers of a fit that its rows hardly depend on, and how far the rows tell the others.
class ProbeJudge {
 public:
  /// @param fit  settled; outlives this, and is judged as it is now
  ProbeJudge(const FitRows& rows, const ProbeFit& fit);

  /// @return the numbers that their rows hardly depend on, the last one first
  std::vector<std::size_t> idle() const;
  /// Why a number is one of these.
  std::string hardly_matters(std::size_t number) const;

  /// Where a number lies, and with which it moves together where that is wide.
  struct Told {
    Interval interval;  ///< in 90 of 100 cases
    std::optional<std::size_t> partner;
  };

  /// @return one for each number, in order
  std::vector<Told> told() const;

 private:
  const ProbeFit* fit_;
  Vector own_slopes_;  ///< on the flatter side, of the number's own rows the most
  std::vector<Vector> slopes_;
};

}  // namespace warpipe
