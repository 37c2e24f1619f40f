#pragma once

#include <string>
#include <vector>

#include "fit_rows.hpp"
#include "warpipe/accuracy/calibrate.hpp"
#include "warpipe/latency_tables/table_parameter.hpp"

namespace warpipe {

/// @throws ModelError where there are no more rows than parameters
void require_more_rows(const FitRows& rows, const std::vector<TableParameter>& parameters);

/// The reason why rows do not determine a value, with advice.
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
/// @param rows        the fitted rows; more than parameters
/// @param device      with the fitted values
/// @param parameters  of the fit
/// @return  an entry per parameter; they hold as far as the rows' errors are independent
/// @throws ModelError naming each parameter not determined by the rows, with reason and advice: rows that another value
///                    would fit as well, or two parameters that move together
std::vector<Confidence> confidence_intervals(const FitRows& rows, const Device& device,
                                             const std::vector<TableParameter>& parameters);

}  // namespace warpipe
