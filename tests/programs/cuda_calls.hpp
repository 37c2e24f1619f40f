#pragma once

#include <cstddef>
#include <cstdint>

/// Calls of CUDA's runtime, declared as in its reference: no header of a toolkit is needed.

struct dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
};

struct Extent {
  std::size_t width = 0, height = 0, depth = 0;
};
struct Copy3D {
  void* from_array;
  std::size_t from_position[3];
  struct {
    void* pointer;
    std::size_t pitch, width, height;
  } from;
  void* to_array;
  std::size_t to_position[3];
  struct {
    void* pointer;
    std::size_t pitch, width, height;
  } to;
  Extent extent;
  int kind;
};

extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int limit, void*, void*,
                            void*, void*, int*);
void __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int, std::size_t bytes, int, int);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, void* stream);
int __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream);
int cudaMalloc(void** pointer, std::size_t bytes);
int cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags);
int cudaMallocHost(void** pointer, std::size_t bytes);
int cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t rows);
int cudaFree(void* pointer);
int cudaFreeHost(void* pointer);
int cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags);
int cudaHostUnregister(void* pointer);
int cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind);
int cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, void* stream);
int cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                 std::size_t rows, int kind);
int cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int kind);
int cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset, int kind);
int cudaMemset(void* to, int value, std::size_t bytes);
int cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t rows);
int cudaMemGetInfo(std::size_t* free, std::size_t* total);
int cudaPointerGetAttributes(void* attributes, const void* pointer);
int cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared, void* stream);
int cudaFuncSetAttribute(const void* function, int attribute, int value);
int cudaFuncGetAttributes(void* attributes, const void* function);
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* groups, const void* function, int threads, std::size_t shared);
int cudaStreamCreate(void** stream);
int cudaStreamDestroy(void* stream);
int cudaStreamSynchronize(void* stream);
int cudaStreamWaitEvent(void* stream, void* event, unsigned flags);
int cudaStreamBeginCapture(void* stream, int mode);
int cudaStreamEndCapture(void* stream, void** graph);
int cudaGraphInstantiate(void** made, void* graph, unsigned long long flags);
int cudaGraphLaunch(void* graph, void* stream);
int cudaGraphDestroy(void* graph);
int cudaGraphExecDestroy(void* graph);
int cudaEventCreate(void** event);
int cudaEventRecord(void* event, void* stream);
int cudaEventDestroy(void* event);
int cudaEventSynchronize(void* event);
int cudaEventElapsedTime(float* milliseconds, void* from, void* to);
int cudaGetDeviceCount(int* count);
int cudaSetDevice(int device);
int cudaGetDeviceProperties(void* properties, int device);
int cudaDeviceGetAttribute(int* value, int attribute, int device);
int cudaDeviceSynchronize();
int cudaDeviceReset();
int cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version, unsigned long long flags,
                                     int* status);
int cudaGetLastError();
int cudaPeekAtLastError();
const char* cudaGetErrorName(int error);
const char* cudaGetErrorString(int error);
int cudaCreateTextureObject(std::uint64_t* object, const void* resource, const void* format, const void* view);
int cudaDestroyTextureObject(std::uint64_t object);
int cudaCreateSurfaceObject(std::uint64_t* object, const void* resource);
int cudaMallocArray(void** array, const void* format, std::size_t width, std::size_t height, unsigned flags);
int cudaMalloc3DArray(void** array, const void* format, Extent extent, unsigned flags);
int cudaMallocMipmappedArray(void** array, const void* format, Extent extent, unsigned levels, unsigned flags);
int cudaFreeArray(void* array);
int cudaMemcpy2DToArray(void* array, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                        std::size_t width, std::size_t rows, int kind);
int cudaMemcpy2DFromArray(void* to, std::size_t pitch, const void* array, std::size_t x, std::size_t y,
                          std::size_t width, std::size_t rows, int kind);
int cudaMemcpy3D(const Copy3D* copy);
}

inline constexpr int kToDevice = 1, kToHost = 2;
