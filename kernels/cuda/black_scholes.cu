// Black-Scholes: prices of European call and put options.

// The cumulative normal distribution by the polynomial of Abramowitz and Stegun, 26.2.17.
__device__ float cumulative_normal(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float polynomial =
      k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.39894228f * __expf(-0.5f * d * d) * polynomial;
  return d > 0.0f ? 1.0f - tail : tail;
}

// One option a thread, with the fast exponential and logarithm and the exact square root and division.
// Launch: block (128), grid (ceil(n / 128)); any block size works.
// Arguments: n options; rate, volatility; price, strike, years: n floats each; call, put: n floats each, written.
extern "C" __global__ void black_scholes(int n, float rate, float volatility, const float* __restrict__ price,
                                         const float* __restrict__ strike, const float* __restrict__ years,
                                         float* __restrict__ call, float* __restrict__ put) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  const float s = price[i];
  const float x = strike[i];
  const float t = years[i];
  const float spread = volatility * sqrtf(t);
  const float d1 = (__logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / spread;
  const float d2 = d1 - spread;
  const float n1 = cumulative_normal(d1);
  const float n2 = cumulative_normal(d2);
  const float discounted = x * __expf(-rate * t);
  call[i] = s * n1 - discounted * n2;
  put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}
