#pragma once

#include <string>
#include <vector>

#include "config_options.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe::detail {

/// Adds the ops that have a (latency, initiation interval) pair, with the pipelines of the units that execute them.
/// @param device  with its schedulers
/// @param notes   takes what is left out and why
void add_arithmetic(const ConfigOptions& options, Device& device, std::vector<std::string>& notes);

/// Adds the accesses to memory that the options give a latency to.
/// @param device  with its clock and memory
void add_memory(const ConfigOptions& options, Device& device);

}  // namespace warpipe::detail
