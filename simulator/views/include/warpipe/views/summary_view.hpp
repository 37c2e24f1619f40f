#pragma once

#include <string>

#include "warpipe/predict/predict.hpp"

namespace warpipe {

/// The parts of a prediction for a person to choose; `All` is the summary with all tables below.
enum class SummaryPart { Summary, Launch, Pipelines, Bounds, Latencies, All };

/// A prediction as text: the time first, then its limiter.
///
///     worked on tiny, A small device for tests
///     one unit stands for 2, policy first-ready
///
///     Limited by latency: 1 of 8 warps reside on a unit: the launch has no more; 100.0 % of the wait is for loads of
///     load.
///
///       time                  0.44 us
///       cycles                440 at 1 GHz
///       with launch overhead  4.44 us
///       limited by            latency (1.000 x its bound)
///       achieved              0.1455 GFLOP/s, 0.8727 GB/s
///       caches                none: every global load goes to DRAM, 384 B in all
///       resident              1 of 8 warps per unit: 1 group of 32 threads
///       latencies             2 of 4 ops not measured: ffma, global.store
///
/// The other parts are tables: of the launch, pipelines, bounds, latencies. "Warps needed" in the table of the bounds
/// are the resident warps of a unit that keep a pipeline always busy.
/// @param finding  the sentence above it, in lines; empty: none
/// @param guesses  the range of the time from guessed trips and branches, seconds: it comes first
std::string write_text(const Prediction& prediction, SummaryPart part = SummaryPart::Summary,
                       const std::optional<Interval>& guesses = {}, const std::string& finding = {});

/// Who serves the global loads of a prediction: "l1 75.0 %, l2 20.0 %, dram 5.0 % of the loads", or where nothing is
/// known of caches "none: every global load goes to DRAM, 12.58 MB in all, 8.389 MB compulsory". Empty where it has no
/// global loads, and where caches serve some on a device without levels.
std::string show_caches(const Prediction& prediction);

}  // namespace warpipe
