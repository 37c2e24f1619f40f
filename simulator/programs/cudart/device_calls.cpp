#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>

#include "calls.hpp"

int warpipe_runtime_of_libraries = 0;

namespace warpipe::programs {
namespace {

using namespace cuda;

constexpr std::int64_t kStaticShared = 48 << 10;  // bytes per group, usable without setting an attribute

std::atomic<int> version_of_program{0};

/// Numbers of a device as the runtime tells them.
struct Facts {
  std::int64_t capability, units, clock_khz, threads_per_group, threads_per_unit, groups_per_unit, registers,
      shared_per_unit, shared_per_group, shared_reserved, l2_bytes, memory_khz, memory_bits;
};

Facts facts_of(Session& session) {
  const auto& device = session.device();
  const auto& limits = device.limits;
  const auto shared = limits.shared_memory_per_unit.value_or(kStaticShared);
  Facts facts{session.capability(),
              device.compute_units,
              static_cast<std::int64_t>(device.clock.count / 1e3),
              limits.threads_per_group.value_or(1024),
              limits.warps_per_unit.value_or(32) * device.warp_size,
              limits.groups_per_unit.value_or(16),
              limits.registers_per_unit.value_or(65536),
              shared,
              limits.shared_memory_per_group.value_or(std::min(shared, kStaticShared)),
              limits.shared_memory_reserved_per_group,
              0,
              0,
              0};
  if (has_levels(device))
    for (const auto& level : device.memory->levels)
      if (level.scope != LevelScope::ComputeUnit && level.bytes)
        facts.l2_bytes = *level.bytes * (level.scope == LevelScope::Die ? device.dies : 1);
  // A width and a clock whose product is the rate of the pins: two transfers a clock.
  std::optional<BytesPerSecond> rate = bandwidth_of(device);
  if (has_levels(device) && device.memory->levels.back().pin_rate) rate = device.memory->levels.back().pin_rate;
  facts.memory_bits = facts.capability % 10 == 0 ? 5120 : 384;
  if (rate) facts.memory_khz = std::llround(rate->count * 8 / 2 / static_cast<double>(facts.memory_bits) / 1e3);
  return facts;
}

/// Writes the members of a structure in sequence, each at a multiple of its size.
class Members {
 public:
  explicit Members(void* to) : begin_(static_cast<char*>(to)) {}
  void text(std::size_t bytes, const std::string& value) {
    std::memset(begin_ + at_, 0, bytes);
    std::memcpy(begin_ + at_, value.data(), std::min(bytes - 1, value.size()));
    at_ += bytes;
  }
  void zeros(std::size_t bytes) {
    std::memset(begin_ + at_, 0, bytes);
    at_ += bytes;
  }
  void size(std::int64_t value) { put(static_cast<std::uint64_t>(value)); }
  void number(std::int64_t value) { put(static_cast<std::int32_t>(std::min<std::int64_t>(value, INT32_MAX))); }
  void numbers(std::initializer_list<std::int64_t> values) {
    for (const auto value : values) number(value);
  }

