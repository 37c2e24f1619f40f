// Lanes with portable vector instructions; CMakeLists.txt has the options.
#include <limits>
#include <type_traits>

#include "lanes.hpp"

namespace warpipe::machine {
namespace {
#include "lanes.inl"
}  // namespace

const LaneFunctions& portable_lanes() {
  static constexpr LaneFunctions kFunctions = functions_named("portable");
  return kFunctions;
}

}  // namespace warpipe::machine
