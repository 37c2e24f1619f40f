#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config_options.hpp"

namespace warpipe::detail {

/// What executes an instruction in the simulators; a unit that a configuration lacks is replaced by another.
enum class SimulatedUnit { Int, Sp, Dp, Sfu, Tensor, Branch };

/// How many there are of a unit, and what the pipeline is called.
struct UnitCount {
  std::string pipeline;
  std::int64_t count = 0;  ///< 0: nothing executes such instructions
};

/// @return the unit, or the one that stands in for it: without integer units the single-precision ones execute
///         integers, without double-precision units the special-function ones doubles
UnitCount unit_of(SimulatedUnit unit, const ConfigOptions& options);

/// An op of the common vocabulary and what the files say of it.
struct OpPair {
  std::string_view op;
  SimulatedUnit unit = SimulatedUnit::Int;
  double latency = 0, initiation = 0;
  std::string reference;  ///< the options, their lines
};

/// The pairs of the files, in the order of the vocabulary; one an op.
/// @param notes  takes the latencies that have no initiation interval
std::vector<OpPair> op_pairs(const ConfigOptions& options, std::vector<std::string>& notes);

}  // namespace warpipe::detail
