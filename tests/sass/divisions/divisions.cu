// Divisions by a parameter, as compilers make them of a reciprocal in floats: stores whose places tell the quotient.
extern "C" __global__ void signed_quotient(int *to, int by) { to[blockIdx.x / by * 32 + threadIdx.x] = 1; }
extern "C" __global__ void quotient(int *to, unsigned by) { to[blockIdx.x / by * 32 + threadIdx.x] = 1; }
extern "C" __global__ void rest(int *to, unsigned by) { to[blockIdx.x % by * 32 + threadIdx.x] = 1; }

// A place in a ring. The compiler makes 16 moves a trip of it.
extern "C" __global__ void ring(const float *from, float *to, int trips, int places) {
  float sum = 0;
  int place = threadIdx.x;
  for (int trip = 0; trip < trips; ++trip) {
    sum += __ldcg(from + place);
    place += 96;
    if (place >= places) place -= places;
  }
  to[threadIdx.x] = sum;
}
