// Rows whose pitch nobody says: in elements and in bytes, of 32 and 64 bits, multiplied and added by loops.
#define X (blockIdx.x * blockDim.x + threadIdx.x)
#define Y (blockIdx.y * blockDim.y + threadIdx.y)
#define KERNEL extern "C" __global__ void

KERNEL elements(const float *a, float *o, int pitch) { o[Y * pitch + X] = 2 * a[Y * pitch + X]; }
KERNEL wide_elements(const float *a, float *o, size_t pitch) { o[Y * pitch + X] = 2 * a[Y * pitch + X]; }
KERNEL bytes(const char *a, char *o, int pitch) {
  *(float *)(o + (int)Y * pitch + 4 * (int)X) = 2 * *(const float *)(a + (int)Y * pitch + 4 * (int)X);
}
KERNEL wide_bytes(const char *a, char *o, size_t of_a, size_t of_o) {
  ((float *)(o + Y * of_o))[X] = 2 * ((const float *)(a + Y * of_a))[X];
}
KERNEL slices(const float *a, float *o, size_t row, size_t slice) {
  o[blockIdx.z * slice + Y * row + X] = 2 * a[blockIdx.z * slice + Y * row + X];
}
KERNEL chosen(const float *a, const float *b, float *o, int pitch) {
  const float *from = (Y & 1) ? a : b;
  o[Y * pitch + X] = 2 * from[Y * pitch + X];
}
KERNEL wide_chosen(const float *a, const float *b, float *o, size_t pitch) {
  const float *from = (X & 32) ? a : b;
  o[Y * pitch + X] = 2 * from[Y * pitch + X];
}
KERNEL unrolled(const float *a, float *o, int pitch) {
  float sum = 0;
  for (int i = 0; i < 64; i++) sum += a[i * pitch + X];
  o[X] = sum;
}
KERNEL added(const char *a, float *o, size_t pitch) {
  float sum = 0;
  a += 4 * X;
#pragma unroll 1
  for (int i = 0; i < 64; i++, a += pitch) sum += *(const float *)a;
  o[X] = sum;
}
KERNEL added_in_one_go(const char *a, float *o, size_t pitch) {
  float sum = 0;
  a += 4 * X;
  for (int i = 0; i < 8; i++, a += pitch) sum += *(const float *)a;
  o[X] = sum;
}
KERNEL sized(const float *a, float *o, int pitch, int n) {
  if (X < n) o[Y * pitch + X] = 2 * a[Y * pitch + X];
}
KERNEL sized_before(const float *a, float *o, int n, int pitch) {
  if (X < n) o[Y * pitch + X] = 2 * a[Y * pitch + X];
}
KERNEL rows_of_images(const char *a, char *o, size_t pitch, int width, int height) {
  if (X < width && Y < height) ((float *)(o + Y * pitch))[X] = 2 * ((const float *)(a + Y * pitch))[X];
}
KERNEL hashed(const unsigned *keys, unsigned *o, unsigned mask, unsigned n) {
  if (X < n) o[(X * 2654435761u) & mask] = keys[X];
}
KERNEL hashed_behind(const unsigned *keys, unsigned *o, unsigned n, unsigned mask) {
  if (X < n) o[(X * 2654435761u) & mask] = keys[X];
}
// What follows loads both arguments at once.
KERNEL clamped(const float *a, float *o, int pitch, int n) {
  int x = min((int)X, n - 1);
  o[Y * pitch + x] = 2 * a[Y * pitch + x];
}
KERNEL clamped_before(const float *a, float *o, int n, int pitch) {
  int x = min((int)X, n - 1);
  o[Y * pitch + x] = 2 * a[Y * pitch + x];
}
KERNEL all_hashed(const unsigned *keys, unsigned *o, unsigned mask, unsigned n) {
  o[(X * 2654435761u) & mask] = keys[min(X, n - 1)];
}
KERNEL all_hashed_behind(const unsigned *keys, unsigned *o, unsigned n, unsigned mask) {
  o[(X * 2654435761u) & mask] = keys[min(X, n - 1)];
}
KERNEL strided(const float *a, float *o, size_t n, size_t stride) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n) o[i] = 2 * a[i * stride];
}
KERNEL batches(const float *a, float *o, long long of_a, long long of_o) {
  a += blockIdx.x * of_a, o += blockIdx.x * of_o;
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) o[i] = 2 * a[i];
}
