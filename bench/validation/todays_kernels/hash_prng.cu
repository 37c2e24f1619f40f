// Hash tables, hash functions and random numbers.
#include <cuda_runtime.h>

#include <cstdint>

namespace {

constexpr uint64_t kEmpty = ~uint64_t{0};

__device__ __forceinline__ uint32_t murmur_mix(uint32_t h) {
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  h *= 0xc2b2ae35u;
  return h ^ h >> 16;
}

// Philox 4x32 with ten rounds.
__device__ __forceinline__ uint4 philox(uint4 counter, uint2 key) {
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const uint32_t high0 = __umulhi(0xd2511f53u, counter.x), low0 = 0xd2511f53u * counter.x;
    const uint32_t high1 = __umulhi(0xcd9e8d57u, counter.z), low1 = 0xcd9e8d57u * counter.z;
    counter = make_uint4(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return counter;
}

__device__ __forceinline__ float uniform(uint32_t bits) { return (bits >> 8) * 0x1p-24f + 0x1p-25f; }

__constant__ uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

__device__ __forceinline__ uint32_t rotate_right(uint32_t v, int by) { return __funnelshift_r(v, v, by); }

}  // namespace

// Inserts keys and values into a table with open addresses, probing one place after the other.
__global__ void __launch_bounds__(256)
    hash_insert(int count, uint32_t mask, const uint32_t* __restrict__ keys, const uint32_t* __restrict__ values,
                unsigned long long* __restrict__ table) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const uint32_t key = keys[i];
  const unsigned long long entry = static_cast<unsigned long long>(key) << 32 | values[i];
  uint32_t at = murmur_mix(key) & mask;
  while (true) {
    const unsigned long long before = atomicCAS(&table[at], kEmpty, entry);
    if (before == kEmpty || static_cast<uint32_t>(before >> 32) == key) return;
    at = (at + 1) & mask;
  }
}

// Looks keys up: four lanes per key read four places at once and vote.
__global__ void __launch_bounds__(256) hash_probe(int count, uint32_t mask, const uint32_t* __restrict__ keys,
                                                  const uint64_t* __restrict__ table, uint32_t* __restrict__ found) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 4, lane = threadIdx.x % 4;
  if (i >= count) return;
  const uint32_t key = keys[i];
  const unsigned lanes = 0xfu << (threadIdx.x % 32 / 4 * 4);
  uint32_t at = murmur_mix(key) & mask & ~3u;
  while (true) {
    const uint64_t entry = table[at + lane];
    const bool hit = static_cast<uint32_t>(entry >> 32) == key && entry != kEmpty;
    if (__ballot_sync(lanes, hit) != 0) {
      if (hit) found[i] = static_cast<uint32_t>(entry);
      return;
    }
    if (__ballot_sync(lanes, entry == kEmpty) != 0) {
      if (lane == 0) found[i] = 0xffffffffu;
      return;
    }
    at = (at + 4) & mask;
  }
}

// Normal random numbers: Philox and Box-Muller, four per counter, written as one float4.
__global__ void __launch_bounds__(256)
    philox_normal(int quads, uint64_t seed, uint64_t offset, float mean, float deviation, float4* __restrict__ out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
    const uint64_t at = offset + i;
    const uint4 r = philox(make_uint4(static_cast<uint32_t>(at), static_cast<uint32_t>(at >> 32), 0, 0),
                           make_uint2(static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)));
    const float a = sqrtf(-2.0f * __logf(uniform(r.x))), b = sqrtf(-2.0f * __logf(uniform(r.z)));
    float sa, ca, sb, cb;
    __sincosf(6.283185307f * uniform(r.y), &sa, &ca);
    __sincosf(6.283185307f * uniform(r.w), &sb, &cb);
    out[i] = make_float4(mean + deviation * a * ca, mean + deviation * a * sa, mean + deviation * b * cb,
                         mean + deviation * b * sb);
  }
}

