#include <algorithm>
#include <cstring>

#include "launches.hpp"

namespace warpipe::programs {
namespace {

using namespace cuda;

constexpr std::uint64_t kMostGroupsX = (std::uint64_t{1} << 31) - 1, kMostGroupsYZ = 65535, kMostThreadsZ = 64;

/// The configuration left by <<<...>>> for the launch behind it.
struct Configuration {
  Dim3 grid, block;
  std::size_t shared;
  void* stream;
};
thread_local std::vector<Configuration> configurations;

Error check_sizes(const Device& device, const Kernel& kernel, const LaunchCall& call) {
  const auto& [grid, block] = std::pair(call.grid, call.block);
  const auto threads = std::uint64_t{block.x} * block.y * block.z;
  const auto most = static_cast<std::uint64_t>(device.limits.threads_per_group.value_or(1024));
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || threads == 0) return kInvalidConfiguration;
  if (block.x > 1024 || block.y > 1024 || block.z > kMostThreadsZ || threads > most) return kInvalidConfiguration;
  if (grid.x > kMostGroupsX || grid.y > kMostGroupsYZ || grid.z > kMostGroupsYZ) return kInvalidConfiguration;
  if (const auto compiled = kernel.entry->most_block; compiled) {
    const auto& sizes = *compiled;
    if (static_cast<std::int64_t>(threads) > sizes[0] * sizes[1] * sizes[2]) return kInvalidValue;
  }
  if (static_cast<std::int64_t>(call.shared) > kernel.most_dynamic_shared) return kInvalidValue;
  return kSuccess;
}

/// Whether all groups of a cooperative launch reside at once, as they must where they wait for each other.
bool all_reside(Session& session, Kernel& kernel, const LaunchCall& call) {
  const auto threads = static_cast<int>(call.block.x * call.block.y * call.block.z);
  const auto of_unit = session.groups_per_unit(kernel, threads, static_cast<std::int64_t>(call.shared));
  return static_cast<double>(call.grid.x) * call.grid.y * call.grid.z <=
         static_cast<double>(of_unit * session.device().compute_units);
}

/// The parameters as they lie in memory.
Error read_bytes(const Kernel& kernel, const Arguments& arguments, std::string& block) {
  const auto& parameters = kernel.entry->parameters;
  if (parameters.empty()) return kSuccess;
  const bool are_together = arguments.together.data() != nullptr;
  if (!are_together && arguments.each == nullptr) return kInvalidValue;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto at = static_cast<std::size_t>(parameters[i].offset),
               bytes = static_cast<std::size_t>(parameters[i].bytes);
    if (are_together && at + bytes > arguments.together.size()) return kInvalidValue;
    const void* const from = are_together ? arguments.together.data() + at : arguments.each[i];
    if (from == nullptr || !is_mapped(from, bytes)) return kInvalidValue;
    block.resize(std::max(block.size(), at + bytes), '\0');
    std::memcpy(block.data() + at, from, bytes);
  }
  return kSuccess;
}

/// The parameters, and the words among them that point into known memory.
Error read_parameters(Session& session, const Kernel& kernel, const Arguments& arguments, isa::ParameterBlock& block) {
  if (const auto error = read_bytes(kernel, arguments, block.bytes); error != kSuccess) return error;
  for (std::size_t at = 0; at + 8 <= block.bytes.size(); at += 8) {
    void* pointer = nullptr;
    std::memcpy(&pointer, block.bytes.data() + at, sizeof pointer);
    if (const auto found = session.memory().find(pointer))
      block.pointers[static_cast<std::int64_t>(at)] =
          static_cast<std::int64_t>(found->end() - reinterpret_cast<std::uintptr_t>(pointer));
  }
  return kSuccess;
}

}  // namespace

Error launch(const void* function, LaunchCall call, const Arguments& arguments, void* handle) {
  return answer_on(handle, [&](Session& session, Stream& stream) {
    auto* const kernel = session.find_kernel(function);
    if (kernel == nullptr) return kInvalidDeviceFunction;
    if (session.entry_of(*kernel) == nullptr) return kernel->image->module ? kInvalidDeviceFunction : kNoImageForDevice;
    if (const auto error = check_sizes(session.device(), *kernel, call); error != kSuccess) return error;
    if (call.cooperative && !all_reside(session, *kernel, call)) return kCooperativeTooLarge;
    if (const auto error = read_parameters(session, *kernel, arguments, call.parameters); error != kSuccess)
      return error;
    call.kernel = kernel;
    return session.launch(std::move(call), stream);
  });
}

LaunchCall with_sizes(Dim3 grid, Dim3 block, std::size_t shared) {
  LaunchCall call;
  call.grid = grid;
  call.block = block;
  call.shared = shared;
  return call;
}

