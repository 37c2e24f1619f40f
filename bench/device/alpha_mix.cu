#include <algorithm>
#include <type_traits>

#include "parts.hpp"
#include "planning.hpp"
#include "timing.hpp"

namespace measure {
namespace {

constexpr int kUnroll = 4;  // loads that a trip of the loop holds

__device__ inline float as_number(unsigned bits) {
#if defined(WARPIPE_GPU_EMULATED)
  return emulated::as_number(bits);
#else
  return __uint_as_float(bits);
#endif
}
__device__ inline unsigned as_bits(float number) {
#if defined(WARPIPE_GPU_EMULATED)
  return emulated::as_bits(number);
#else
  return __float_as_uint(number);
#endif
}

/// Makes every entry say, in bytes from the start, where the entry `step` further lies.
__global__ void link_kernel(unsigned* entries, unsigned count, unsigned step) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += std::size_t{gridDim.x} * blockDim.x)
    entries[i] = static_cast<unsigned>((i + step) * sizeof(unsigned));
}

/// Volkov's mix: kAlpha dependent additions for each dependent load, coalesced. What is loaded is where to load next;
/// its bits are taken for a number, and 0 is added to that, which leaves the bits alone.
template <int kAlpha>
__global__ __launch_bounds__(1024) void alpha_mix_kernel(const unsigned* entries, unsigned* ends, Stamps stamps,
                                                         float zero, int trips) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned place = thread * static_cast<unsigned>(sizeof(unsigned));
  const Start start = begin_stamp(stamps);
#pragma unroll 1
  for (int trip = 0; trip < trips; trip += kUnroll) {
#pragma unroll
    for (int i = 0; i < kUnroll; ++i) {
      place = *reinterpret_cast<const unsigned*>(reinterpret_cast<const char*>(entries) + place);
      opaque(place);
      float x = as_number(place);
#pragma unroll
      for (int add = 0; add < kAlpha; ++add) {
#if WARPIPE_PTX
        asm volatile("add.rn.f32 %0,%0,%1;" : "+f"(x) : "f"(zero));
#else
        x = x + zero;
        opaque(x);
#endif
      }
      place = as_bits(x);
    }
  }
  end_stamp(stamps, start);
  ends[thread] = place;
}

template <int kAlpha>
void run_alpha(Session& session, const Residency& residency, Buffer<unsigned>& entries) {
  StampedLauncher launcher(session.device(), residency);
  const auto threads = static_cast<unsigned>(launcher.threads());
  const std::size_t rows = entries.size() / threads;
  const int lengthy = static_cast<int>(std::min<std::size_t>(session.scaled(192, 12), (rows - 1) / 12 * 12));
  const int brief = lengthy / 3;
  if (brief < kUnroll) {
    session.left_out("alpha_mix: too little memory for " + std::to_string(threads) + " threads");
    return;
  }
  const auto linked = static_cast<unsigned>(static_cast<std::size_t>(lengthy + 1) * threads);
  GPU_LAUNCH(link_kernel, session.device().units * 4, 256, 0, entries.data(), linked, threads);
  const Buffer<unsigned> ends(threads);
  const auto run = [&](int trips) {
    session.flush_caches();
    return launcher.run(
        [&](const Stamps& stamps) {
          GPU_LAUNCH(alpha_mix_kernel<kAlpha>, launcher.groups(), residency.group_size, residency.local_bytes,
                     entries.data(), ends.data(), stamps, 0.0f, trips);
        },
        Span::Longest);
  };
  const auto cycles = difference(
      session.options().repeats, [&] { return run(brief); }, [&] { return run(lengthy); });
  const auto found = ends.read();
  for (unsigned thread = 0; thread < threads; ++thread) {
    if (found[thread] == (thread + static_cast<unsigned>(lengthy) * threads) * sizeof(unsigned)) continue;
    session.wrong_result("alpha_mix: thread " + std::to_string(thread) + " lost its way");
    break;
  }
  Row row;
  row.kernel = "alpha_mix";
  row.group_size = residency.group_size;
  row.groups = launcher.groups();
  row.concurrent_groups = residency.groups;
  row.parameters = {{"alpha", kAlpha}, {"trips", lengthy - brief}};
  row.how = "validation, the slowest unit, second-level cache flushed before each run";
  session.write(row, cycles);
}

template <int kAlpha>
void run_occupancies(Session& session, Buffer<unsigned>& entries) {
  for (const Residency& residency : plan_for(session, {reinterpret_cast<const void*>(&alpha_mix_kernel<kAlpha>)}, 3)) {
    if (session.is_over()) return;
    run_alpha<kAlpha>(session, residency, entries);
  }
}

template <int... kAlphas>
void run_alphas(Session& session, Buffer<unsigned>& entries, std::integer_sequence<int, kAlphas...>) {
  (run_occupancies<kAlphas>(session, entries), ...);
}

}  // namespace

void run_alpha_mix(Session& session) {
  // At most 1 GiB: the bits of a place are then those of a number of at most 2.
  const std::size_t most = session.scaled<std::size_t>(std::size_t{1} << 30, std::size_t{8} << 20);
  Buffer<unsigned> entries(std::min(most, session.device().memory_bytes / 4) / sizeof(unsigned));
  run_alphas(session, entries, std::integer_sequence<int, 0, 1, 2, 4, 8, 16, 32, 64, 128, 192, 256>{});
}

}  // namespace measure
