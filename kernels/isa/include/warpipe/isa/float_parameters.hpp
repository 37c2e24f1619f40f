#pragma once

#include "warpipe/isa/dataflow.hpp"

namespace warpipe::isa {

/// Makes floats of the parameters of unknown type (`Bits`) that an instruction takes as floats of their size.
void mark_float_parameters(Program& program, const ReachingDefinitions& definitions);

}  // namespace warpipe::isa