LaunchCall with_attributes(LaunchCall call, const LaunchAttribute* attributes, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    const auto& [id, padding, value] = attributes[i];
    if (id == kAttributeCooperative) call.cooperative = value.number != 0;
    if (id == kAttributeCluster) call.cluster = {value.dimensions[0], value.dimensions[1], value.dimensions[2]};
  }
  return call;
}

// ---- calls generated by compilers ----

WARPIPE_CALL void** __cudaRegisterFatBinary(void* wrapper) {  // NOLINT: its name
  auto& session = Session::of_process();
  const std::lock_guard guard(session.mutex());
  return reinterpret_cast<void**>(session.add_image(wrapper));
}
WARPIPE_CALL void __cudaRegisterFatBinaryEnd(void** /*handle*/) {}                             // NOLINT
WARPIPE_CALL void __cudaUnregisterFatBinary(void** /*handle*/) {}                              // NOLINT
WARPIPE_CALL char __cudaInitModule(void** /*handle*/) { return 0; }                            // NOLINT
WARPIPE_CALL void __cudaRegisterHostVar(void** /*handle*/, const char*, char*, size_t) {}      // NOLINT
WARPIPE_CALL Error __cudaRegisterUnifiedTable(void** /*handle*/) { return kSuccess; }          // NOLINT
WARPIPE_CALL void __cudaRegisterFunction(void** handle, const char* host, char* /*function*/,  // NOLINT
                                         const char* name) {
  auto& session = Session::of_process();
  const std::lock_guard guard(session.mutex());
  session.add_kernel(reinterpret_cast<Image*>(handle), host, name);
}
WARPIPE_CALL void __cudaRegisterVar(void** handle, char* host, char* /*address*/, const char* name,  // NOLINT
                                    int /*is_external*/, std::size_t bytes) {
  auto& session = Session::of_process();
  const std::lock_guard guard(session.mutex());
  session.add_variable(reinterpret_cast<Image*>(handle), host, name, bytes);
}
WARPIPE_CALL void __cudaRegisterManagedVar(void** handle, void** host, char* /*address*/, const char* name,  // NOLINT
                                           int /*is_external*/, std::size_t bytes) {
  auto& session = Session::of_process();
  const std::lock_guard guard(session.mutex());
  session.add_variable(reinterpret_cast<Image*>(handle), host, name, bytes);
  *host = session.address_of(*session.find_variable(host));
}
WARPIPE_CALL unsigned __cudaPushCallConfiguration(Dim3 grid, Dim3 block, std::size_t shared, void* stream) {  // NOLINT
  configurations.push_back({grid, block, shared, stream});
  return 0;
}
WARPIPE_CALL Error __cudaPopCallConfiguration(Dim3* grid, Dim3* block, std::size_t* shared, void* stream) {  // NOLINT
  if (configurations.empty()) return noted(kMissingConfiguration);
  const auto given = configurations.back();
  configurations.pop_back();
  if (grid == nullptr || block == nullptr || shared == nullptr || stream == nullptr) return noted(kInvalidValue);
  *grid = given.grid;
  *block = given.block;
  *shared = given.shared;
  std::memcpy(stream, &given.stream, sizeof given.stream);
  return kSuccess;
}
WARPIPE_CALL Error __cudaGetKernel(void** made, const void* host) {  // NOLINT
  return answer([&](Session& session) {
    auto* const kernel = session.find_kernel(host);
    return kernel == nullptr ? kInvalidDeviceFunction : put(made, static_cast<void*>(kernel));
  });
}
WARPIPE_ALSO(cudaGetKernel, __cudaGetKernel);
WARPIPE_ALSO(cudaGetFuncBySymbol, __cudaGetKernel);

// ---- launches ----

WARPIPE_CALL Error __cudaLaunchKernel(void* kernel, Dim3 grid, Dim3 block, void** arguments,
                                      std::size_t shared,  // NOLINT
                                      void* stream) {
  return launch(kernel, with_sizes(grid, block, shared), {arguments, {}}, stream);
}
WARPIPE_ALSO(__cudaLaunchKernel_ptsz, __cudaLaunchKernel);
WARPIPE_CALL Error cudaLaunchKernel(const void* function, Dim3 grid, Dim3 block, void** arguments, std::size_t shared,
                                    void* stream) {
  return launch(function, with_sizes(grid, block, shared), {arguments, {}}, stream);
}
WARPIPE_ALSO(cudaLaunchKernel_ptsz, cudaLaunchKernel);
WARPIPE_CALL Error cudaLaunchCooperativeKernel(const void* function, Dim3 grid, Dim3 block, void** arguments,
                                               std::size_t shared, void* stream) {
  auto call = with_sizes(grid, block, shared);
  call.cooperative = true;
  return launch(function, std::move(call), {arguments, {}}, stream);
}
WARPIPE_ALSO(cudaLaunchCooperativeKernel_ptsz, cudaLaunchCooperativeKernel);
WARPIPE_CALL Error cudaLaunchKernelExC(const LaunchConfig* config, const void* function, void** arguments) {
  if (config == nullptr || (config->count > 0 && config->attributes == nullptr)) return noted(kInvalidValue);
  auto call =
      with_attributes(with_sizes(config->grid, config->block, config->shared), config->attributes, config->count);
  return launch(function, std::move(call), {arguments, {}}, config->stream);
}
WARPIPE_ALSO(cudaLaunchKernelExC_ptsz, cudaLaunchKernelExC);

