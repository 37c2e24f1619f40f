#pragma once

#include <string>

#include "warpipe/study/accuracy.hpp"

namespace warpipe {

/// Errors by kernel and device, the bound-only baseline beside them, and the rows without a prediction.
std::string write_text(const Accuracy& accuracy);
/// One object of format "warpipe-accuracy": the errors by kernel and device, and all rows.
std::string write_json(const Accuracy& accuracy);
/// RFC 4180: one row a measurement, in the order of the file.
std::string write_csv(const Accuracy& accuracy);

}  // namespace warpipe