// Dropout: a mask of random bits from Philox, kept elements are scaled.
__global__ void __launch_bounds__(256)
    philox_dropout(int quads, float keep, uint64_t seed, const float4* __restrict__ in, float4* __restrict__ out,
                   uchar4* __restrict__ mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= quads) return;
  const uint4 r = philox(make_uint4(i, 0, 0, 0), make_uint2(static_cast<uint32_t>(seed), 0));
  const float scale = 1.0f / keep;
  const uchar4 m = make_uchar4(uniform(r.x) < keep, uniform(r.y) < keep, uniform(r.z) < keep, uniform(r.w) < keep);
  const float4 v = in[i];
  out[i] = make_float4(m.x ? v.x * scale : 0.0f, m.y ? v.y * scale : 0.0f, m.z ? v.z * scale : 0.0f,
                       m.w ? v.w * scale : 0.0f);
  mask[i] = m;
}

// Uniform numbers by xorshift, the state of each thread is kept between launches.
__global__ void __launch_bounds__(256)
    xorshift_uniform(int per_thread, uint4* __restrict__ states, float* __restrict__ out) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  uint4 s = states[thread];
  for (int i = 0; i < per_thread; ++i) {
    const uint32_t t = s.x ^ s.x << 11;
    s = make_uint4(s.y, s.z, s.w, s.w ^ s.w >> 19 ^ t ^ t >> 8);
    out[static_cast<size_t>(i) * threads + thread] = uniform(s.w);
  }
  states[thread] = s;
}

// SHA-256 of a block that holds a nonce: each thread tries some, the best is kept by an atomic minimum.
__global__ void __launch_bounds__(128) sha256_search(const uint32_t* __restrict__ header, uint32_t first,
                                                     int per_thread, unsigned long long* __restrict__ best) {
  uint32_t start[8], words[16];
#pragma unroll
  for (int i = 0; i < 8; ++i) start[i] = header[i];
#pragma unroll
  for (int i = 0; i < 16; ++i) words[i] = header[8 + i];
  unsigned long long mine = ~0ull;
  for (int n = 0; n < per_thread; ++n) {
    const uint32_t nonce = first + n * gridDim.x * blockDim.x + blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t w[16], s[8];
#pragma unroll
    for (int i = 0; i < 16; ++i) w[i] = words[i];
    w[3] = nonce;
#pragma unroll
    for (int i = 0; i < 8; ++i) s[i] = start[i];
#pragma unroll
    for (int round = 0; round < 64; ++round) {
      if (round >= 16) {
        const uint32_t a = w[(round + 1) & 15], b = w[(round + 14) & 15];
        w[round & 15] += (rotate_right(a, 7) ^ rotate_right(a, 18) ^ a >> 3) + w[(round + 9) & 15] +
                         (rotate_right(b, 17) ^ rotate_right(b, 19) ^ b >> 10);
      }
      const uint32_t t1 = s[7] + (rotate_right(s[4], 6) ^ rotate_right(s[4], 11) ^ rotate_right(s[4], 25)) +
                          ((s[4] & s[5]) ^ (~s[4] & s[6])) + round_constants[round] + w[round & 15];
      const uint32_t t2 = (rotate_right(s[0], 2) ^ rotate_right(s[0], 13) ^ rotate_right(s[0], 22)) +
                          ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
#pragma unroll
      for (int i = 7; i > 0; --i) s[i] = s[i - 1];
      s[4] += t1;
      s[0] = t1 + t2;
    }
    mine = min(mine, static_cast<unsigned long long>(s[0] + start[0]) << 32 | nonce);
  }
#pragma unroll
  for (int step = 16; step > 0; step /= 2) mine = min(mine, __shfl_xor_sync(0xffffffffu, mine, step));
  if (threadIdx.x % 32 == 0) atomicMin(best, mine);
}

// Murmur3 of records of a fixed number of words, a thread per record.
__global__ void __launch_bounds__(256) murmur_records(int records, int words, uint32_t seed,
                                                      const uint32_t* __restrict__ in, uint32_t* __restrict__ hashes) {
  const int record = blockIdx.x * blockDim.x + threadIdx.x;
  if (record >= records) return;
  uint32_t h = seed;
  for (int i = 0; i < words; ++i) {
    uint32_t k = in[static_cast<size_t>(record) * words + i] * 0xcc9e2d51u;
    k = rotate_right(k, 17) * 0x1b873593u;
    h = rotate_right(h ^ k, 19) * 5 + 0xe6546b64u;
  }
  hashes[record] = murmur_mix(h ^ words * 4);
}
