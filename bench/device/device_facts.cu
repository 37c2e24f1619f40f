#include "device_facts.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "gpu.hpp"

namespace measure {
namespace {

std::string dotted(int version) {
#if defined(__HIPCC__)
  return std::to_string(version / 10000000) + '.' + std::to_string(version / 100000 % 100);
#else
  return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
#endif
}

/// "535.104.05" out of the kernel module's own line; empty where there is no such file.
std::string kernel_module_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  std::getline(file, line);
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos) return word;
  }
  return "";
}

int toolkit_version() {
#if defined(__HIPCC__)
  return HIP_VERSION;
#else
  return CUDART_VERSION;
#endif
}

std::size_t most_local_bytes(const GPU(DeviceProp_t) & properties) {
#if defined(__HIPCC__)
  return properties.sharedMemPerBlock;
#else
  return properties.sharedMemPerBlockOptin;
#endif
}

/// HIP does not tell the cache in front of the memory, of which the largest one so far (MI300X) has 256 MiB.
#if defined(__HIPCC__)
constexpr std::size_t kUnknownCacheBytes = std::size_t{256} << 20;
#else
constexpr std::size_t kUnknownCacheBytes = 0;
#endif

int compute_capability(const GPU(DeviceProp_t) & properties) {
#if defined(__HIPCC__)
  (void)properties;
  return 0;
#else
  return 10 * properties.major + properties.minor;
#endif
}

}  // namespace

DeviceFacts device_facts(int device) {
  GPU_CHECK(GPU(SetDevice)(device));
  GPU(DeviceProp_t) properties;
  GPU_CHECK(GPU(GetDeviceProperties)(&properties, device));
  int runtime = 0;
  GPU_CHECK(GPU(DriverGetVersion)(&runtime));
  std::size_t free_bytes = 0;
  std::size_t all_bytes = 0;
  GPU_CHECK(GPU(MemGetInfo)(&free_bytes, &all_bytes));

  DeviceFacts facts;
  facts.gpu = properties.name;
  const std::string module = kernel_module_version();
  facts.driver = (module.empty() ? "" : module + " for ") + dotted(runtime);
  facts.toolkit = dotted(toolkit_version());
  facts.compute_capability = compute_capability(properties);
  facts.units = properties.multiProcessorCount;
  facts.limits.warp_size = properties.warpSize;
  facts.limits.threads_per_group = properties.maxThreadsPerBlock;
  facts.limits.local_bytes_per_group = most_local_bytes(properties);
  facts.memory_bytes = free_bytes;
  facts.l2_bytes = static_cast<std::size_t>(properties.l2CacheSize);
  facts.last_cache_bytes = std::max(facts.l2_bytes, kUnknownCacheBytes);
  return facts;
}

void allow_all_shared_memory(const void* kernel, const DeviceFacts& device) {
#if !defined(__HIPCC__)
  GPU(FuncAttributes) attributes;
  GPU_CHECK(GPU(FuncGetAttributes)(&attributes, kernel));
  const auto dynamic = device.limits.local_bytes_per_group - attributes.sharedSizeBytes;
  GPU_CHECK(GPU(FuncSetAttribute)(kernel, GPU(FuncAttributeMaxDynamicSharedMemorySize), static_cast<int>(dynamic)));
  GPU_CHECK(GPU(FuncSetAttribute)(kernel, GPU(FuncAttributePreferredSharedMemoryCarveout), 100));
#else
  (void)kernel;
  (void)device;
#endif
}

int resident_groups(const void* kernel, int group_size, std::size_t local_bytes) {
  int groups = 0;
  const Error error = GPU(OccupancyMaxActiveBlocksPerMultiprocessor)(&groups, kernel, group_size, local_bytes);
  if (error == GPU(Success)) return groups;
  (void)GPU(GetLastError)();  // a size that cannot be launched at all: none is resident
  return 0;
}

}  // namespace measure
