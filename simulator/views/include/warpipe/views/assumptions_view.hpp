#pragma once

#include <functional>
#include <string>
#include <vector>

#include "warpipe/ptx/import.hpp"
#include "warpipe/sweep/assumption_times.hpp"

namespace warpipe {

/// The assumptions of an import, a line each: the place, the value, the time with other values, the option to set the
/// value.
/// @param flags  shows a field of the options as a flag
std::string write_text(const std::vector<AssumptionTimes>& assumptions, Seconds time,
                       const std::function<std::string(const std::string&)>& flags);

/// The value of the member "assumptions" of a result.
std::string assumptions_json(const std::vector<AssumptionTimes>& assumptions, Seconds time,
                             const std::function<std::string(const std::string&)>& flags);

/// "Left out: 2.1 % of the instructions that the launch issues: nanosleep.u32 1024"; empty where there is nothing.
std::string left_out_text(const isa::ImportReport& report);

/// The value of the member "left_out" of a result.
std::string left_out_json(const isa::ImportReport& report);

}  // namespace warpipe
