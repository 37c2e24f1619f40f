#pragma once

#include <string>
#include <vector>

#include "fit_rows.hpp"
#include "warpipe/accuracy/calibrate.hpp"
#include "warpipe/latency_tables/table_parameter.hpp"

namespace warpipe {

/// @throws ModelError where there are no more rows than parameters
void require_more_rows(const FitRows& rows, const std::vector<TableParameter>& parameters);

/// Why rows do not determine a value, and what would.
struct Reason {
  std::string found, advice;
};
Reason reason_for(const TableParameter& parameter, const FitRows& rows, const Device& device);

/// Where a fitted value lies.
struct Confidence {
  Interval together;  ///< all of a fit lie in theirs in 99 of 100 cases
  Interval alone;     ///< it lies there in 90 of 100 cases
};

/// Gives fitted values their confidence intervals.
/// @param rows        those that were fitted; more than parameters
/// @param device      with the fitted values
/// @param parameters  that were fitted
/// @return  one per parameter; they hold as far as the rows' errors are independent
/// @throws ModelError that names each parameter whose value the rows do not determine, with reason and advice:
///                    rows that another value would fit as well, or two parameters that move together
std::vector<Confidence> confidence_intervals(const FitRows& rows, const Device& device,
                                             const std::vector<TableParameter>& parameters);

}  // namespace warpipe
