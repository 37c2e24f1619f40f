// Lanes with AVX-512 vector instructions; CMakeLists.txt has the options.
#include <immintrin.h>

#include <limits>
#include <type_traits>

#include "lanes.hpp"

namespace warpipe::machine {
namespace {
#include "lanes.inl"
}  // namespace

const LaneFunctions& avx512_lanes() {
  static constexpr LaneFunctions kFunctions = functions_named("AVX-512");
  return kFunctions;
}

}  // namespace warpipe::machine
