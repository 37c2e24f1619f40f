// Bitonic sort, one step a launch.

// Every thread whose partner (its index with one bit flipped) lies above it puts the two keys into the order that their
// run wants. The whole sort is a launch for each k = 2, 4 ... n and, within, each j = k / 2, k / 4 ... 1. Whether a
// pair is exchanged depends on the data.
// Launch: block (256), grid (n / 256); n is a power of two.
// Arguments: keys: n floats; j: the distance of the partners; k: the length of the runs.
extern "C" __global__ void bitonic_step(float* keys, unsigned j, unsigned k) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned partner = i ^ j;
  if (partner <= i) {
    return;
  }
  const float low = keys[i];
  const float high = keys[partner];
  const bool ascending = (i & k) == 0;
  if ((low > high) == ascending) {
    keys[i] = high;
    keys[partner] = low;
  }
}
