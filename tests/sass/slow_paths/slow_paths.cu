// Divisions, roots and angles of loaded numbers: the slow paths are for infinite, very large and very small ones.
extern "C" __global__ void quotient(const double *of, double *to) { to[threadIdx.x] = to[threadIdx.x] / of[threadIdx.x]; }
extern "C" __global__ void root(const double *of, double *to) { to[threadIdx.x] = sqrt(of[threadIdx.x]) + 1 / of[threadIdx.x]; }
extern "C" __global__ void quotient_of_floats(const float *of, float *to) { to[threadIdx.x] = 1 / of[threadIdx.x]; }
extern "C" __global__ void sine(const float *of, float *to) { to[threadIdx.x] = sinf(of[threadIdx.x]); }
