#include "validation.hpp"

namespace measure {
namespace {

constexpr int kColumns = 32;
constexpr int kRows = 8;

/// Five points, straight from global memory; the elements at the border keep their value.
__global__ __launch_bounds__(kColumns* kRows) void stencil_kernel(const float* in, float* out, int n) {
  const int x = static_cast<int>(blockIdx.x) * kColumns + static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(blockIdx.y) * kRows + static_cast<int>(threadIdx.y);
  const int i = y * n + x;
  float value = in[i];
  if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
    value = 0.5f * value + 0.125f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
  out[i] = value;
}

void check(Session& session, const std::vector<float>& in, const std::vector<float>& out, std::size_t n) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t x = i % n;
    const std::size_t y = i / n;
    float expected = in[i];
    if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
      expected = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
    if (!same(session, "stencil5", i, out[i], expected, 0)) return;  // exact: few eighths, halved a few times
  }
}

}  // namespace

void run_stencil(Session& session) {
  const int n = session.scaled(8192, 64);
  const auto size = static_cast<std::size_t>(n);
  const auto host = test_numbers(size * size);
  const Buffer<float> in(host);
  const Buffer<float> out(size * size);
  const dim3 grid(static_cast<unsigned>(n / kColumns), static_cast<unsigned>(n / kRows));
  const auto launch = [&] { GPU_LAUNCH(stencil_kernel, grid, dim3(kColumns, kRows), 0, in.data(), out.data(), n); };
  launch();
  check(session, host, out.read(), size);
  Row row = validation_row("stencil5", reinterpret_cast<const void*>(&stencil_kernel), kColumns * kRows,
                           static_cast<long long>(grid.x) * grid.y);
  row.parameters = {{"n", n}};
  write_whole_launch(session, row, launch);
}

}  // namespace measure
