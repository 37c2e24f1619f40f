// Attention: forward, backward and decoding, in the manner of flash attention.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

namespace {

constexpr int kHead = 64;  // elements of a head
constexpr int kQueries = 64;
constexpr int kKeys = 64;

__device__ __forceinline__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ void load_matrices(unsigned (&r)[4], const half* from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(shared_address(from)));
}

__device__ __forceinline__ void load_matrices_transposed(unsigned (&r)[4], const half* from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(shared_address(from)));
}

__device__ __forceinline__ void mma(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Of a tile with rows of 64 halves: the 16-byte chunks of eight rows lie in different banks.
__device__ __forceinline__ int place(int row, int chunk) { return row * kHead + ((chunk ^ (row & 7)) << 3); }

// 64 rows of 64 halves, by 128 threads.
__device__ __forceinline__ void copy_tile(half* to, const half* from, int stride) {
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int chunk = i * 128 + threadIdx.x, row = chunk / 8, col = chunk % 8;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(&to[place(row, col)])),
                 "l"(from + static_cast<size_t>(row) * stride + col * 8)
                 : "memory");
  }
}

__device__ __forceinline__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

template <int kLeft>
__device__ __forceinline__ void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
}

__device__ __forceinline__ unsigned pack(float x, float y) {
  const half2 h = __floats2half2_rn(x, y);
  return *reinterpret_cast<const unsigned*>(&h);
}

__device__ __forceinline__ float quad_max(float v) {
  v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, 1));
  return fmaxf(v, __shfl_xor_sync(0xffffffffu, v, 2));
}

__device__ __forceinline__ float quad_sum(float v) {
  v += __shfl_xor_sync(0xffffffffu, v, 1);
  return v + __shfl_xor_sync(0xffffffffu, v, 2);
}

// d (16 x 64) += a (16 x 64 halves in fragments) b^T, b in rows of k.
__device__ __forceinline__ void multiply_by_rows(float (&d)[8][4], const unsigned (&a)[4][4], const half* b) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int k = 0; k < 4; ++k)
#pragma unroll
    for (int x = 0; x < 4; ++x) {
      unsigned r[4];
      load_matrices(r, &b[place(x * 16 + lane % 8 + lane / 16 * 8, k * 2 + lane / 8 % 2)]);
      mma(d[x * 2], a[k], r[0], r[1]);
      mma(d[x * 2 + 1], a[k], r[2], r[3]);
    }
}

// d (16 x 64) += a b, b with a row per k.
__device__ __forceinline__ void multiply_by_columns(float (&d)[8][4], const unsigned (&a)[4][4], const half* b) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int k = 0; k < 4; ++k)
#pragma unroll
    for (int x = 0; x < 4; ++x) {
      unsigned r[4];
      load_matrices_transposed(r, &b[place(k * 16 + lane % 16, x * 2 + lane / 16)]);
      mma(d[x * 2], a[k], r[0], r[1]);
      mma(d[x * 2 + 1], a[k], r[2], r[3]);
    }
}

__device__ __forceinline__ void load_rows(unsigned (&a)[4][4], const half* tile, int row0) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int k = 0; k < 4; ++k) load_matrices(a[k], &tile[place(row0 + lane % 16, k * 2 + lane / 16)]);
}

// As load_rows, of the transposed tile.
__device__ __forceinline__ void load_columns(unsigned (&a)[4][4], const half* tile, int col0) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    load_matrices_transposed(a[k], &tile[place(k * 16 + lane % 8 + lane / 16 * 8, col0 / 8 + lane / 8 % 2)]);
}

}  // namespace

