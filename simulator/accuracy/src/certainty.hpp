#pragma once

#include <vector>

#include "fit_rows.hpp"
#include "warpipe/accuracy/calibrate.hpp"
#include "warpipe/latency_tables/table_parameter.hpp"

namespace warpipe {

/// @throws ModelError where there are no more rows than parameters
void require_more_rows(const FitRows& rows, const std::vector<TableParameter>& parameters);

/// Tells how sure fitted values are.
/// @param rows        those that were fitted; more than parameters
/// @param device      with the fitted values
/// @param parameters  that were fitted
/// @return  one interval a parameter; together they hold all true values in 99 of 100 cases, as far as the rows'
///          errors are independent
/// @throws ModelError that names each parameter of which the rows do not tell the value, why, and what would help:
///                    rows that another value would fit as well, or two parameters that move together
std::vector<Interval> certainty(const FitRows& rows, const Device& device,
                                const std::vector<TableParameter>& parameters);

}  // namespace warpipe
