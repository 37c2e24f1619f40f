#pragma once

#include "calls.hpp"

/// The functions of the runtime to which functions of the driver lead.

namespace warpipe::programs {

// ---- devices ----
WARPIPE_CALL cuda::Error cudaGetDeviceCount(int* count);
WARPIPE_CALL cuda::Error cudaDeviceGetAttribute(int* value, int attribute, int device);
WARPIPE_CALL cuda::Error cudaDeviceGetPCIBusId(char* text, int bytes, int device);
WARPIPE_CALL cuda::Error cudaDeviceCanAccessPeer(int* can, int device, int peer);
WARPIPE_CALL cuda::Error cudaDeviceSynchronize();
WARPIPE_CALL cuda::Error cudaDeviceSetLimit(int limit, std::size_t value);
WARPIPE_CALL cuda::Error cudaDeviceGetLimit(std::size_t* value, int limit);
WARPIPE_CALL cuda::Error cudaDeviceGetCacheConfig(int* config);
WARPIPE_CALL cuda::Error cudaDeviceSetCacheConfig(int config);
WARPIPE_CALL cuda::Error cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
WARPIPE_CALL cuda::Error cudaDriverGetVersion(int* version);

// ---- memory ----
WARPIPE_CALL cuda::Error cudaMalloc(void** pointer, std::size_t bytes);
WARPIPE_CALL cuda::Error cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags);
WARPIPE_CALL cuda::Error cudaMallocHost(void** pointer, std::size_t bytes);
WARPIPE_CALL cuda::Error cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags);
WARPIPE_CALL cuda::Error cudaMallocAsync(void** pointer, std::size_t bytes, void* handle);
WARPIPE_CALL cuda::Error cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t rows);
WARPIPE_CALL cuda::Error cudaFree(void* pointer);
WARPIPE_CALL cuda::Error cudaFreeAsync(void* pointer, void* handle);
WARPIPE_CALL cuda::Error cudaFreeHost(void* pointer);
WARPIPE_CALL cuda::Error cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags);
WARPIPE_CALL cuda::Error cudaHostUnregister(void* pointer);
WARPIPE_CALL cuda::Error cudaHostGetDevicePointer(void** device, void* host, unsigned flags);
WARPIPE_CALL cuda::Error cudaMemGetInfo(std::size_t* free, std::size_t* total);

// ---- streams, events and graphs ----
WARPIPE_CALL cuda::Error cudaStreamCreateWithPriority(void** handle, unsigned flags, int priority);
WARPIPE_CALL cuda::Error cudaStreamDestroy(void* handle);
WARPIPE_CALL cuda::Error cudaStreamSynchronize(void* handle);
WARPIPE_CALL cuda::Error cudaStreamQuery(void* handle);
WARPIPE_CALL cuda::Error cudaStreamWaitEvent(void* handle, void* event, unsigned flags);
WARPIPE_CALL cuda::Error cudaStreamGetFlags(void* handle, unsigned* flags);
WARPIPE_CALL cuda::Error cudaStreamGetPriority(void* handle, int* priority);
WARPIPE_CALL cuda::Error cudaLaunchHostFunc(void* handle, void (*function)(void*), void* data);
WARPIPE_CALL cuda::Error cudaStreamAddCallback(void* handle, void (*function)(void*, cuda::Error, void*), void* data,
                                               unsigned flags);
WARPIPE_CALL cuda::Error cudaEventCreateWithFlags(void** handle, unsigned flags);
WARPIPE_CALL cuda::Error cudaEventDestroy(void* handle);
WARPIPE_CALL cuda::Error cudaEventRecord(void* handle, void* stream);
WARPIPE_CALL cuda::Error cudaEventSynchronize(void* handle);
WARPIPE_CALL cuda::Error cudaEventQuery(void* handle);
WARPIPE_CALL cuda::Error cudaEventElapsedTime(float* milliseconds, void* from, void* to);
WARPIPE_CALL cuda::Error cudaStreamBeginCapture(void* handle, int mode);
WARPIPE_CALL cuda::Error cudaStreamEndCapture(void* handle, void** graph);
WARPIPE_CALL cuda::Error cudaStreamIsCapturing(void* handle, int* status);
WARPIPE_CALL cuda::Error cudaGraphInstantiate(void** made, void* graph);
WARPIPE_CALL cuda::Error cudaGraphLaunch(void* graph, void* handle);
WARPIPE_CALL cuda::Error cudaGraphDestroy(void* graph);

// ---- functions ----
WARPIPE_CALL cuda::Error cudaFuncSetAttribute(const void* function, int attribute, int value);
WARPIPE_CALL cuda::Error cudaFuncSetCacheConfig(const void* function, int config);
WARPIPE_CALL cuda::Error cudaFuncGetAttributes(cuda::FunctionAttributes* attributes, const void* function);
WARPIPE_CALL cuda::Error cudaFuncGetName(const char** name, const void* function);
WARPIPE_CALL cuda::Error cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* groups, const void* function, int threads,
                                                                       std::size_t shared);

}  // namespace warpipe::programs
