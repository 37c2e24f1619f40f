#include "validation.hpp"

namespace measure {
namespace {

constexpr int kGroup = 256;

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  c[i] = a[i] + b[i];
}

__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  y[i] = a * x[i] + y[i];
}

class Vectors {
 public:
  explicit Vectors(Session& session)
      : session_(session),
        n_(session.scaled(1 << 26, 1 << 12)),
        host_x_(test_numbers(size())),
        host_y_(test_numbers(size(), size())),
        x_(host_x_),
        y_(host_y_),
        z_(size()) {}

  void add() {
    const auto launch = [&] {
      GPU_LAUNCH(vector_add_kernel, groups(), kGroup, 0, x_.data(), y_.data(), z_.data(), n_);
    };
    launch();
    check("vector_add", z_, 1.0f);
    write("vector_add", reinterpret_cast<const void*>(&vector_add_kernel), launch);
  }

  void saxpy() {
    const auto launch = [&] { GPU_LAUNCH(saxpy_kernel, groups(), kGroup, 0, 0.5f, x_.data(), y_.data(), n_); };
    launch();
    check("saxpy", y_, 0.5f);
    write("saxpy", reinterpret_cast<const void*>(&saxpy_kernel), launch);
  }

 private:
  std::size_t size() const { return static_cast<std::size_t>(n_); }
  int groups() const { return n_ / kGroup; }

  void check(const char* name, const Buffer<float>& result, float factor) {
    const auto found = result.read();
    for (std::size_t i = 0; i < found.size(); ++i)
      if (!same(session_, name, i, found[i], factor * host_x_[i] + host_y_[i], 0)) return;
  }

  template <class Launch>
  void write(const char* name, const void* kernel, const Launch& launch) {
    Row row = validation_row(name, kernel, kGroup, groups());
    row.parameters = {{"n", n_}};
    write_whole_launch(session_, row, launch);
  }

  Session& session_;
  int n_;
  std::vector<float> host_x_, host_y_;
  Buffer<float> x_, y_, z_;
};

}  // namespace

void run_vector_kernels(Session& session) {
  Vectors vectors(session);
  vectors.add();
  if (!session.is_over()) vectors.saxpy();
}

}  // namespace measure
