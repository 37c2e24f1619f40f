#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/isa/launch.hpp"
#include "warpipe/isa/program.hpp"

namespace warpipe::isa {

/// The parameters of a launch as a program passes them, with the given arguments in their places; zero elsewhere.
/// @param names  of the parameters in the source
/// @throws UsageError for an invalid argument
std::string parameter_bytes(const Program& program, const Launch& launch, const std::vector<std::string>& names);

/// The places of pointers without an argument: parameters of 64 bits other than floats, bytes from the first parameter.
/// @return the name in `launch.arrays` of the array each leads to; empty without an array
std::map<std::int64_t, std::string> pointers_in(const Program& program, const Launch& launch,
                                                const std::vector<std::string>& names);

}  // namespace warpipe::isa
