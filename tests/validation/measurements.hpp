#pragma once

#include <string>
#include <vector>

#include "warpipe/accuracy/accuracy.hpp"

namespace warpipe::validation {

/// @return all rows of a file of bench/validation/reference
std::vector<Measurement> read_measurements(const std::string& csv);

}  // namespace warpipe::validation
