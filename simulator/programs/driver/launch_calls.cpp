#include <algorithm>
#include <cstring>

#include "../cudart/launches.hpp"
#include "../cudart/runtime_calls.hpp"
#include "calls.hpp"

namespace warpipe::programs {
namespace {

using namespace cuda;

/// CUlaunchConfig
struct DriverConfig {
  Dim3 grid, block;
  unsigned shared;
  void* stream;
  LaunchAttribute* attributes;
  unsigned count;
};

/// The buffer handed over by a program instead of a pointer to each argument: pairs of a name and a value, until an
/// end.
/// @return nothing where there is no list
std::optional<std::string_view> buffer_of(void** extra) {
  const void* begin = nullptr;
  std::size_t bytes = 0;
  for (std::size_t at = 0;; at += 2) {
    switch (reinterpret_cast<std::uintptr_t>(extra[at])) {
      case 0:  // CU_LAUNCH_PARAM_END
        if (begin == nullptr) return std::nullopt;
        return std::string_view(static_cast<const char*>(begin), bytes);
      case 1:  // CU_LAUNCH_PARAM_BUFFER_POINTER
        begin = extra[at + 1];
        break;
      case 2:  // CU_LAUNCH_PARAM_BUFFER_SIZE
        if (extra[at + 1] == nullptr) return std::nullopt;
        std::memcpy(&bytes, extra[at + 1], sizeof bytes);
        break;
      default:
        return std::nullopt;
    }
  }
}

Error launch_by(const void* function, LaunchCall call, void* stream, void** each, void** extra) {
  Arguments arguments{each, {}};
  if (extra != nullptr) {
    const auto buffer = buffer_of(extra);
    if (each != nullptr || !buffer) return kInvalidValue;
    arguments.together = *buffer;
  }
  return as([&] { return launch(function, std::move(call), arguments, stream); });
}

int attribute_of(const FunctionAttributes& of, int attribute) {
  const std::array<std::size_t, 4> sizes{static_cast<std::size_t>(of.most_threads), of.shared, of.constant, of.local};
  const std::array<int, 6> numbers{of.registers,  of.ptx_version,         of.binary_version,
                                   of.cache_mode, of.most_dynamic_shared, of.carveout};
  const auto at = static_cast<std::size_t>(attribute);
  if (at < sizes.size()) return static_cast<int>(sizes[at]);
  return at < sizes.size() + numbers.size() ? numbers[at - sizes.size()] : 0;
}

/// The block that fills a unit with most threads, the largest of several, and the number of these blocks on a unit.
template <class Shared>
std::pair<int, int> fullest_block(Session& session, const Kernel& kernel, int most, Shared shared_of) {
  const int lanes = static_cast<int>(session.device().warp_size);
  std::pair found(0, 0);
  for (int threads = most; threads > 0; threads = (threads - 1) / lanes * lanes) {
    const auto groups = static_cast<int>(session.groups_per_unit(kernel, threads, shared_of(threads)));
    if (threads * groups > found.first * found.second) found = {threads, groups};
  }
  return found;
}

}  // namespace

WARPIPE_CALL Error cuLaunchKernel(const void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                  unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared, void* stream,
                                  void** arguments, void** extra) {
  const auto call = with_sizes({grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared);
  return launch_by(function, call, stream, arguments, extra);
}
WARPIPE_ALSO(cuLaunchKernel_ptsz, cuLaunchKernel);
WARPIPE_CALL Error cuLaunchCooperativeKernel(const void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                             unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                             void* stream, void** arguments) {
  auto call = with_sizes({grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared);
  call.cooperative = true;
  return launch_by(function, std::move(call), stream, arguments, nullptr);
}
WARPIPE_ALSO(cuLaunchCooperativeKernel_ptsz, cuLaunchCooperativeKernel);
WARPIPE_CALL Error cuLaunchKernelEx(const DriverConfig* config, const void* function, void** arguments, void** extra) {
  if (config == nullptr || (config->count > 0 && config->attributes == nullptr)) return kInvalidValue;
  const auto call = with_sizes(config->grid, config->block, config->shared);
  return launch_by(function, with_attributes(call, config->attributes, config->count), config->stream, arguments,
                   extra);
}
WARPIPE_ALSO(cuLaunchKernelEx_ptsz, cuLaunchKernelEx);

// ---- functions ----

WARPIPE_CALL Error cuFuncGetAttribute(int* value, int attribute, const void* function) {
  if (value == nullptr || attribute < 0 || attribute > 15) return kInvalidValue;
  FunctionAttributes attributes{};
  const auto error = as(cudaFuncGetAttributes, &attributes, function);
  if (error == kSuccess) *value = attribute_of(attributes, attribute);
  return error;
}
WARPIPE_CALL Error cuFuncSetAttribute(const void* function, int attribute, int value) {
  return as(cudaFuncSetAttribute, function, attribute, value);
}
WARPIPE_CALL Error cuFuncSetCacheConfig(const void* function, int config) {
  return as(cudaFuncSetCacheConfig, function, config);
}
WARPIPE_ALSO(cuFuncSetSharedMemConfig, cuFuncSetCacheConfig);
WARPIPE_CALL Error cuFuncGetName(const char** name, const void* function) {
  return as(cudaFuncGetName, name, function);
}
WARPIPE_ALSO(cuKernelGetName, cuFuncGetName);
WARPIPE_CALL Error cuKernelGetFunction(const void** function, const void* kernel) {
  return drive(Needs::Context, [&](Session& session) {
    return session.find_kernel(kernel) == nullptr ? kInvalidHandle : put(function, kernel);
  });
}
WARPIPE_CALL Error cuKernelGetAttribute(int* value, int attribute, const void* kernel, int /*device*/) {
  return cuFuncGetAttribute(value, attribute, kernel);
}
WARPIPE_CALL Error cuKernelSetAttribute(int attribute, int value, const void* kernel, int /*device*/) {
  return cuFuncSetAttribute(kernel, attribute, value);
}
WARPIPE_CALL Error cuOccupancyMaxActiveBlocksPerMultiprocessor(int* groups, const void* function, int threads,
                                                               std::size_t shared) {
  return as(cudaOccupancyMaxActiveBlocksPerMultiprocessor, groups, function, threads, shared);
}
WARPIPE_ALSO(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, cuOccupancyMaxActiveBlocksPerMultiprocessor);
WARPIPE_CALL Error cuOccupancyMaxPotentialBlockSize(int* groups, int* threads, const void* function,
                                                    std::size_t (*shared_of)(int), std::size_t shared, int most) {
  return drive(Needs::Context, [&](Session& session) {
    auto* const kernel = session.find_kernel(function);
    if (kernel == nullptr || session.entry_of(*kernel) == nullptr) return kInvalidHandle;
    if (groups == nullptr || threads == nullptr || most < 0) return kInvalidValue;
    const auto largest = static_cast<int>(session.facts_of(*kernel).most_threads);
    const auto [size, on_unit] =
        fullest_block(session, *kernel, most == 0 ? largest : std::min(most, largest),
                      [&](int of) { return static_cast<std::int64_t>(shared_of == nullptr ? shared : shared_of(of)); });
    *threads = size;
    *groups = on_unit * static_cast<int>(session.device().compute_units);
    return kSuccess;
  });
}
WARPIPE_ALSO(cuOccupancyMaxPotentialBlockSizeWithFlags, cuOccupancyMaxPotentialBlockSize);

}  // namespace warpipe::programs
