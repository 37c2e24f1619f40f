// Physics and finance: bodies, fluids, fields, particles, options.
#include <cuda_runtime.h>

#include <cstdint>

namespace {

constexpr int kDirections = 9;
__constant__ float weights_of_directions[kDirections] = {4.f / 9,  1.f / 9,  1.f / 9,  1.f / 9, 1.f / 9,
                                                         1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};

__device__ __forceinline__ float normal_cdf(float x) { return 0.5f * erfcf(-0.70710678f * x); }

__device__ __forceinline__ uint32_t pcg(uint32_t& state) {
  const uint32_t s = state;
  state = state * 747796405u + 2891336453u;
  const uint32_t word = ((s >> ((s >> 28) + 4)) ^ s) * 277803737u;
  return word >> 22 ^ word;
}

}  // namespace

// All pairs of bodies: tiles of positions in shared memory, softened gravity, a body per thread.
__global__ void __launch_bounds__(256) nbody_forces(int bodies, float softening, const float4* __restrict__ positions,
                                                    float4* __restrict__ accelerations) {
  __shared__ float4 tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float4 me = positions[i];
  float3 sum = make_float3(0.0f, 0.0f, 0.0f);
  for (int tile0 = 0; tile0 < bodies; tile0 += 256) {
    tile[threadIdx.x] = positions[tile0 + threadIdx.x];
    __syncthreads();
#pragma unroll 16
    for (int j = 0; j < 256; ++j) {
      const float4 other = tile[j];
      const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      const float square = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, softening)));
      const float inverse = rsqrtf(square);
      const float factor = other.w * inverse * inverse * inverse;
      sum.x = fmaf(factor, dx, sum.x);
      sum.y = fmaf(factor, dy, sum.y);
      sum.z = fmaf(factor, dz, sum.z);
    }
    __syncthreads();
  }
  accelerations[i] = make_float4(sum.x, sum.y, sum.z, 0.0f);
}

// Lattice Boltzmann in two dimensions, nine directions, collision and streaming (pull) in one pass, periodic.
__global__ void __launch_bounds__(256)
    lattice_boltzmann(int width, int height, float omega, const float* __restrict__ in, float* __restrict__ out) {
  constexpr int kDx[kDirections] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, kDy[kDirections] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= width) return;
  const size_t cells = static_cast<size_t>(width) * height;
  float f[kDirections], density = 0.0f, ux = 0.0f, uy = 0.0f;
#pragma unroll
  for (int d = 0; d < kDirections; ++d) {
    const int from_x = (x - kDx[d] + width) % width, from_y = (y - kDy[d] + height) % height;
    f[d] = in[d * cells + static_cast<size_t>(from_y) * width + from_x];
    density += f[d];
    ux += kDx[d] * f[d];
    uy += kDy[d] * f[d];
  }
  ux /= density;
  uy /= density;
  const float square = 1.5f * (ux * ux + uy * uy);
#pragma unroll
  for (int d = 0; d < kDirections; ++d) {
    const float along = 3.0f * (kDx[d] * ux + kDy[d] * uy);
    const float balance = weights_of_directions[d] * density * (1.0f + along + 0.5f * along * along - square);
    out[d * cells + static_cast<size_t>(y) * width + x] = f[d] + omega * (balance - f[d]);
  }
}

// Maxwell's equations on a staggered grid in three dimensions: a step of the electric field.
__global__ void __launch_bounds__(256)
    fdtd_electric(int nx, int ny, int nz, float factor, const float* __restrict__ hx, const float* __restrict__ hy,
                  const float* __restrict__ hz, float* __restrict__ ex, float* __restrict__ ey,
                  float* __restrict__ ez) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= nx || y >= ny) return;
  const int layer = nx * ny;
#pragma unroll 2
  for (int z = 1; z < nz; ++z) {
    const int i = z * layer + y * nx + x;
    ex[i] += factor * (hz[i] - hz[i - nx] - hy[i] + hy[i - layer]);
    ey[i] += factor * (hx[i] - hx[i - layer] - hz[i] + hz[i - 1]);
    ez[i] += factor * (hy[i] - hy[i - 1] - hx[i] + hx[i - nx]);
  }
}

