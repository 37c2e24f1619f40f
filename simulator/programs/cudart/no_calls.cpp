// What programs ask the loader for by the name of CUDA's runtime. Its functions are those of libwarpipe_cudart.so,
// which is loaded before; here is only the version that they are asked for by.
