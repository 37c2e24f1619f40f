#pragma once

#include <vector>

#include "fit_rows.hpp"
#include "warpipe/accuracy/calibrate.hpp"
#include "warpipe/latency_tables/table_parameter.hpp"

namespace warpipe {

/// @throws ModelError where there are no more rows than parameters
void require_more_rows(const FitRows& rows, const std::vector<TableParameter>& parameters);

/// Gives fitted values their confidence intervals.
/// @param rows        those that were fitted; more than parameters
/// @param device      with the fitted values
/// @param parameters  that were fitted
/// @return  one interval per parameter; together they hold all true values in 99 of 100 cases, as far as the rows'
///          errors are independent
/// @throws ModelError that names each parameter whose value the rows do not determine, with reason and advice:
///                    rows that another value would fit as well, or two parameters that move together
std::vector<Interval> confidence_intervals(const FitRows& rows, const Device& device,
                                           const std::vector<TableParameter>& parameters);

}  // namespace warpipe
