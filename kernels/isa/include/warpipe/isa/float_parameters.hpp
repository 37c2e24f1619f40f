#pragma once

#include "warpipe/isa/dataflow.hpp"

namespace warpipe::isa {

/// Makes floats of the parameters of unknown type (`Bits`) that instructions take as floats of their size.
///
/// Copies, choices between two, and changes of a sign are followed. An instruction with several possible sources, after
/// a write under a predicate, tells less than an instruction on whole numbers.
/// @param definitions  of the program as it is
void mark_float_parameters(Program& program, const ReachingDefinitions& definitions);

}  // namespace warpipe::isa
