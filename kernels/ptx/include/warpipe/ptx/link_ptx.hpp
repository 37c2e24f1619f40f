#pragma once

#include <string>
#include <vector>

namespace warpipe::ptx {

/// Links modules of a program compiled in separate parts (`nvcc -rdc=true`) to the text of a single module, as nvlink
/// does with machine code: declarations of other modules' functions and variables are replaced by their definitions, of
/// equal weak symbols the first is kept, and symbols known to their own module alone are renamed where two modules have
/// the same. Symbols that no module defines stay declared. Source lines are left out.
/// @param modules  texts of PTX, at least one
/// @return         the only module as it is; else functions are declared first, then variables, then all bodies
/// @throws InputError  for a text that is not PTX
/// @complexity n log n in the text
/// @source PTX ISA, "Linking directives"
std::string link_ptx(const std::vector<std::string>& modules);

}  // namespace warpipe::ptx
