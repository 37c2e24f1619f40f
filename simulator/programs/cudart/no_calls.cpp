// An empty library under the name of CUDA's runtime or driver, for programs that ask the loader for it. Its functions
// come from libwarpipe_cudart.so, which is loaded before.