// Forward: 64 queries per group, keys and values copied tile by tile, softmax on the way, sums in registers.
template <bool kCausal>
__global__ void __launch_bounds__(128)
    flash_forward(int tokens, int stride, float scale_log2, const half* __restrict__ q, const half* __restrict__ k,
                  const half* __restrict__ v, half* __restrict__ out, float* __restrict__ log_sums) {
  extern __shared__ __align__(128) half buffer[];
  half* tile_q = buffer;
  half* tile_k = tile_q + kQueries * kHead;
  half* tile_v = tile_k + 2 * kKeys * kHead;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int query0 = blockIdx.x * kQueries;
  const size_t head = static_cast<size_t>(blockIdx.z) * tokens * stride + blockIdx.y * kHead;
  const int tiles = kCausal ? blockIdx.x + 1 : tokens / kKeys;

  copy_tile(tile_q, q + head + static_cast<size_t>(query0) * stride, stride);
  copy_tile(tile_k, k + head, stride);
  commit();
  copy_tile(tile_v, v + head, stride);
  commit();

  unsigned a[4][4];
  float sums[8][4] = {};
  float most[2] = {-INFINITY, -INFINITY}, total[2] = {};
  for (int tile = 0; tile < tiles; ++tile) {
    const int now = tile & 1;
    wait_for_copies<1>();
    __syncthreads();
    if (tile == 0) load_rows(a, tile_q, warp * 16);
    if (tile + 1 < tiles)
      copy_tile(tile_k + (now ^ 1) * kKeys * kHead, k + head + static_cast<size_t>(tile + 1) * kKeys * stride, stride);
    commit();

    float scores[8][4] = {};
    multiply_by_rows(scores, a, tile_k + now * kKeys * kHead);
    if (kCausal && tile == tiles - 1) {
#pragma unroll
      for (int x = 0; x < 8; ++x)
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const int key = x * 8 + lane % 4 * 2 + i % 2, query = warp * 16 + lane / 4 + i / 2 * 8;
          if (key > query) scores[x][i] = -INFINITY;
        }
    }
    unsigned weights[4][4];
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      float tile_most = most[r];
#pragma unroll
      for (int x = 0; x < 8; ++x) tile_most = fmaxf(tile_most, fmaxf(scores[x][r * 2], scores[x][r * 2 + 1]));
      tile_most = quad_max(tile_most);
      const float shrink = exp2f((most[r] - tile_most) * scale_log2);
      most[r] = tile_most;
      total[r] *= shrink;
#pragma unroll
      for (int x = 0; x < 8; ++x) {
        sums[x][r * 2] *= shrink;
        sums[x][r * 2 + 1] *= shrink;
        const float p0 = exp2f((scores[x][r * 2] - tile_most) * scale_log2);
        const float p1 = exp2f((scores[x][r * 2 + 1] - tile_most) * scale_log2);
        total[r] += p0 + p1;
        weights[x / 2][x % 2 * 2 + r] = pack(p0, p1);
      }
    }
    wait_for_copies<1>();
    __syncthreads();
    if (tile + 1 < tiles)
      copy_tile(tile_v + (now ^ 1) * kKeys * kHead, v + head + static_cast<size_t>(tile + 1) * kKeys * stride, stride);
    commit();
    multiply_by_columns(sums, weights, tile_v + now * kKeys * kHead);
  }
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    total[r] = quad_sum(total[r]);
    const int query = query0 + warp * 16 + lane / 4 + r * 8;
    const float inverse = 1.0f / total[r];
#pragma unroll
    for (int x = 0; x < 8; ++x)
      *reinterpret_cast<half2*>(&out[head + static_cast<size_t>(query) * stride + x * 8 + lane % 4 * 2]) =
          __floats2half2_rn(sums[x][r * 2] * inverse, sums[x][r * 2 + 1] * inverse);
    if (lane % 4 == 0)
      log_sums[(static_cast<size_t>(blockIdx.z) * gridDim.y + blockIdx.y) * tokens + query] =
          most[r] * scale_log2 + __log2f(total[r]);
  }
}
template __global__ void flash_forward<false>(int, int, float, const half*, const half*, const half*, half*, float*);
template __global__ void flash_forward<true>(int, int, float, const half*, const half*, const half*, half*, float*);

// Before the backward pass: the product of each output row and its gradient, a warp per row of a head.
__global__ void __launch_bounds__(256) flash_backward_rows(int rows, const half* __restrict__ out,
                                                           const half* __restrict__ grad, float* __restrict__ delta) {
  const int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const half2 o = reinterpret_cast<const half2*>(out)[static_cast<size_t>(row) * (kHead / 2) + lane];
  const half2 g = reinterpret_cast<const half2*>(grad)[static_cast<size_t>(row) * (kHead / 2) + lane];
  float sum = __low2float(o) * __low2float(g) + __high2float(o) * __high2float(g);
#pragma unroll
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  if (lane == 0) delta[row] = sum;
}

