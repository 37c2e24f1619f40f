#pragma once

#include <cstdint>

#include "group.hpp"

/// Numbers of matrices, as doubles.

namespace warpipe::machine {

double matrix_number(std::uint64_t bits, isa::Type type, isa::Format format);
/// @param saturate  whole numbers stay within 32 bits
std::uint64_t matrix_bits(double value, isa::Type type, isa::Format format, bool saturate);
/// How many numbers of a type stand in a register.
int parts_of(isa::Type type);
/// @throws Fault where not all 32 lanes of a warp are active
void demand_all_lanes(const Lanes& lanes, const Step& step);

}  // namespace warpipe::machine
