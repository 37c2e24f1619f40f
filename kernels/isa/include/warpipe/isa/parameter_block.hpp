#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/isa/launch.hpp"
#include "warpipe/isa/program.hpp"

namespace warpipe::isa {

/// The parameters of a launch as a program passes them, with the arguments that are given in their places. Zero where
/// nobody says anything.
/// @param names  of the parameters in the source
/// @throws UsageError for an argument that is none
std::string parameter_bytes(const Program& program, const Launch& launch, const std::vector<std::string>& names);

/// Where the pointers are that no argument gives: parameters of 64 bits that are no floats, bytes from the first one.
/// @return the name in `launch.arrays` of the array that each leads to; empty where there is none
std::map<std::int64_t, std::string> pointers_in(const Program& program, const Launch& launch,
                                                const std::vector<std::string>& names);

}  // namespace warpipe::isa
