// One round of all shortest paths, by way of node `via`. Few threads find a shorter path, and store.
extern "C" __global__ void floydwarshall(unsigned* lengths, unsigned* last_hops, unsigned nodes, unsigned via) {
  const unsigned to = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned from = blockIdx.y * blockDim.y + threadIdx.y;
  const int known = lengths[from * nodes + to];
  const int through = lengths[from * nodes + via] + lengths[via * nodes + to];
  if (through < known) {
    lengths[from * nodes + to] = through;
    last_hops[from * nodes + to] = via;
  }
}
