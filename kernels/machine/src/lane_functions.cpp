// The choice of vector instructions for lanes on this host.
#include <cstdlib>
#include <string_view>

#include "lanes.hpp"
#include "warpipe/machine/machine.hpp"

namespace warpipe::machine {

const LaneFunctions& lane_functions() {
#if defined(WARPIPE_X86_LANES)
  // For tests: all of them give the same bits.
  const char* const wanted = std::getenv("WARPIPE_LANES");
  const std::string_view name = wanted == nullptr ? "" : wanted;
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (name == "portable") return portable_lanes();
  if (has_avx512 && name != "AVX2") return avx512_lanes();
  if (has_avx2) return avx2_lanes();
#endif
  return portable_lanes();
}

std::string vector_instructions() { return lane_functions().name; }

}  // namespace warpipe::machine
