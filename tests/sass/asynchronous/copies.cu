// Asynchronous copies, their barriers, and calls of functions outside of the file.
#include <cassert>
#include <cstdint>
#include <cstdio>

struct alignas(64) Map {
  std::uint64_t words[16];
};

namespace {

__device__ std::uint32_t place_of(const void* p) { return static_cast<std::uint32_t>(__cvta_generic_to_shared(p)); }

__device__ void begin(std::uint64_t* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(place_of(barrier)), "r"(arrivals));
}
__device__ void arrive(std::uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(place_of(barrier)) : "memory");
}
__device__ void arrive_expecting(std::uint64_t* barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(place_of(barrier)), "r"(bytes)
               : "memory");
}
__device__ void expect(std::uint64_t* barrier, int bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(place_of(barrier)), "r"(bytes)
               : "memory");
}
__device__ void await(std::uint64_t* barrier, int parity) {
  asm volatile(
      "{ .reg .pred done; WAIT: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1; @done bra DONE; bra WAIT; "
      "DONE: }" ::"r"(place_of(barrier)),
      "r"(parity)
      : "memory");
}
__device__ void load(void* to, const void* from, int bytes, std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(place_of(to)),
      "l"(from), "r"(bytes), "r"(place_of(barrier))
      : "memory");
}
__device__ void store(void* to, const void* from, int bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(place_of(from)), "r"(bytes)
               : "memory");
}
__device__ void load_tile(void* to, const Map* map, int x, int y, std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::
          "r"(place_of(to)),
      "l"(map), "r"(place_of(barrier)), "r"(x), "r"(y)
      : "memory");
}
__device__ void store_tile(const Map* map, int x, int y, const void* from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map),
               "r"(place_of(from)), "r"(x), "r"(y)
               : "memory");
}

}  // namespace

// A group goes through `rounds` pieces of 4096 bytes, two of them under way at a time.
extern "C" __global__ void bulk(const float* in, float* out, int rounds) {
  __shared__ alignas(128) float tiles[2][1024];
  __shared__ std::uint64_t full[2];
  const float* from = in + static_cast<std::int64_t>(blockIdx.x) * rounds * 1024;
  float* to = out + static_cast<std::int64_t>(blockIdx.x) * rounds * 1024;
  if (threadIdx.x == 0) {
    begin(&full[0], 1);
    begin(&full[1], 1);
    arrive_expecting(&full[0], 4096);
    load(tiles[0], from, 4096, &full[0]);
  }
  __syncthreads();
  for (int i = 0; i < rounds; ++i) {
    if (threadIdx.x == 0 && i + 1 < rounds) {
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
      arrive_expecting(&full[(i + 1) & 1], 4096);
      load(tiles[(i + 1) & 1], from + (i + 1) * 1024, 4096, &full[(i + 1) & 1]);
    }
    await(&full[i & 1], (i >> 1) & 1);
    tiles[i & 1][threadIdx.x] *= 2;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      store(to + i * 1024, tiles[i & 1], 4096);
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
  }
  if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// A tile of 32 x 32 floats of one tensor to another.
extern "C" __global__ void tensor(const __grid_constant__ Map in, const __grid_constant__ Map out) {
  __shared__ alignas(128) float tile[1024];
  __shared__ std::uint64_t full, used;
  const int x = static_cast<int>(blockIdx.x) * 32, y = static_cast<int>(blockIdx.y) * 32;
  if (threadIdx.x == 0) {
    begin(&full, 1);
    begin(&used, 32);
    arrive_expecting(&full, 4096);
    load_tile(tile, &in, x, y, &full);
  }
  __syncthreads();
  await(&full, 0);
  tile[threadIdx.x] += 1;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  if (threadIdx.x % 32 == 0) arrive(&used);
  if (threadIdx.x == 0) {
    await(&used, 0);
    store_tile(&out, y, x, tile);
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

// Bytes are said apart from the arrival, and all groups of a cluster meet.
extern "C" __global__ void meet(const float* in, float* out) {
  __shared__ alignas(128) float tile[1024];
  __shared__ std::uint64_t full;
  if (threadIdx.x == 0) {
    begin(&full, static_cast<int>(blockDim.x));
    expect(&full, 4096);
    load(tile, in, 4096, &full);
  }
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  arrive(&full);
  await(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

extern "C" __global__ void says(const double* in, double* out, int n) {
  const int i = static_cast<int>(threadIdx.x);
  assert(in != nullptr);
  if (i == n) printf("%d\n", n);
  out[i] = in[i] + in[i + 32];
}

// Rows of a ring, whose addresses are sums of three numbers of 64 bits in uniform registers.
extern "C" __global__ void __launch_bounds__(32) ring_of_rows(const char *__restrict__ from, float *__restrict__ to, int rows, int bytes) {
  __shared__ alignas(128) char row[4096];
  __shared__ alignas(8) uint64_t arrived;
  const auto barrier = static_cast<uint32_t>(__cvta_generic_to_shared(&arrived));
  const auto place = static_cast<uint32_t>(__cvta_generic_to_shared(row));
  from += static_cast<size_t>(blockIdx.x) * rows * 4096;
  int at = 0;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(barrier));
    for (int i = 0; i < rows; ++i) {
      asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 4096;" ::"r"(barrier) : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];" ::"r"(place),
                   "l"(from + at), "r"(barrier)
                   : "memory");
      asm volatile(
          "{\n.reg .pred done;\nWAIT:\nmbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n@!done bra WAIT;\n}" ::"r"(barrier),
          "r"(i & 1)
          : "memory");
      at += 4096;
      if (at >= bytes) at -= bytes;
    }
  }
  __syncthreads();
  to[blockIdx.x * 32 + threadIdx.x] = row[threadIdx.x];
}
