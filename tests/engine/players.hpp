#pragma once

#include <cstdint>
#include <string>

#include "warpipe/study/launch.hpp"

namespace warpipe {

/// Who plays the rules of the model: the tests hold both to the same expectations.
enum class Player { Reference, Product };
std::string to_string(Player player);

/// Plays a kernel with its own launch on a device with its own policy; limits are ignored.
/// @return the cycles of the run
Ticks play(Player player, const Kernel& kernel, const Device& device, Units units);

/// @return warp instructions issued
std::int64_t instructions_issued(Player player, const Kernel& kernel, const Device& device, Units units);

}  // namespace warpipe
