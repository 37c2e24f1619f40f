#pragma once

#include "warpipe/isa/dataflow.hpp"

namespace warpipe::isa {

/// Makes floats of the parameters of unknown type (`Bits`) that instructions take as floats of their size.
///
/// Copies, choices between two, and changes of a sign are followed. An instruction that may take something else as
/// well, since a write before it is under a predicate, tells less than one on whole numbers.
/// @param definitions  of the program as it is
void mark_float_parameters(Program& program, const ReachingDefinitions& definitions);

}  // namespace warpipe::isa
