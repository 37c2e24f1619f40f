// N-body: the acceleration that every body gets from all bodies, softened so that a body does not act on itself.

// One body a thread; the bodies pass through shared memory, 256 at a time. An interaction is three
// subtractions, three multiply-adds, a reciprocal square root, three multiplications and three multiply-adds.
// Launch: block (256), grid (n / 256); n is a multiple of 256.
// Arguments: n; softening, squared; bodies: n times x, y, z, mass (16 bytes); acceleration: n times x, y, z, 0 (16
// bytes).
extern "C" __global__ void nbody(int n, float softening, const float4* bodies, float4* acceleration) {
  __shared__ float4 tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float4 own = bodies[i];
  float ax = 0.0f;
  float ay = 0.0f;
  float az = 0.0f;
#pragma unroll 1
  for (int first = 0; first < n; first += 256) {
    tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (int j = 0; j < 256; ++j) {
      const float4 other = tile[j];
      const float dx = other.x - own.x;
      const float dy = other.y - own.y;
      const float dz = other.z - own.z;
      const float inverse = rsqrtf(dx * dx + (dy * dy + (dz * dz + softening)));
      const float pull = other.w * inverse * inverse * inverse;
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
    }
    __syncthreads();
  }
  acceleration[i] = make_float4(ax, ay, az, 0.0f);
}
