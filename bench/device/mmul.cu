#include "validation.hpp"

namespace measure {
namespace {

/// C = A * B, n x n, one element of C a thread, kTile x kTile tiles in shared memory, the inner loop unrolled. With
/// conflicts the tile of B is kept transposed: the lanes of a row then read and write at a distance of kTile words.
template <int kTile, bool kConflicts>
__global__ __launch_bounds__(kTile* kTile) void mmul_kernel(const float* a, const float* b, float* c, int n) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const int column = static_cast<int>(blockIdx.x) * kTile + x;
  const int row = static_cast<int>(blockIdx.y) * kTile + y;
  const float* a_place = a + row * n + x;
  const float* b_place = b + y * n + column;
  float sum = 0;
#pragma unroll 1
  for (int tile = 0; tile < n / kTile; ++tile) {
    a_tile[y][x] = *a_place;
    (kConflicts ? b_tile[x][y] : b_tile[y][x]) = *b_place;
    a_place += kTile;
    b_place += kTile * n;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum += a_tile[y][k] * (kConflicts ? b_tile[x][k] : b_tile[k][x]);
    __syncthreads();
  }
  c[row * n + column] = sum;
}

struct Matrices {
  explicit Matrices(int size)
      : n(size),
        host_a(test_numbers(elements())),
        host_b(test_numbers(elements(), elements())),
        a(host_a),
        b(host_b),
        c(elements()) {}
  std::size_t elements() const { return static_cast<std::size_t>(n) * static_cast<std::size_t>(n); }

  int n;
  std::vector<float> host_a, host_b;
  Buffer<float> a, b, c;
};

/// Some elements, spread over the matrix. Sums of at most 2048 products of multiples of 1/8 are exact.
void check(Session& session, const char* name, const Matrices& matrices) {
  const auto n = static_cast<std::size_t>(matrices.n);
  const auto found = matrices.c.read();
  for (std::size_t i = 0; i < 64; ++i) {
    const std::size_t place = i * (n * n - 1) / 63;
    double expected = 0;
    for (std::size_t k = 0; k < n; ++k)
      expected += static_cast<double>(matrices.host_a[place / n * n + k]) *
                  static_cast<double>(matrices.host_b[k * n + place % n]);
    if (!same(session, name, place, found[place], expected, 1e-6)) return;
  }
}

template <int kTile, bool kConflicts>
void run_variant(Session& session, Matrices& matrices, const char* name) {
  const auto kernel = &mmul_kernel<kTile, kConflicts>;
  const void* address = reinterpret_cast<const void*>(kernel);
  const dim3 grid(static_cast<unsigned>(matrices.n / kTile), static_cast<unsigned>(matrices.n / kTile));
  for (const Residency& residency : plan_for_group_size(session, address, kTile * kTile, 2)) {
    if (session.is_over()) return;
    const auto launch = [&] {
      GPU_LAUNCH(kernel, grid, dim3(kTile, kTile), residency.local_bytes, matrices.a.data(), matrices.b.data(),
                 matrices.c.data(), matrices.n);
    };
    matrices.c.fill(0);
    launch();
    check(session, name, matrices);
    Row row = validation_row(name, address, kTile * kTile, static_cast<long long>(grid.x) * grid.y);
    row.concurrent_groups = residency.groups;
    row.parameters = {{"n", matrices.n}};
    write_whole_launch(session, row, launch);
  }
}

}  // namespace

void run_mmul(Session& session) {
  Matrices matrices(session.scaled(1024, 64));
  run_variant<8, false>(session, matrices, "mmul08");
  run_variant<8, true>(session, matrices, "mmul08_conflicts");
  run_variant<16, false>(session, matrices, "mmul16");
  run_variant<16, true>(session, matrices, "mmul16_conflicts");
}

}  // namespace measure
