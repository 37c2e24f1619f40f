// Sums of floats and the least of two whole numbers that all lanes share: in uniform registers from 12.0 on.
extern "C" __global__ void sums(const float *f, float *to, float a, float b, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float r = f[i] * to[i];
    to[i] = r - (a + b) * f[i + n];
  }
}
extern "C" __global__ void least(float *to, unsigned long n, unsigned long m) {
  const unsigned long most = n < m ? n : m;
  for (unsigned long i = threadIdx.x; i < most; i += 32) to[i] = 1;
}
