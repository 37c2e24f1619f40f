// The potential of atoms at the points of a cube, as a space of variants: a kernel of our own after the description of
// the kernel that was timed (README.md). The macros Z_ITERATIONS (points of a thread), INNER_UNROLL_FACTOR (0: as the
// compiler likes) and USE_SOA choose the variant; the block is no macro of this source.

constexpr int kEdge = 256;                    // points along an edge
constexpr int kUnrolled = INNER_UNROLL_FACTOR;  // nvcc takes no macro for it

extern "C" __global__ void coulomb(const float4 *__restrict__ atoms, const float *__restrict__ atoms_x,
                                   const float *__restrict__ atoms_y, const float *__restrict__ atoms_z,
                                   const float *__restrict__ charges, int count, float spacing, float *energies) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * Z_ITERATIONS;
  float at_x = spacing * x, at_y = spacing * y, at_z = spacing * z;
  float sums[Z_ITERATIONS];
  for (int i = 0; i < Z_ITERATIONS; i++) sums[i] = 0;
  for (int atom = 0; atom < count; atom++) {
#if USE_SOA
    float4 other = {atoms_x[atom], atoms_y[atom], atoms_z[atom], charges[atom]};
#else
    float4 other = atoms[atom];
#endif
    float dx = at_x - other.x, dy = at_y - other.y, dz = at_z - other.z;
    float in_plane = dx * dx + dy * dy;
#if INNER_UNROLL_FACTOR > 0
#pragma unroll kUnrolled
#endif
    for (int i = 0; i < Z_ITERATIONS; i++) {
      sums[i] += other.w * rsqrtf(in_plane + dz * dz);
      dz += spacing;
    }
  }
  for (int i = 0; i < Z_ITERATIONS; i++) energies[(z + i) * kEdge * kEdge + y * kEdge + x] += sums[i];
}
