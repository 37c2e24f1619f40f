#pragma once

#include <string>

#include "warpipe/sweep/what_if.hpp"

namespace warpipe {

/// A what-if study as text: the changes, then the elasticities other than 0.
///
///     worked on tiny, A small device for tests
///     0.44 us, 440 cycles, limited by latency (1.000 x its bound)
///
///     Changes                saved   cycles  how
///       coalesced access    25.0 %      330  transactions load=4
///       policy oldest        0.0 %      440  policy oldest: no effect until latency is no limit; then it saves 2.0 %
///
///     Not tried:
///       next occupancy step: the device's limit of warps holds 8 groups of 8 warps
///
///     Elasticity: the percentage that the time grows by where a latency grows by one percent.
///     Simulated again with each latency 1 % shorter and longer, at least 0.001 cycles.
///
///     Ops                          cycles  elasticity  shorter  longer
///       global.load    completion     400       0.909    0.909   0.909
///       ffma           completion      18       0.001    0.003  -0.001  sides disagree
///       1 more have none.
///
///     Instructions                           cycles  elasticity  shorter  longer
///       load        global.load  completion     400       0.909    0.909   0.909
///
///     Where the sides disagree in sign, the order changes in which warps issue, an anomaly of greedy scheduling:
///     rely on neither figure, try another step.
///
/// "Shorter" and "longer" are the elasticities of either side; where they differ, the time has a kink.
std::string write_text(const WhatIf& what_if);

/// @return the beginning of the text already final while a study still runs
std::string write_certain_text(const WhatIf& what_if);

/// @return the saved share of a tried change, with one decimal: "12.5 %"
std::string show_saved(const Change& change);

/// @return the changes below the tolerance, in one line; empty where there is none
///     2 below 0.5 % (--tolerance): l2 of half the size, policy oldest
std::string show_below_tolerance(const WhatIf& what_if);

/// As a JSON object of format "warpipe-what-if", with every latency and the tried values.
std::string write_json(const WhatIf& what_if);

}  // namespace warpipe
