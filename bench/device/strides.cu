#include <algorithm>
#include <cmath>

#include "parts.hpp"
#include "timing.hpp"

namespace measure {
namespace {

constexpr int kLanes = 64;  // that the addresses tell apart; then they repeat
constexpr int kLoads = 8;   // that a trip of the loop holds
constexpr int kWords[kLoads] = {0, 4, 8, 12, 20, 16, 24, 28};

template <int kWord>
__device__ inline float load(const float* place) {
  float value;
#if WARPIPE_PTX
  asm volatile("ld.global.ca.f32 %0,[%1+%2];" : "=f"(value) : "l"(place), "n"(kWord * sizeof(float)));
#else
  value = place[kWord];
#endif
  return value;
}

/// The shipped kernel l1_stride_float: eight loads, `stride` words from lane to lane, that wait for the trip before.
/// @param nothing  0, which the compiler does not know
__global__ __launch_bounds__(1024) void stride_kernel(const float* data, float* sums, Stamps stamps, int stride,
                                                      int trips, long long nothing) {
  const float* place = data + stride * static_cast<int>(threadIdx.x % kLanes);
  float sum = 0;
  const Start start = begin_stamp(stamps);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
    place += nothing;
    float x[kLoads] = {load<kWords[0]>(place), load<kWords[1]>(place), load<kWords[2]>(place), load<kWords[3]>(place),
                       load<kWords[4]>(place), load<kWords[5]>(place), load<kWords[6]>(place), load<kWords[7]>(place)};
#pragma unroll
    for (int i = 0; i < kLoads; ++i) opaque(x[i]);  // all are on their way before the first is waited for
#pragma unroll
    for (int i = 0; i < kLoads; i += 2) sum = fmaf(x[i], x[i + 1], sum);
  }
  end_stamp(stamps, start);
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// Small numbers, of which all sums are exact.
float word(int i) { return static_cast<float>(i % 5); }

class Strides {
 public:
  explicit Strides(Session& session)
      : session_(session),
        group_size_(std::min(1024, session.device().limits.threads_per_group)),
        launcher_(session.device(), {group_size_, 1, 0, group_size_ / session.device().limits.warp_size}),
        sums_(static_cast<std::size_t>(launcher_.threads())) {}

  void measure(int stride) {
    std::vector<float> words(static_cast<std::size_t>((kLanes - 1) * stride + kWords[kLoads - 1] + 1));
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = word(static_cast<int>(i));
    const Buffer<float> data(words);
    const auto run = [&](int trips) {
      return launcher_.run([&](const Stamps& stamps) {
        GPU_LAUNCH(stride_kernel, launcher_.groups(), group_size_, 0, data.data(), sums_.data(), stamps, stride, trips,
                   0LL);
      });
    };
    const int brief = session_.scaled(100, 4);
    const int lengthy = 4 * brief;
    const auto cycles = difference(
        session_.options().repeats, [&] { return run(brief); }, [&] { return run(lengthy); });
    check(stride, lengthy);
    Row row;
    row.kernel = "l1_stride_float";
    row.group_size = group_size_;
    row.groups = launcher_.groups();
    row.concurrent_groups = 1;
    row.parameters = {{"stride", stride}, {"trips", lengthy - brief}};
    row.how = "strides";
    session_.write(row, cycles);
  }

 private:
  static float expected(int thread, int stride, int trips) {
    const int first = stride * (thread % kLanes);
    float sum = 0;
    for (int i = 0; i < kLoads; i += 2) sum += word(first + kWords[i]) * word(first + kWords[i + 1]);
    return sum * static_cast<float>(trips);
  }

  void check(int stride, int trips) {
    const auto found = sums_.read();
    for (std::size_t thread = 0; thread < found.size(); ++thread) {
      if (found[thread] == expected(static_cast<int>(thread) % group_size_, stride, trips)) continue;
      session_.wrong_result("stride " + std::to_string(stride) + ": sum " + std::to_string(thread));
      return;
    }
  }

  Session& session_;
  int group_size_;
  StampedLauncher launcher_;
  Buffer<float> sums_;
};

}  // namespace

void probe_strides(Session& session) {
  Strides strides(session);
  for (const int stride : {1, 33, 9, 2, 8, 32}) {
    if (session.is_over()) return;
    session.begin_probe("stride_" + std::to_string(stride));
    strides.measure(stride);
  }
}

}  // namespace measure
