#pragma once

#include <string>

#include "warpipe/latency_tables/occupancy.hpp"
#include "warpipe/study/accuracy.hpp"
#include "warpipe/study/predict.hpp"
#include "warpipe/study/sweep.hpp"

/// What a person or a program reads: each view has one text writer and one writer for programs, from the same data.

namespace warpipe {

/// The summary of a prediction, as text.
std::string write_text(const Prediction& prediction);
/// The result format ("warpipe-result"), one object; doubles shortest, no time stamps.
std::string write_json(const Prediction& prediction);

}  // namespace warpipe
