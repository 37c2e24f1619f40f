#pragma once

#include <string>

#include "warpipe/predict/predict.hpp"

namespace warpipe {

/// The parts of a prediction that a person may ask for.
enum class SummaryPart { Summary, Launch, Pipelines, Bounds, Latencies, All };

/// A prediction as text: the time first, then what limits it.
///
///     worked on tiny, A small device for tests
///     one unit stands for 2, policy first-ready
///
///     Limited by latency: 1 resident warp per unit, where 19 would keep the pipeline memory busy.
///
///       time                  0.44 us
///       cycles                440 at 1 GHz
///       with launch overhead  4.44 us
///       limited by            latency (1.000 x its bound)
///       achieved              0.1455 GFLOP/s, 0.8727 GB/s
///       caches                none: every global load goes to DRAM, 384 B in all
///       warp instructions     5 issued by the simulated unit
///
///     Bounds             cycles  simulated / bound  warps needed
///       pipeline int          1            440.000         440.0
///       pipeline fp           1            440.000         440.0
///       pipeline memory      24             18.333          18.3
///       latency             440              1.000
///
///     Pipelines  utilisation  busy cycles  instances  one a
///       int            0.2 %            1          1  unit
///       fp             0.2 %            1          1  unit
///       memory         5.5 %           24          1  unit
///
///     Launch               value  from
///       n                     32  kernel
///       trips                  1  kernel
///       group size            32  kernel
///       groups                 1  kernel
///       concurrent groups      4  occupancy
///       warps per group          1
///       groups per unit          1  2 units
///       resident warps         1  occupancy 12.5 %
///
///     Latencies: 2 of 4 ops not measured: ffma, global.store.
///
/// "Warps needed" are the resident warps of a unit that keep a pipeline always busy.
/// @param finding  the sentence above it, in lines; empty: none
/// @param guesses  where the time lies by trips and branches that are guessed, seconds: it comes first
std::string write_text(const Prediction& prediction, SummaryPart part = SummaryPart::Summary,
                       const std::optional<Interval>& guesses = {}, const std::string& finding = {});

/// Who serves the global loads of a prediction: "l1 75.0 %, l2 20.0 %, dram 5.0 % of the loads", or where nothing is
/// known of caches "none: every global load goes to DRAM, 12.58 MB in all, 8.389 MB compulsory". Empty where it has no
/// global loads, and where caches serve some on a device without levels.
std::string show_caches(const Prediction& prediction);

}  // namespace warpipe