 private:
  template <class T>
  void put(T value) {
    while (at_ % sizeof value != 0) begin_[at_++] = 0;
    std::memcpy(begin_ + at_, &value, sizeof value);
    at_ += sizeof value;
  }
  char* begin_;
  std::size_t at_ = 0;
};

/// The structure of the device's properties. It lost members with version 13, and got some at its end with 12.
/// @source driver_types.h of the toolkits
void write_properties(Session& session, void* to, int version) {
  const auto facts = facts_of(session);
  const bool old = version < 13;
  Members out(to);
  out.text(256, session.device().title);
  out.zeros(16 + 8);  // identifiers
  out.number(0);
  out.size(static_cast<std::int64_t>(session.memory().capacity()));
  out.size(kStaticShared);
  out.numbers({facts.registers, session.device().warp_size});
  out.size(INT32_MAX);  // pitch
  out.numbers({facts.threads_per_group, 1024, 1024, 64, INT32_MAX, 65535, 65535});
  if (old) out.number(facts.clock_khz);
  out.size(65536);  // constant memory
  out.numbers({facts.capability / 10, facts.capability % 10});
  out.size(512);
  out.size(32);
  if (old) out.number(1);  // copies while kernels run
  out.number(facts.units);
  if (old) out.number(0);  // no limit of time
  out.numbers({0, 1});     // apart from the host, maps its memory
  if (old) out.number(0);
  out.numbers({131072, 32768});  // textures along an axis
  if (old) out.number(268435456);
  out.numbers({131072, 65536, 32768, 32768, 131072, 65000, 2097120, 32768, 32768});
  out.numbers({16384, 16384, 16384, 8192, 8192, 32768, 32768});
  out.numbers({32768, 2048, 32768, 32768, 2048, 32768, 2046});
  out.numbers({32768, 131072, 65536, 16384, 16384, 16384, 32768, 2048, 32768, 32768, 2048, 32768, 32768, 2046});
  out.size(512);
  out.numbers({1, 1, 1, 0, 0, 0, 3, 1});  // concurrent kernels, ECC, the place on the bus, engines, one address space
  if (old) out.number(facts.memory_khz);
  out.numbers({facts.memory_bits, facts.l2_bytes, facts.l2_bytes * 3 / 4, facts.threads_per_unit, 1, 1, 1});
  out.size(facts.shared_per_unit);
  out.numbers({facts.registers, 1, 0, 0, 0});
  if (old) out.number(facts.capability % 10 == 0 ? 2 : 64);
  out.numbers({0, 1, 1, 1, 1});
  if (old) out.number(0);
  out.size(facts.shared_per_group);
  out.numbers({0, 0, facts.groups_per_unit, 0});
  out.size(facts.shared_reserved);
  if (version < 12) return;
  out.numbers({1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, facts.capability >= 90 ? 1 : 0, 0});
}

std::optional<std::int64_t> attribute_of(Session& session, int attribute) {
  const auto facts = facts_of(session);
  switch (attribute) {
    case 1:
      return facts.threads_per_group;
    case 2:
    case 3:
      return 1024;
    case 4:
      return 64;
    case 5:
      return INT32_MAX;
    case 6:
    case 7:
      return 65535;
    case 8:
      return kStaticShared;
    case 9:
      return 65536;
    case 10:
      return session.device().warp_size;
    case 11:
      return INT32_MAX;
    case 12:
    case 82:
      return facts.registers;
    case 13:
      return facts.clock_khz;
    case 14:
      return 512;
    case 16:
      return facts.units;
    case 36:
      return facts.memory_khz;
    case 37:
      return facts.memory_bits;
    case 38:
      return facts.l2_bytes;
    case 39:
      return facts.threads_per_unit;
    case 40:
      return 3;
    case 51:
      return 32;
    case 75:
      return facts.capability / 10;
    case 76:
      return facts.capability % 10;
    case 81:
      return facts.shared_per_unit;
    case 87:
      return facts.capability % 10 == 0 ? 2 : 64;
    case 97:
      return facts.shared_per_group;
    case 106:
      return facts.groups_per_unit;
    case 108:
    case 109:
      return facts.l2_bytes * 3 / 4;
    case 111:
      return facts.shared_reserved;
    case 120:
      return facts.capability >= 90 ? 1 : 0;
    // Yes: copies overlap, host memory is mapped, kernels run side by side, error correction, a common address space,
    // streams have priorities, caches, managed memory, groups of a launch wait for each other, memory is registered,
    // pools.
    case 15:
    case 19:
    case 31:
    case 32:
    case 41:
    case 78:
    case 79:
    case 80:
    case 83:
    case 89:
    case 90:
    case 91:
    case 95:
    case 99:
    case 115:
      return 1;
    default:
      break;
  }
  return attribute >= 1 && attribute <= 150 ? std::optional<std::int64_t>(0) : std::nullopt;
}

Error wait_for_device(Session& session) {
  session.timeline().host_waits(session.timeline().latest());
  return kSuccess;
}

}  // namespace

int runtime_version() {
  const int version = version_of_program != 0 ? version_of_program.load() : warpipe_runtime_of_libraries;
  return version == 0 ? 13 : version;
}
void set_runtime_version(int major) { version_of_program = major; }

// ---- devices ----

WARPIPE_CALL Error cudaGetDeviceCount(int* count) {
  return answer([&](Session&) { return put(count, 1); });
}
WARPIPE_CALL Error cudaGetDevice(int* device) {
  return answer([&](Session&) { return put(device, 0); });
}
WARPIPE_CALL Error cudaSetDevice(int device) {
  return answer([&](Session&) { return device == 0 ? kSuccess : kInvalidDevice; });
}
WARPIPE_CALL Error cudaInitDevice(int device) {
  return answer([&](Session&) { return device == 0 ? kSuccess : kInvalidDevice; });
}
WARPIPE_CALL Error cudaSetValidDevices(int* devices, int count) {
  return answer([&](Session&) {
    if (count < 0 || (count > 0 && devices == nullptr)) return kInvalidValue;
    return count <= 1 ? kSuccess : kInvalidDevice;
  });
}
WARPIPE_CALL Error cudaChooseDevice(int* device, const void* properties) {
  return answer([&](Session&) { return properties == nullptr ? kInvalidValue : put(device, 0); });
}
WARPIPE_CALL Error cudaSetDeviceFlags(unsigned /*flags*/) {
  return answer([](Session&) { return kSuccess; });
}
WARPIPE_CALL Error cudaGetDeviceFlags(unsigned* flags) {
  return answer([&](Session&) { return put(flags, 8U); });
}
WARPIPE_CALL Error cudaGetDeviceProperties(void* properties, int device) {
  return answer([&](Session& session) {
    if (properties == nullptr) return kInvalidValue;
    if (device != 0) return kInvalidDevice;
    const auto version = runtime_version();
    write_properties(session, properties, version == 12 ? 11 : version);
    return kSuccess;
  });
}
WARPIPE_CALL Error cudaGetDeviceProperties_v2(void* properties, int device) {  // NOLINT: its name
  return answer([&](Session& session) {
    if (properties == nullptr) return kInvalidValue;
    if (device != 0) return kInvalidDevice;
    write_properties(session, properties, 12);
    return kSuccess;
  });
}
WARPIPE_CALL Error cudaDeviceGetAttribute(int* value, int attribute, int device) {
  return answer([&](Session& session) {
    if (device != 0) return kInvalidDevice;
    const auto found = attribute_of(session, attribute);
    return found ? put(value, static_cast<int>(std::min<std::int64_t>(*found, INT32_MAX))) : kInvalidValue;
  });
}
WARPIPE_CALL Error cudaDeviceGetPCIBusId(char* text, int bytes, int device) {
  return answer([&](Session&) {
    constexpr std::string_view kPlace = "0000:00:00.0";
    if (text == nullptr || bytes <= static_cast<int>(kPlace.size())) return kInvalidValue;
    if (device != 0) return kInvalidDevice;
    std::memcpy(text, kPlace.data(), kPlace.size());
    text[kPlace.size()] = '\0';
    return kSuccess;
  });
}
WARPIPE_CALL Error cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return answer([&](Session&) { return device != 0 || peer != 0 ? kInvalidDevice : put(can, 0); });
}
WARPIPE_CALL Error cudaDeviceEnablePeerAccess(int /*peer*/, unsigned /*flags*/) {
  return answer([](Session&) { return kInvalidDevice; });
}
WARPIPE_CALL Error cudaDeviceDisablePeerAccess(int /*peer*/) {
  return answer([](Session&) { return kPeerAccessNotEnabled; });
}
WARPIPE_CALL Error cudaDeviceSynchronize() { return answer(wait_for_device); }
WARPIPE_ALSO(cudaThreadSynchronize, cudaDeviceSynchronize);
WARPIPE_CALL Error cudaDeviceReset() {
  auto& session = Session::of_process();
  const std::lock_guard guard(session.mutex());
  session.reset();
  return kSuccess;
}
WARPIPE_ALSO(cudaThreadExit, cudaDeviceReset);
WARPIPE_CALL Error cudaDeviceSetLimit(int limit, std::size_t value) {
  return answer([&](Session& session) {
    if (limit < 0 || limit > 6) return kUnsupportedLimit;
    session.limits()[static_cast<std::size_t>(limit)] = value;
    return kSuccess;
  });
}
WARPIPE_CALL Error cudaDeviceGetLimit(std::size_t* value, int limit) {
  return answer([&](Session& session) {
    if (limit < 0 || limit > 6) return kUnsupportedLimit;
    return put(value, session.limits()[static_cast<std::size_t>(limit)]);
  });
}
WARPIPE_CALL Error cudaDeviceSetCacheConfig(int /*config*/) {
  return answer([](Session&) { return kSuccess; });
}
WARPIPE_ALSO(cudaDeviceSetSharedMemConfig, cudaDeviceSetCacheConfig);
WARPIPE_ALSO(cudaCtxResetPersistingL2Cache, cudaDeviceSetCacheConfig);
WARPIPE_ALSO(cudaProfilerStart, cudaDeviceSetCacheConfig);
WARPIPE_ALSO(cudaProfilerStop, cudaDeviceSetCacheConfig);
WARPIPE_CALL Error cudaDeviceGetCacheConfig(int* config) {
  return answer([&](Session&) { return put(config, 0); });
}
WARPIPE_CALL Error cudaDeviceGetSharedMemConfig(int* config) {
  return answer([&](Session&) { return put(config, 1); });
}
WARPIPE_CALL Error cudaDeviceGetDefaultMemPool(void** pool, int device) {
  return answer(
      [&](Session& session) { return device != 0 ? kInvalidDevice : put(pool, static_cast<void*>(&session)); });
}
WARPIPE_ALSO(cudaDeviceGetMemPool, cudaDeviceGetDefaultMemPool);
WARPIPE_CALL Error cudaMemPoolSetAttribute(void* pool, int /*attribute*/, void* value) {
  return answer([&](Session&) { return pool == nullptr || value == nullptr ? kInvalidValue : kSuccess; });
}
WARPIPE_CALL Error cudaMemPoolTrimTo(void* pool, std::size_t /*bytes*/) {
  return answer([&](Session&) { return pool == nullptr ? kInvalidValue : kSuccess; });
}
WARPIPE_CALL Error cudaDriverGetVersion(int* version) {
  return answer([&](Session&) { return put(version, 13000); });
}
WARPIPE_CALL Error cudaRuntimeGetVersion(int* version) {
  return answer([&](Session&) { return put(version, runtime_version() * 1000); });
}

// ---- errors ----

WARPIPE_CALL Error cudaGetLastError() {
  auto& session = Session::of_process();
  const std::lock_guard guard(session.mutex());
  if (session.broken() != kSuccess) return session.broken();
  return std::exchange(last_error, kSuccess);
}
WARPIPE_CALL Error cudaPeekAtLastError() {
  auto& session = Session::of_process();
  const std::lock_guard guard(session.mutex());
  return session.broken() != kSuccess ? session.broken() : last_error;
}
WARPIPE_CALL const char* cudaGetErrorName(Error error) { return name_of(error); }
WARPIPE_CALL const char* cudaGetErrorString(Error error) { return text_of(error); }

}  // namespace warpipe::programs
