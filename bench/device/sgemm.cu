#include "validation.hpp"

namespace measure {
namespace {

constexpr int kTile = 64;   // rows and columns of C a group
constexpr int kDepth = 16;  // of the tiles of A and B
constexpr int kOwn = 4;     // rows and columns of C a thread
constexpr int kSide = kTile / kOwn;
constexpr int kGroup = kSide * kSide;
constexpr int kPadding = 4;  // words behind a row of the tile of A: 2 lanes meet in a bank where it is written, not 16
constexpr int kLoads = kTile * kDepth / kGroup;  // elements of each tile that a thread brings

/// C = A * B, n x n, 4 x 4 elements of C a thread in registers. The tile of A is kept transposed, so that a thread's
/// four values lie side by side in both tiles and are read at once.
__global__ __launch_bounds__(kGroup) void sgemm_kernel(const float* a, const float* b, float* c, int n) {
  alignas(16) __shared__ float a_tile[kDepth][kTile + kPadding];
  alignas(16) __shared__ float b_tile[kDepth][kTile];
  const int thread = static_cast<int>(threadIdx.x);
  const int tx = thread % kSide;
  const int ty = thread / kSide;
  const int first_row = static_cast<int>(blockIdx.y) * kTile;
  const int first_column = static_cast<int>(blockIdx.x) * kTile;
  float sums[kOwn][kOwn] = {};
#pragma unroll 1
  for (int k0 = 0; k0 < n; k0 += kDepth) {
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      const int element = thread + i * kGroup;
      a_tile[element % kDepth][element / kDepth] = a[(first_row + element / kDepth) * n + k0 + element % kDepth];
      b_tile[element / kTile][element % kTile] = b[(k0 + element / kTile) * n + first_column + element % kTile];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      const float4 rows = *reinterpret_cast<const float4*>(&a_tile[k][ty * kOwn]);
      const float4 columns = *reinterpret_cast<const float4*>(&b_tile[k][tx * kOwn]);
      const float row[kOwn] = {rows.x, rows.y, rows.z, rows.w};
      const float column[kOwn] = {columns.x, columns.y, columns.z, columns.w};
#pragma unroll
      for (int i = 0; i < kOwn; ++i)
#pragma unroll
        for (int j = 0; j < kOwn; ++j) sums[i][j] += row[i] * column[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kOwn; ++i) {
    float* place = c + (first_row + ty * kOwn + i) * n + first_column + tx * kOwn;
    *reinterpret_cast<float4*>(place) = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
  }
}

}  // namespace

void run_sgemm(Session& session) {
  for (const int n : {session.scaled(1024, 64), session.scaled(2048, 128)}) {
    if (session.is_over()) return;
    const auto size = static_cast<std::size_t>(n);
    const auto host_a = test_numbers(size * size);
    const auto host_b = test_numbers(size * size, size * size);
    const Buffer<float> a(host_a);
    const Buffer<float> b(host_b);
    const Buffer<float> c(size * size);
    const dim3 grid(static_cast<unsigned>(n / kTile), static_cast<unsigned>(n / kTile));
    const auto launch = [&] { GPU_LAUNCH(sgemm_kernel, grid, kGroup, 0, a.data(), b.data(), c.data(), n); };
    launch();
    const auto found = c.read();
    for (std::size_t i = 0; i < 256; ++i) {
      const std::size_t place = i * (size * size - 1) / 255;
      double expected = 0;
      for (std::size_t k = 0; k < size; ++k)
        expected +=
            static_cast<double>(host_a[place / size * size + k]) * static_cast<double>(host_b[k * size + place % size]);
      if (!same(session, "sgemm", place, found[place], expected, 1e-6)) break;
    }
    Row row = validation_row("sgemm_tiled", reinterpret_cast<const void*>(&sgemm_kernel), kGroup,
                             static_cast<long long>(grid.x) * grid.y);
    row.parameters = {{"n", n}};
    write_whole_launch(session, row, launch);
  }
}

}  // namespace measure
