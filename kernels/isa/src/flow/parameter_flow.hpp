#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "warpipe/isa/dataflow.hpp"

/// Finds the parameters in a program's numbers, from the text alone.

namespace warpipe::isa {

/// The 64-bit parameters in each instruction's results, by copies, sums and conversions of addresses; behind the last
/// parameter, memory regions likewise: parameters + region.
/// @return by instruction
std::vector<std::set<std::size_t>> parameters_in_results(const Program& program,
                                                         const ReachingDefinitions& definitions);

/// The parameters in an input of an instruction.
/// @param holds  result of parameters_in_results
std::set<std::size_t> parameters_in(const Program& program, const Input& input, std::uint32_t instruction,
                                    const ReachingDefinitions& definitions,
                                    const std::vector<std::set<std::size_t>>& holds);

/// Whether a result is an address where an input is an address.
bool passes_on_address(const Assignment& assignment);

/// The parameters read by an instruction, in the order of its assignments.
std::vector<const Input*> parameters_of(const Instruction& instruction);

}  // namespace warpipe::isa
