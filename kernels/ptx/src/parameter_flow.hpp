#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "warpipe/ptx/routine.hpp"

/// Which parameters of the entry reach a register, told from the text alone.

namespace warpipe::ptx {

/// The parameters of 64 bits from which each register is made by copies, sums and conversions.
std::vector<std::set<std::size_t>> parameters_in_registers(const Routine& routine);

bool is_parameter_load(const Instruction& instruction);

/// The parameter that an `ld.param` reads, by its name or through a register that holds its address; nothing where the
/// text does not tell.
std::optional<std::size_t> loaded_parameter(const Routine& routine, const Instruction& load);

}  // namespace warpipe::ptx
