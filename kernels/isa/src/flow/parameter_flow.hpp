#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "warpipe/isa/dataflow.hpp"

/// Which parameters numbers are made of, told from the text alone.

namespace warpipe::isa {

/// The 64-bit parameters from which each instruction makes its results by copies, sums and conversions of addresses;
/// behind the last parameter, memory regions likewise: parameters + region.
/// @return by instruction
std::vector<std::set<std::size_t>> parameters_in_results(const Program& program,
                                                         const ReachingDefinitions& definitions);

/// Those that an input of an instruction is made of.
/// @param holds  what parameters_in_results found
std::set<std::size_t> parameters_in(const Program& program, const Input& input, std::uint32_t instruction,
                                    const ReachingDefinitions& definitions,
                                    const std::vector<std::set<std::size_t>>& holds);

/// Whether a result is an address where an input is one.
bool passes_on_address(const Assignment& assignment);

/// The parameters that an instruction reads, in the order of its assignments.
std::vector<const Input*> parameters_of(const Instruction& instruction);

}  // namespace warpipe::isa
