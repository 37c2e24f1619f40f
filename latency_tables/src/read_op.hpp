#pragma once

#include <vector>

#include "warpipe/idg/json_node.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe::detail {

/// Reads a row of the latency table; diagnoses what is wrong with it.
/// @param pipelines  of the same device; empty where none could be read
void read_op(const JsonNode& node, const std::vector<Pipeline>& pipelines, Op& op);

}  // namespace warpipe::detail
