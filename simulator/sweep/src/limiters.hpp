#pragma once

#include <string>

#include "what_if_model.hpp"

namespace warpipe {

/// Times that differ by less than this share of the run count as the same: what is shown as 0.0 %.
inline constexpr double kNoEffect = 0.0005;

/// @return the share of `before` that is saved; 0 where there is nothing to save
double saved(Ticks before, Ticks after);

/// Takes a limit away: the lambdas of a pipeline, the interval of the schedulers, or all completion latencies become 0.
/// @param limiter  as a bound is named: "pipeline NAME", "schedulers", "latency"
void remove_limit(const std::string& limiter, WhatIfModel& model);

/// Says what hides an edit that brings nothing: limits are taken away, the highest bound first, until it brings
/// something.
///     no effect until pipeline shared is no limit; then it saves 12.5 %
/// @complexity three simulations for each limit taken away, at most four of them
std::string what_hides(const Edit& edit, WhatIfModel model);

}  // namespace warpipe
