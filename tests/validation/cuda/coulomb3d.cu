// Direct Coulomb summation on a grid, in the variants of coulomb3d_gtx1070.csv: the potential of `atoms` charges at
// grid_size^3 points, added to what energy_grid holds. A thread has one (x, y) and kPoints points in z.
//
//   block     32 x 2 or the like: threads in x and y; any that divide the grid
//   grid      grid_size / block.x, grid_size / block.y, grid_size / kPoints
//   arguments atoms, atoms_xyzw (x, y, z, charge of each), atoms_x, atoms_y, atoms_z, atoms_w (the same as four
//             arrays: either the one or the four are read), spacing, grid_size, energy_grid
//
// An entry is coulomb3d_z_POINTS_unroll_N_soa_0|1: N is how far the loop over points is asked to be unrolled, 0 leaves
// it to the compiler; soa_1 reads the four arrays. Whether the sums of a thread lie in registers or in thread-private
// memory is for the compiler to say. Compile with -use_fast_math: coulomb3d.py does.

/// An atom adds its part to the sums of all points of a thread.
template <int kPoints, int kUnroll>
__device__ void add_atom(float4 atom, float x, float y, float z, float spacing, float (&sums)[kPoints]) {
  const float dx = x - atom.x, dy = y - atom.y;
  float dz = z - atom.z;
  const auto add_point = [&](int point) {
    sums[point] += atom.w * rsqrtf(dx * dx + dy * dy + dz * dz);
    dz += spacing;
  };
  if constexpr (kUnroll == 0) {
    for (int point = 0; point < kPoints; ++point) add_point(point);
  } else {
#pragma unroll kUnroll
    for (int point = 0; point < kPoints; ++point) add_point(point);
  }
}

template <int kPoints, int kUnroll, bool kSoa>
__device__ void coulomb3d(int atoms, const float4* atoms_xyzw, const float* atoms_x, const float* atoms_y,
                          const float* atoms_z, const float* atoms_w, float spacing, int grid_size,
                          float* energy_grid) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int slice = blockIdx.z * kPoints;
  float sums[kPoints] = {};
  for (int i = 0; i < atoms; ++i) {
    const float4 atom = kSoa ? make_float4(atoms_x[i], atoms_y[i], atoms_z[i], atoms_w[i]) : atoms_xyzw[i];
    add_atom<kPoints, kUnroll>(atom, spacing * column, spacing * row, spacing * slice, spacing, sums);
  }
  for (int point = 0; point < kPoints; ++point)
    energy_grid[((slice + point) * grid_size + row) * grid_size + column] += sums[point];
}

#define ENTRY(points, unroll, soa)                                                                               \
  extern "C" __global__ void coulomb3d_z_##points##_unroll_##unroll##_soa_##soa(                                 \
      int atoms, const float4* atoms_xyzw, const float* atoms_x, const float* atoms_y, const float* atoms_z,     \
      const float* atoms_w, float spacing, int grid_size, float* energy_grid) {                                  \
    coulomb3d<points, unroll, soa>(atoms, atoms_xyzw, atoms_x, atoms_y, atoms_z, atoms_w, spacing, grid_size,    \
                                   energy_grid);                                                                 \
  }
#define ENTRIES(points, unroll) ENTRY(points, unroll, 0) ENTRY(points, unroll, 1)

ENTRIES(1, 0)
ENTRIES(2, 0) ENTRIES(2, 1)
ENTRIES(4, 0) ENTRIES(4, 1) ENTRIES(4, 2)
ENTRIES(8, 0) ENTRIES(8, 1) ENTRIES(8, 2) ENTRIES(8, 4)
ENTRIES(16, 0) ENTRIES(16, 1) ENTRIES(16, 2) ENTRIES(16, 4) ENTRIES(16, 8)
ENTRIES(32, 0) ENTRIES(32, 1) ENTRIES(32, 2) ENTRIES(32, 4) ENTRIES(32, 8) ENTRIES(32, 16)
