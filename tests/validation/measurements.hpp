#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/accuracy/accuracy.hpp"

namespace warpipe::validation {

/// @param csv    a file of tests/validation/reference
/// @param every  1: all of its rows; n: the first one and each n-th behind it, where all would take minutes
std::vector<Measurement> read_measurements(const std::string& csv, std::size_t every);

/// These rows held against the shipped kernels on the shipped devices. Simulated once a process: several tests look at
/// the same rows.
const Accuracy& shipped_accuracy(const std::string& csv, std::size_t every, std::optional<Hertz> clock);

}  // namespace warpipe::validation
