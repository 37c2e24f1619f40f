#pragma once

#include <string>

#include "warpipe/sweep/what_if.hpp"

namespace warpipe::app {

/// The result of a what-if trial as a message between ranks, exact to the last bit.
std::string pack(const WhatIfTrial& trial);
WhatIfTrial unpack_trial(const std::string& packed);

}  // namespace warpipe::app
