#pragma once

#include "simplify.hpp"

namespace warpipe::ptx {

/// Moves sums of two registers and shifts to the left by a number from the pipeline of whole numbers to the pipeline of
/// multiply-adds, where each is one multiply-add, until both pipelines have as many instructions of the text. The moved
/// instructions lie evenly among the candidates.
/// @return the number of moved instructions
/// @source machine code of ptxas 13.0 for sm_90 of bench/validation/todays_kernels: in 69 of 85 kernels with at least
///         six sums, shifts and copies of registers the number of moved instructions is right to within three
///         (docs/ptx.md)
std::size_t balance_pipelines(const Routine& routine, Lowered& lowered);

}  // namespace warpipe::ptx
