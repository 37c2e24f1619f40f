#pragma once

#include "simplify.hpp"

namespace warpipe::ptx {

/// Moves sums of two registers and shifts to the left by a number from the pipeline of whole numbers to that of
/// multiply-adds, which does either as one multiply-add, until both have as many instructions of the text. The moved
/// ones lie evenly among those that may move.
/// @return how many it moved
/// @source  machine code of ptxas 13.0 for sm_90 of tests/todays_kernels: in 69 of 85 kernels with at least six sums,
///          shifts and copies of registers the number of moved instructions is right to within three (docs/ptx.md)
std::size_t balance_pipelines(const Routine& routine, Lowered& lowered);

}  // namespace warpipe::ptx