// Backward: 64 keys per group; through all queries that see them; gradients of keys and values in registers, those of
// queries by atomics.
__global__ void __launch_bounds__(128)
    flash_backward(int tokens, float scale, float scale_log2, const half* __restrict__ q, const half* __restrict__ k,
                   const half* __restrict__ v, const half* __restrict__ grad_out, const float* __restrict__ log_sums,
                   const float* __restrict__ delta, float* __restrict__ grad_q, half* __restrict__ grad_k,
                   half* __restrict__ grad_v) {
  extern __shared__ __align__(128) half buffer[];
  half* tile_k = buffer;
  half* tile_v = tile_k + kKeys * kHead;
  half* tile_q = tile_v + kKeys * kHead;
  half* tile_g = tile_q + kQueries * kHead;
  half* tile_p = tile_g + kQueries * kHead;  // weights, a row per query
  half* tile_s = tile_p + kQueries * kKeys;  // gradients of scores
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const size_t head = static_cast<size_t>(blockIdx.y) * tokens * kHead;
  const size_t head_rows = static_cast<size_t>(blockIdx.y) * tokens;
  const int key0 = blockIdx.x * kKeys;

  copy_tile(tile_k, k + head + static_cast<size_t>(key0) * kHead, kHead);
  copy_tile(tile_v, v + head + static_cast<size_t>(key0) * kHead, kHead);
  float sums_k[8][4] = {}, sums_v[8][4] = {};
  for (int query0 = key0; query0 < tokens; query0 += kQueries) {
    copy_tile(tile_q, q + head + static_cast<size_t>(query0) * kHead, kHead);
    copy_tile(tile_g, grad_out + head + static_cast<size_t>(query0) * kHead, kHead);
    commit();
    wait_for_copies<0>();
    __syncthreads();

    unsigned a[4][4];
    float scores[8][4] = {}, grads[8][4] = {};
    load_rows(a, tile_q, warp * 16);
    multiply_by_rows(scores, a, tile_k);
    load_rows(a, tile_g, warp * 16);
    multiply_by_rows(grads, a, tile_v);
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const int row = warp * 16 + lane / 4 + r * 8, query = query0 + row;
      const float log_sum = log_sums[head_rows + query], row_delta = delta[head_rows + query];
#pragma unroll
      for (int x = 0; x < 8; ++x) {
        float p[2], s[2];
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          const int key = key0 + x * 8 + lane % 4 * 2 + i;
          p[i] = key > query ? 0.0f : exp2f(scores[x][r * 2 + i] * scale_log2 - log_sum);
          s[i] = p[i] * (grads[x][r * 2 + i] - row_delta) * scale;
        }
        const int at = place(row, x) + lane % 4 * 2;
        *reinterpret_cast<half2*>(&tile_p[at]) = __floats2half2_rn(p[0], p[1]);
        *reinterpret_cast<half2*>(&tile_s[at]) = __floats2half2_rn(s[0], s[1]);
      }
    }
    __syncthreads();
    load_columns(a, tile_p, warp * 16);
    multiply_by_columns(sums_v, a, tile_g);
    load_columns(a, tile_s, warp * 16);
    multiply_by_columns(sums_k, a, tile_q);

    float sums_q[8][4] = {};
    load_rows(a, tile_s, warp * 16);
    multiply_by_columns(sums_q, a, tile_k);
#pragma unroll
    for (int x = 0; x < 8; ++x)
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int query = query0 + warp * 16 + lane / 4 + i / 2 * 8;
        atomicAdd(&grad_q[head + static_cast<size_t>(query) * kHead + x * 8 + lane % 4 * 2 + i % 2], sums_q[x][i]);
      }
    __syncthreads();
  }
#pragma unroll
  for (int x = 0; x < 8; ++x)
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const size_t at = head + static_cast<size_t>(key0 + warp * 16 + lane / 4 + r * 8) * kHead + x * 8 + lane % 4 * 2;
      *reinterpret_cast<half2*>(&grad_k[at]) = __floats2half2_rn(sums_k[x][r * 2], sums_k[x][r * 2 + 1]);
      *reinterpret_cast<half2*>(&grad_v[at]) = __floats2half2_rn(sums_v[x][r * 2], sums_v[x][r * 2 + 1]);
    }
}

