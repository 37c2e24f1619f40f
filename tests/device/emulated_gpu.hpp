#pragma once

/// A GPU for the tests of the measurement suite, on the host: two units, warps of 32 lanes, groups in turn, each thread
/// a fiber that runs to the next barrier. Time is counted, not measured, for rows known in advance: a step
/// (measure::opaque) is a cycle and a nanosecond of its thread, a look at the clock is 1000, and a launch takes 1000
/// nanoseconds, a nanosecond per group and the time of its longest thread.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __shared__ static
#define __launch_bounds__(...)

#define GPU(name) ::emulated::name
#define WARPIPE_PTX 0
#define GPU_LAUNCH(kernel, grid, block, local_bytes, ...) \
  ::emulated::launch((grid), (block), (local_bytes), [&] { kernel(__VA_ARGS__); })

#define GPU_DYNAMIC_SHARED(Type, name) Type* const name = reinterpret_cast<Type*>(::emulated::dynamic_shared)

struct dim3 {
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1) : x(x_), y(y_) {}
  unsigned x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

namespace emulated {

extern unsigned char* dynamic_shared;  ///< of the running launch
constexpr int kUnits = 2;
constexpr int kWarpSize = 32;
constexpr int kWarpsOfUnit = 16;
constexpr int kGroupsOfUnit = 8;
constexpr int kThreadsOfGroup = 256;
constexpr std::size_t kLocalBytesOfUnit = 16384;
constexpr std::size_t kLocalBytesOfGroup = 12288;
constexpr std::size_t kLocalAllocation = 256;
constexpr std::size_t kL2Bytes = 64 * 1024;
constexpr std::size_t kMemoryBytes = 256 * 1024 * 1024;

using Error_t = int;
constexpr Error_t Success = 0;
const char* GetErrorString(Error_t error);
Error_t GetLastError();

struct DeviceProp_t {
  char name[32];
  int major, minor, multiProcessorCount, warpSize, maxThreadsPerBlock, l2CacheSize;
  std::size_t sharedMemPerBlockOptin;
};
struct FuncAttributes {
  std::size_t sharedSizeBytes;
};
enum Attribute { FuncAttributeMaxDynamicSharedMemorySize, FuncAttributePreferredSharedMemoryCarveout };
enum Direction { MemcpyHostToDevice, MemcpyDeviceToHost };
struct Event_t {
  double ns;
};

Error_t SetDevice(int device);
Error_t GetDeviceProperties(DeviceProp_t* properties, int device);
Error_t DriverGetVersion(int* version);
Error_t MemGetInfo(std::size_t* free_bytes, std::size_t* all_bytes);
Error_t FuncGetAttributes(FuncAttributes* attributes, const void* kernel);
Error_t FuncSetAttribute(const void* kernel, Attribute attribute, int value);
Error_t OccupancyMaxActiveBlocksPerMultiprocessor(int* groups, const void* kernel, int group_size, std::size_t bytes);
Error_t Malloc(void** memory, std::size_t bytes);
Error_t Free(void* memory);
Error_t Memset(void* memory, int byte, std::size_t bytes);
Error_t Memcpy(void* to, const void* from, std::size_t bytes, Direction direction);
Error_t EventCreate(Event_t* event);
Error_t EventDestroy(Event_t event);
Error_t EventRecord(Event_t& event, void* stream);
Error_t EventSynchronize(Event_t event);
Error_t EventElapsedTime(float* milliseconds, Event_t start, Event_t stop);

void launch(dim3 grid, dim3 block, std::size_t local_bytes, const std::function<void()>& thread);
void step();
template <class T>
void step(T&) {
  step();
}

inline float as_number(unsigned bits) {
  float number;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}
inline unsigned as_bits(float number) {
  unsigned bits;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

}  // namespace emulated

extern dim3 threadIdx, blockIdx, blockDim, gridDim;
constexpr int warpSize = emulated::kWarpSize;
#define CUDART_VERSION 1000

void __syncthreads();
long long clock64();
unsigned __smid();
template <class T>
T atomicAdd(T* place, T value) {
  const T before = *place;
  *place = before + value;
  return before;
}
