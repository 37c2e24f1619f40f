#include "validation.hpp"

namespace measure {
namespace {

constexpr int kGroup = 256;
constexpr int kOwn = 4;  // elements of a thread
constexpr int kColumns = kGroup * kOwn;

struct Most {
  __device__ static float of(float a, float b) { return fmaxf(a, b); }
};
struct Sum {
  __device__ static float of(float a, float b) { return a + b; }
};

/// One value of all threads of the group, through a tree in shared memory that all threads read the root of.
template <class Combine>
__device__ float over_group(float value, float* tile) {
  const unsigned thread = threadIdx.x;
  tile[thread] = value;
#pragma unroll
  for (unsigned half = kGroup / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) {
      value = Combine::of(value, tile[thread + half]);
      tile[thread] = value;
    }
  }
  __syncthreads();
  const float all = tile[0];
  __syncthreads();  // before the tile is used again
  return all;
}

/// Each group makes one row of 1024 numbers exp(x - most) / sum.
__global__ __launch_bounds__(kGroup) void softmax_kernel(const float* in, float* out) {
  __shared__ float tile[kGroup];
  const std::size_t first = std::size_t{blockIdx.x} * kColumns + threadIdx.x;
  float x[kOwn];
#pragma unroll
  for (int i = 0; i < kOwn; ++i) x[i] = in[first + static_cast<std::size_t>(i) * kGroup];
  float most = x[0];
#pragma unroll
  for (int i = 1; i < kOwn; ++i) most = fmaxf(most, x[i]);
  most = over_group<Most>(most, tile);
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kOwn; ++i) {
    x[i] = exp2f((x[i] - most) * 1.44269504f);
    sum += x[i];
  }
  sum = over_group<Sum>(sum, tile);
  const float scale = 1.0f / sum;
#pragma unroll
  for (int i = 0; i < kOwn; ++i) out[first + static_cast<std::size_t>(i) * kGroup] = x[i] * scale;
}

void check(Session& session, const std::vector<float>& in, const std::vector<float>& out, std::size_t row) {
  const std::size_t first = row * kColumns;
  double most = -1e30;
  for (std::size_t i = 0; i < kColumns; ++i) most = std::fmax(most, static_cast<double>(in[first + i]));
  double sum = 0;
  for (std::size_t i = 0; i < kColumns; ++i) sum += std::exp(static_cast<double>(in[first + i]) - most);
  for (std::size_t i = 0; i < kColumns; ++i) {
    const double expected = std::exp(static_cast<double>(in[first + i]) - most) / sum;
    if (!same(session, "softmax", first + i, static_cast<double>(out[first + i]) * 1000, expected * 1000, 1e-4)) return;
  }
}

}  // namespace

void run_softmax(Session& session) {
  const int rows = session.scaled(1 << 16, 8);
  const auto elements = static_cast<std::size_t>(rows) * kColumns;
  const auto host = test_numbers(elements);
  const Buffer<float> in(host);
  const Buffer<float> out(elements);
  const auto launch = [&] { GPU_LAUNCH(softmax_kernel, rows, kGroup, 0, in.data(), out.data()); };
  launch();
  const auto found = out.read();
  for (const std::size_t row : {std::size_t{0}, static_cast<std::size_t>(rows) / 2, static_cast<std::size_t>(rows) - 1})
    check(session, host, found, row);
  Row row = validation_row("softmax_rows", reinterpret_cast<const void*>(&softmax_kernel), kGroup, rows);
  row.parameters = {{"n", rows}};
  write_whole_launch(session, row, launch);
}

}  // namespace measure
