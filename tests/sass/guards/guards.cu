// Kernels whose last elements are guarded, and whose numbers are wanted as whole ones and as floats in turn: compilers
// write registers under a predicate there, load neighbouring parameters at once, and keep one register for both kinds.
// Asked for by guards_test.cpp, which says what each parameter is.

extern "C" __global__ void scaled(const float *x, float *y, int n, float scale) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = scale * x[i];
}

// A loop over n, then eight guarded stores: the sums of a thread lie in its stack.
extern "C" __global__ void summed_charges(const float4 *atoms, int n, float spacing, int size, float *grid) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.y * 8;
  if (x >= size) return;
  float sums[8];
  for (int i = 0; i < 8; i++) sums[i] = 0;
  for (int i = 0; i < n; i++) {
    float dx = spacing * x - atoms[i].x, dy = spacing * x - atoms[i].y, dz = spacing * z - atoms[i].z;
#pragma unroll 1
    for (int j = 0; j < 8; j++) {
      sums[j] += atoms[i].w * rsqrtf(dx * dx + dy * dy + dz * dz);
      dz += spacing;
    }
  }
  for (int i = 0; i < 8; i++)
    if (z + i < size) grid[(z + i) * size + x] += sums[i];
}

// Four elements per thread, the last ones one by one.
extern "C" __global__ void four_each(const float4 *x, float4 *y, int n, float a, float b) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (first + 3 < n) {
    const float4 v = x[first / 4];
    y[first / 4] = make_float4(a * v.x + b, a * v.y + b, a * v.z + b, a * v.w + b);
    return;
  }
  for (int i = first; i < n; i++) ((float *)y)[i] = a * ((const float *)x)[i] + b;
}

// The scale is chosen before it is used, and n counts trips.
extern "C" __global__ void chosen(const float *x, float *y, int n, float low, int trips, float high) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < n ? x[i] : 0.0f;
  const float scale = i & 1 ? low : high;
  for (int k = 0; k < trips; k++) sum = sum * scale + low;
  if (i < n) y[i] = sum;
}

// A reciprocal looks at the bits of its number as at a whole one.
extern "C" __global__ void divided(const float *x, float *y, int n, float by, float root) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = x[i] * (1.0f / by) + sqrtf(root);
}

extern "C" __global__ void of_doubles(const double *x, double *y, long long n, double a, int stride, double b) {
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) y[i] = a * x[i] + b;
}

// n is converted: that makes it no float.
extern "C" __global__ void mean(const float *x, float *y, int n, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += x[k * rows + row];
  y[row] = sum / (float)n;
}

// A sign is turned and taken away, a number clamped.
extern "C" __global__ void clamped(const float *x, float *y, int width, int height, float least, float most) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < width && j < height) y[j * width + i] = fminf(fmaxf(-x[j * width + i], -least), fabsf(most));
}

// Two guarded stores under different conditions of two numbers.
extern "C" __global__ void two_tails(const float *x, float *y, float *z, int n, int m, float a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0;
  if (i < n) v = a * x[i];
  if (i < n) y[i] = v;
  if (i < m) z[i] = v + a;
}

// A whole number's bits become a float where a flag says so.
extern "C" __global__ void filled(float *y, int n, int flag, float value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = flag != 0 ? value : value * y[i];
}

// The bound is a field of no structure, but follows a float: both are loaded at once.
extern "C" __global__ void rows_of(const float *x, float *y, float scale, int columns, float shift, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  for (int k = 0; k < columns; k++) y[row * columns + k] = scale * x[row * columns + k] - shift;
}

// Tiles in shared memory, with guarded loads and stores.
extern "C" __global__ void tiled(const float *x, float *y, int n, float alpha) {
  __shared__ float tile[16][17];
  const int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = i < n && j < n ? alpha * x[j * n + i] : 0.0f;
  __syncthreads();
  const int s = blockIdx.y * 16 + threadIdx.x, t = blockIdx.x * 16 + threadIdx.y;
  if (s < n && t < n) y[t * n + s] = tile[threadIdx.x][threadIdx.y];
}

// Where it reaches is data.
extern "C" __global__ void gathered(const int *index, const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[index[i]];
}

// The quotients of very large and small numbers take a way of their own.
extern "C" __global__ void quotients(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] / y[i];
}
