// What programs ask the loader for by the name of CUDA's runtime or driver. Its functions are those of
// libwarpipe_cudart.so, which is loaded before; here is only what they are asked for by.