// Forward through nvcuda::wmma, scores and sums in shared memory: shorter to write, slower to run.
__global__ void __launch_bounds__(128)
    attention_wmma(int tokens, float scale, const half* __restrict__ q, const half* __restrict__ k,
                   const half* __restrict__ v, float* __restrict__ out) {
  using namespace nvcuda;
  constexpr int kRow = kKeys + 8;
  __shared__ __align__(32) float scores[kQueries][kRow];
  __shared__ __align__(32) half weights[kQueries][kRow];
  __shared__ float row_most[kQueries], row_total[kQueries];
  const int warp = threadIdx.x / 32;
  const size_t head = static_cast<size_t>(blockIdx.y) * tokens * kHead;
  const half* from_q = q + head + static_cast<size_t>(blockIdx.x * kQueries + warp * 16) * kHead;
  if (threadIdx.x < kQueries) {
    row_most[threadIdx.x] = -1e30f;
    row_total[threadIdx.x] = 0.0f;
  }
  float sums[kHead / 2] = {};  // of row threadIdx.x / 2, every second column
  const int row = threadIdx.x / 2, part = threadIdx.x % 2;
  for (int key0 = 0; key0 < tokens; key0 += kKeys) {
#pragma unroll
    for (int x = 0; x < kKeys / 16; ++x) {
      wmma::fragment<wmma::accumulator, 16, 16, 16, float> tile;
      wmma::fill_fragment(tile, 0.0f);
#pragma unroll
      for (int step = 0; step < kHead; step += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
        wmma::load_matrix_sync(left, from_q + step, kHead);
        wmma::load_matrix_sync(right, k + head + static_cast<size_t>(key0 + x * 16) * kHead + step, kHead);
        wmma::mma_sync(tile, left, right, tile);
      }
      wmma::store_matrix_sync(&scores[warp * 16][x * 16], tile, kRow, wmma::mem_row_major);
    }
    __syncwarp();
    float most = row_most[row];
    for (int i = part; i < kKeys; i += 2) most = fmaxf(most, scores[row][i] * scale);
    most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, 1));
    const float shrink = __expf(row_most[row] - most);
    float total = 0.0f;
    for (int i = part; i < kKeys; i += 2) {
      const float p = __expf(scores[row][i] * scale - most);
      weights[row][i] = __float2half(p);
      total += p;
    }
    total += __shfl_xor_sync(0xffffffffu, total, 1);
    __syncwarp();
    if (part == 0) {
      row_most[row] = most;
      row_total[row] = row_total[row] * shrink + total;
    }
#pragma unroll
    for (int x = 0; x < kHead / 16; ++x) {
      wmma::fragment<wmma::accumulator, 16, 16, 16, float> tile;
      wmma::fill_fragment(tile, 0.0f);
#pragma unroll
      for (int step = 0; step < kKeys; step += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
        wmma::load_matrix_sync(left, &weights[warp * 16][step], kRow);
        wmma::load_matrix_sync(right, v + head + static_cast<size_t>(key0 + step) * kHead + x * 16, kHead);
        wmma::mma_sync(tile, left, right, tile);
      }
      wmma::store_matrix_sync(&scores[warp * 16][x * 16], tile, kRow, wmma::mem_row_major);
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < kHead / 2; ++i) sums[i] = sums[i] * shrink + scores[row][i * 2 + part];
    __syncwarp();
  }
  const float inverse = 1.0f / row_total[row];
#pragma unroll
  for (int i = 0; i < kHead / 2; ++i)
    out[head + static_cast<size_t>(blockIdx.x * kQueries + row) * kHead + i * 2 + part] = sums[i] * inverse;
}

// Decoding, one query per head: the keys are split over the groups; each warp keeps its own softmax.
__global__ void __launch_bounds__(128)
    decode_split(int tokens, int splits, float scale, const half* __restrict__ q, const half* __restrict__ k,
                 const half* __restrict__ v, float* __restrict__ partial, float2* __restrict__ partial_max_sum) {
  __shared__ float shared_sums[4][kHead];
  __shared__ float shared_most[4], shared_total[4];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int head = blockIdx.x, split = blockIdx.y;
  const int per_split = (tokens + splits - 1) / splits;
  const int begin = split * per_split, end = min(begin + per_split, tokens);
  const float2 query = __half22float2(reinterpret_cast<const half2*>(q)[head * (kHead / 2) + lane]);
  const half2* keys = reinterpret_cast<const half2*>(k) + static_cast<size_t>(head) * tokens * (kHead / 2);
  const half2* values = reinterpret_cast<const half2*>(v) + static_cast<size_t>(head) * tokens * (kHead / 2);
  float most = -1e30f, total = 0.0f;
  float2 sum = make_float2(0.0f, 0.0f);
  for (int token = begin + warp; token < end; token += 4) {
    const float2 key = __half22float2(__ldg(&keys[static_cast<size_t>(token) * (kHead / 2) + lane]));
    float score = query.x * key.x + query.y * key.y;
#pragma unroll
    for (int step = 16; step > 0; step /= 2) score += __shfl_xor_sync(0xffffffffu, score, step);
    score *= scale;
    const float new_most = fmaxf(most, score);
    const float shrink = __expf(most - new_most), weight = __expf(score - new_most);
    const float2 value = __half22float2(__ldg(&values[static_cast<size_t>(token) * (kHead / 2) + lane]));
    sum.x = sum.x * shrink + weight * value.x;
    sum.y = sum.y * shrink + weight * value.y;
    total = total * shrink + weight;
    most = new_most;
  }
  shared_sums[warp][lane * 2] = sum.x;
  shared_sums[warp][lane * 2 + 1] = sum.y;
  if (lane == 0) {
    shared_most[warp] = most;
    shared_total[warp] = total;
  }
  __syncthreads();
  if (threadIdx.x < kHead) {
    const float all_most = fmaxf(fmaxf(shared_most[0], shared_most[1]), fmaxf(shared_most[2], shared_most[3]));
    float all = 0.0f, all_total = 0.0f;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float shrink = __expf(shared_most[i] - all_most);
      all += shared_sums[i][threadIdx.x] * shrink;
      all_total += shared_total[i] * shrink;
    }
    const int at = head * splits + split;
    partial[static_cast<size_t>(at) * kHead + threadIdx.x] = all;
    if (threadIdx.x == 0) partial_max_sum[at] = make_float2(all_most, all_total);
  }
}

