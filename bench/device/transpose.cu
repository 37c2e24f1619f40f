#include "validation.hpp"

namespace measure {
namespace {

constexpr int kTile = 32;
constexpr int kRows = 8;

/// out = in transposed, through a 32 x 32 tile; without padding the lanes of a warp read 32 words of one bank.
template <int kPadding>
__global__ __launch_bounds__(kTile* kRows) void transpose_kernel(const float* in, float* out, int n) {
  __shared__ float tile[kTile][kTile + kPadding];
  const int tx = static_cast<int>(threadIdx.x);
  const int ty = static_cast<int>(threadIdx.y);
  const int in_x = static_cast<int>(blockIdx.x) * kTile;
  const int in_y = static_cast<int>(blockIdx.y) * kTile;
#pragma unroll
  for (int row = 0; row < kTile; row += kRows) tile[ty + row][tx] = in[(in_y + ty + row) * n + in_x + tx];
  __syncthreads();
#pragma unroll
  for (int row = 0; row < kTile; row += kRows) out[(in_x + ty + row) * n + in_y + tx] = tile[tx][ty + row];
}

template <int kPadding>
void run_variant(Session& session, const std::vector<float>& host, const Buffer<float>& in, Buffer<float>& out, int n,
                 const char* name) {
  const auto kernel = &transpose_kernel<kPadding>;
  const dim3 grid(static_cast<unsigned>(n / kTile), static_cast<unsigned>(n / kTile));
  const auto launch = [&] { GPU_LAUNCH(kernel, grid, dim3(kTile, kRows), 0, in.data(), out.data(), n); };
  out.fill(0);
  launch();
  const auto found = out.read();
  const auto size = static_cast<std::size_t>(n);
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!same(session, name, i, found[i], host[i % size * size + i / size], 0)) break;
  Row row = validation_row(name, reinterpret_cast<const void*>(kernel), kTile * kRows,
                           static_cast<long long>(grid.x) * grid.y);
  row.parameters = {{"n", n}};
  write_whole_launch(session, row, launch);
}

}  // namespace

void run_transpose(Session& session) {
  const int n = session.scaled(8192, 64);
  const auto elements = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const auto host = test_numbers(elements);
  const Buffer<float> in(host);
  Buffer<float> out(elements);
  run_variant<1>(session, host, in, out, n, "transpose_padded");
  if (!session.is_over()) run_variant<0>(session, host, in, out, n, "transpose_conflicts");
}

}  // namespace measure
