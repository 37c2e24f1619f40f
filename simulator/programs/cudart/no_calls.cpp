// An empty library under the name of CUDA's runtime or driver, requested by programs from the loader. The functions
// come from libwarpipe_cudart.so, loaded before.
