#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "warpipe/engine/program.hpp"

/// The two latencies of an op from rows of plain chains, in closed form.

namespace warpipe {

/// N rounds of k independent chains of one op on W warps with a common pipeline, all resident from the start.
struct ChainShape {
  std::uint32_t instruction = 0;  ///< index of the first instruction in Kernel::instructions
  std::int64_t rounds = 1;        ///< N
  std::int64_t issues = 1;        ///< W k: instructions of a round on one pipeline instance
};

/// @return the shape of a program of nothing but chains of one op, each instruction waiting for its own execution
///         before; nothing for any other program
/// @source rule 10.1 of the model; schedulers and a warp interval are let through where they are faster than the op
std::optional<ChainShape> chain_shape(const Program& program);

/// A measured row of a plain chain.
struct ChainRow {
  ChainShape shape;
  double cycles = 0;  ///< measured
};

/// lambda and Lambda of an op; an empty value is to be fitted.
struct ChainLatencies {
  std::optional<double> issue, completion;
};

/// @return cycles of a chain
/// @source rule 10.1 of the model: (N - 1) max(Lambda, W k lambda) + (W k - 1) lambda + Lambda
double chain_cycles(const ChainShape& shape, double issue, double completion);

/// Finds the latencies with the least squares of the relative errors. Each row is a straight line in them: a line where
/// the completion rules, and another where the issue does. Every border between these rows is tried, so the result is
/// the best of all.
/// @param rows   at least one
/// @param known  latencies not to be fitted
/// @return       nothing where the rows do not settle them
std::optional<ChainLatencies> fit_chains(const std::vector<ChainRow>& rows, const ChainLatencies& known);

}  // namespace warpipe
