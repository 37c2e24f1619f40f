// A transpose of float4: each thread moves a square of 4 x 4 numbers through local memory. The groups of a row of the
// grid start in different columns. `width` and `height` count float4.
extern "C" __global__ void matrixtranspose(float4* out, const float4* in, unsigned width, unsigned height,
                                           unsigned groups_x) {
  extern __shared__ float4 tile[];
  const unsigned side = blockDim.x, x = threadIdx.x, y = threadIdx.y;
  const unsigned row = blockIdx.x, column = (blockIdx.x + blockIdx.y) % groups_x;

  const unsigned from = column * side + x + (row * side + y) * width * 4;
  float4* mine = tile + y * side * 4 + x;
  for (unsigned i = 0; i < 4; ++i) mine[i * side] = in[from + i * width];
  __syncthreads();

  const float4* theirs = tile + x * side * 4 + y;
  const float4 a = theirs[0], b = theirs[side], c = theirs[2 * side], d = theirs[3 * side];
  const unsigned to = row * side + x + (column * side + y) * height * 4;
  out[to] = make_float4(a.x, b.x, c.x, d.x);
  out[to + height] = make_float4(a.y, b.y, c.y, d.y);
  out[to + 2 * height] = make_float4(a.z, b.z, c.z, d.z);
  out[to + 3 * height] = make_float4(a.w, b.w, c.w, d.w);
}
