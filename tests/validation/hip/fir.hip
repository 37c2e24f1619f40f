// A filter: each thread sums its own window of the samples; what lies before the first sample is in `history`.
extern "C" __global__ void fir(float* filtered, const float* weights, const float* samples, const float* history,
                               unsigned taps) {
  const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned tap = 0; tap < taps; ++tap) {
    const float sample = at >= tap ? samples[at - tap] : history[taps - (tap - at)];
    sum += weights[tap] * sample;
  }
  filtered[at] = sum;
}