// Forces of Lennard-Jones between particles of neighbouring cells, particles sorted by cell.
__global__ void __launch_bounds__(128)
    lennard_jones_cells(int cells_per_side, float cutoff2, const int* __restrict__ cell_begins,
                        const float4* __restrict__ positions, float4* __restrict__ forces) {
  const int cell = blockIdx.x;
  const int cx = cell % cells_per_side, cy = cell / cells_per_side % cells_per_side,
            cz = cell / cells_per_side / cells_per_side;
  const int begin = cell_begins[cell], end = cell_begins[cell + 1];
  for (int i = begin + threadIdx.x; i < end; i += blockDim.x) {
    const float4 me = positions[i];
    float3 force = make_float3(0.0f, 0.0f, 0.0f);
    for (int near = 0; near < 27; ++near) {
      const int nx = (cx + near % 3 - 1 + cells_per_side) % cells_per_side;
      const int ny = (cy + near / 3 % 3 - 1 + cells_per_side) % cells_per_side;
      const int nz = (cz + near / 9 - 1 + cells_per_side) % cells_per_side;
      const int other = (nz * cells_per_side + ny) * cells_per_side + nx;
      for (int j = cell_begins[other]; j < cell_begins[other + 1]; ++j) {
        const float4 p = __ldg(&positions[j]);
        const float dx = me.x - p.x, dy = me.y - p.y, dz = me.z - p.z;
        const float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < cutoff2 && j != i) {
          const float inverse = 1.0f / r2, six = inverse * inverse * inverse;
          const float factor = 24.0f * inverse * six * (2.0f * six - 1.0f);
          force.x += factor * dx;
          force.y += factor * dy;
          force.z += factor * dz;
        }
      }
    }
    forces[i] = make_float4(force.x, force.y, force.z, 0.0f);
  }
}

// An Asian option by Monte Carlo: a path per thread and round, sums by shuffles and atomics in double precision.
__global__ void __launch_bounds__(256) monte_carlo_asian(int rounds, int steps, float start, float strike, float drift,
                                                         float volatility, double* __restrict__ totals) {
  uint32_t state = (blockIdx.x * blockDim.x + threadIdx.x) * 0x9e3779b9u + 1u;
  float sum = 0.0f, squares = 0.0f;
  for (int round = 0; round < rounds; ++round) {
    float price = start, average = 0.0f;
    for (int step = 0; step < steps; step += 2) {
      const float u = (pcg(state) >> 8) * 0x1p-24f + 0x1p-25f, v = (pcg(state) >> 8) * 0x1p-24f;
      const float radius = sqrtf(-2.0f * __logf(u));
      float s, c;
      __sincosf(6.283185307f * v, &s, &c);
      price *= __expf(drift + volatility * radius * c);
      average += price;
      price *= __expf(drift + volatility * radius * s);
      average += price;
    }
    const float payoff = fmaxf(average / steps - strike, 0.0f);
    sum += payoff;
    squares += payoff * payoff;
  }
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, step);
    squares += __shfl_down_sync(0xffffffffu, squares, step);
  }
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&totals[0], static_cast<double>(sum));
    atomicAdd(&totals[1], static_cast<double>(squares));
  }
}

// Black and Scholes: prices of a call and a put per element, the normal distribution by erfc.
__global__ void __launch_bounds__(256)
    black_scholes(int options, float rate, float volatility, const float* __restrict__ prices,
                  const float* __restrict__ strikes, const float* __restrict__ years, float* __restrict__ calls,
                  float* __restrict__ puts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= options) return;
  const float price = prices[i], strike = strikes[i], time = years[i];
  const float root = volatility * sqrtf(time);
  const float d1 = (__logf(price / strike) + (rate + 0.5f * volatility * volatility) * time) / root;
  const float d2 = d1 - root;
  const float discounted = strike * __expf(-rate * time);
  const float call = price * normal_cdf(d1) - discounted * normal_cdf(d2);
  calls[i] = call;
  puts[i] = call - price + discounted;
}
