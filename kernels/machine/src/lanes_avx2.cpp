// Lanes with AVX2 vector instructions; CMakeLists.txt has the options.
#include <immintrin.h>

#include <limits>
#include <type_traits>

#include "lanes.hpp"

namespace warpipe::machine {
namespace {
#include "lanes.inl"
}  // namespace

const LaneFunctions& avx2_lanes() {
  static constexpr LaneFunctions kFunctions = functions_named("AVX2");
  return kFunctions;
}

}  // namespace warpipe::machine