// Puts the parts of decode_split together, one group per head.
__global__ void __launch_bounds__(kHead)
    decode_combine(int splits, const float* __restrict__ partial, const float2* __restrict__ partial_max_sum,
                   half* __restrict__ out) {
  const int head = blockIdx.x;
  float most = -1e30f;
  for (int i = 0; i < splits; ++i) most = fmaxf(most, partial_max_sum[head * splits + i].x);
  float sum = 0.0f, total = 0.0f;
  for (int i = 0; i < splits; ++i) {
    const float2 part = partial_max_sum[head * splits + i];
    const float weight = __expf(part.x - most);
    sum += weight * partial[static_cast<size_t>(head * splits + i) * kHead + threadIdx.x];
    total += weight * part.y;
  }
  out[head * kHead + threadIdx.x] = __float2half(__fdividef(sum, total));
}

// Decoding with pages: the keys of a sequence lie in blocks that a table names, and each sequence has its own length.
__global__ void __launch_bounds__(128)
    decode_paged(int heads, int pages_per_sequence, float scale, const half* __restrict__ q,
                 const half* __restrict__ key_pages, const half* __restrict__ value_pages,
                 const int* __restrict__ page_table, const int* __restrict__ lengths, half* __restrict__ out) {
  constexpr int kPage = 16;
  extern __shared__ float scores[];
  __shared__ float of_warps[4];
  const int head = blockIdx.x, sequence = blockIdx.y;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int length = lengths[sequence];
  const int* pages = page_table + sequence * pages_per_sequence;
  const float2 query =
      __half22float2(reinterpret_cast<const half2*>(q)[(sequence * heads + head) * (kHead / 2) + lane]);
  float most = -1e30f;
  for (int token = warp; token < length; token += 4) {
    const size_t at = (static_cast<size_t>(pages[token / kPage]) * heads + head) * kPage + token % kPage;
    const float2 key = __half22float2(reinterpret_cast<const half2*>(key_pages)[at * (kHead / 2) + lane]);
    float score = query.x * key.x + query.y * key.y;
#pragma unroll
    for (int step = 16; step > 0; step /= 2) score += __shfl_xor_sync(0xffffffffu, score, step);
    score *= scale;
    if (lane == 0) scores[token] = score;
    most = fmaxf(most, score);
  }
  if (lane == 0) of_warps[warp] = most;
  __syncthreads();
  most = fmaxf(fmaxf(of_warps[0], of_warps[1]), fmaxf(of_warps[2], of_warps[3]));
  __syncthreads();
  float total = 0.0f;
  for (int token = threadIdx.x; token < length; token += 128) {
    const float weight = __expf(scores[token] - most);
    scores[token] = weight;
    total += weight;
  }
#pragma unroll
  for (int step = 16; step > 0; step /= 2) total += __shfl_xor_sync(0xffffffffu, total, step);
  if (lane == 0) of_warps[warp] = total;
  __syncthreads();
  total = of_warps[0] + of_warps[1] + of_warps[2] + of_warps[3];
  const int part = threadIdx.x / kHead, element = threadIdx.x % kHead;
  float sum = 0.0f;
  for (int token = part; token < length; token += 2) {
    const size_t at = (static_cast<size_t>(pages[token / kPage]) * heads + head) * kPage + token % kPage;
    sum += scores[token] * __half2float(value_pages[at * kHead + element]);
  }
  __syncthreads();
  if (part == 1) scores[element] = sum;
  __syncthreads();
  if (part == 0) out[(sequence * heads + head) * kHead + element] = __float2half((sum + scores[element]) / total);
}