// ---- functions ----

WARPIPE_CALL Error cudaFuncSetAttribute(const void* function, int attribute, int value) {
  return answer([&](Session& session) {
    auto* const kernel = session.find_kernel(function);
    if (kernel == nullptr) return kInvalidDeviceFunction;
    constexpr int kDynamicShared = 8, kCarveout = 9;
    if (attribute < kDynamicShared || attribute > 15) return kInvalidValue;
    if (attribute == kDynamicShared) {
      const auto most = session.device().limits.shared_memory_per_group.value_or(48 << 10);
      if (value < 0 || value > most) return kInvalidValue;
      kernel->most_dynamic_shared = value;
    }
    if (attribute == kCarveout && (value < -1 || value > 100)) return kInvalidValue;
    return kSuccess;
  });
}
WARPIPE_CALL Error cudaFuncSetCacheConfig(const void* function, int /*config*/) {
  return answer(
      [&](Session& session) { return session.find_kernel(function) == nullptr ? kInvalidDeviceFunction : kSuccess; });
}
WARPIPE_ALSO(cudaFuncSetSharedMemConfig, cudaFuncSetCacheConfig);
WARPIPE_CALL Error cudaFuncGetAttributes(FunctionAttributes* attributes, const void* function) {
  return answer([&](Session& session) {
    if (attributes == nullptr) return kInvalidValue;
    auto* const kernel = session.find_kernel(function);
    if (kernel == nullptr || session.entry_of(*kernel) == nullptr) return kInvalidDeviceFunction;
    const auto facts = session.facts_of(*kernel);
    // Only the members common to all runtimes, as older runtimes have a shorter structure.
    std::memset(attributes, 0, offsetof(FunctionAttributes, cluster));
    attributes->shared = static_cast<std::size_t>(facts.shared_bytes);
    attributes->local = static_cast<std::size_t>(facts.local_bytes);
    attributes->most_threads = static_cast<int>(facts.most_threads);
    attributes->registers = static_cast<int>(facts.registers);
    attributes->ptx_version = attributes->binary_version = session.capability();
    attributes->most_dynamic_shared = static_cast<int>(kernel->most_dynamic_shared);
    attributes->carveout = -1;
    return kSuccess;
  });
}
WARPIPE_CALL Error cudaFuncGetName(const char** name, const void* function) {
  return answer([&](Session& session) {
    auto* const kernel = session.find_kernel(function);
    return kernel == nullptr ? kInvalidDeviceFunction : put(name, kernel->name.c_str());
  });
}
WARPIPE_CALL Error cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset,
                                        std::size_t* bytes) {
  return answer([&](Session& session) {
    auto* const kernel = session.find_kernel(function);
    if (kernel == nullptr || session.entry_of(*kernel) == nullptr) return kInvalidDeviceFunction;
    const auto& parameters = kernel->entry->parameters;
    if (offset == nullptr || index >= parameters.size()) return kInvalidValue;
    *offset = static_cast<std::size_t>(parameters[index].offset);
    if (bytes != nullptr) *bytes = static_cast<std::size_t>(parameters[index].bytes);
    return kSuccess;
  });
}
WARPIPE_CALL Error cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* groups, const void* function, int threads,
                                                                 std::size_t shared) {
  return answer([&](Session& session) {
    auto* const kernel = session.find_kernel(function);
    if (kernel == nullptr || session.entry_of(*kernel) == nullptr) return kInvalidDeviceFunction;
    if (groups == nullptr || threads <= 0) return kInvalidValue;
    *groups = static_cast<int>(session.groups_per_unit(*kernel, threads, static_cast<std::int64_t>(shared)));
    return kSuccess;
  });
}
WARPIPE_ALSO(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, cudaOccupancyMaxActiveBlocksPerMultiprocessor);
WARPIPE_CALL Error cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function, int groups,
                                                             int threads) {
  return answer([&](Session& session) {
    auto* const kernel = session.find_kernel(function);
    if (kernel == nullptr || session.entry_of(*kernel) == nullptr) return kInvalidDeviceFunction;
    if (bytes == nullptr || groups <= 0 || threads <= 0) return kInvalidValue;
    const auto all = session.device().limits.shared_memory_per_unit.value_or(48 << 10) / groups;
    const auto rest =
        all - session.facts_of(*kernel).shared_bytes - session.device().limits.shared_memory_reserved_per_group;
    *bytes = static_cast<std::size_t>(std::clamp<std::int64_t>(rest, 0, kernel->most_dynamic_shared));
    return kSuccess;
  });
}

}  // namespace warpipe::programs
