#include <algorithm>
#include <cstring>

#include "../cudart/runtime_calls.hpp"
#include "calls.hpp"

namespace warpipe::programs {
namespace {

using namespace cuda;

/// A call about a device, by its number.
template <class Body>
Error drive_of(int device, Body&& body) {
  return drive(Needs::Init, [&](Session& session) { return device != 0 ? kInvalidDevice : body(session); });
}

Error text_for(const char* found, const char** text) {
  if (text == nullptr) return kInvalidValue;
  *text = found;
  return found == nullptr ? kInvalidValue : kSuccess;
}

}  // namespace

WARPIPE_CALL Error cuInit(unsigned flags) {
  return drive(Needs::Nothing, [&](Session& session) {
    if (flags != 0) return kInvalidValue;
    session.contexts().initialise();
    return kSuccess;
  });
}
WARPIPE_CALL Error cuDriverGetVersion(int* version) { return after(Needs::Nothing, cudaDriverGetVersion, version); }
WARPIPE_CALL Error cuGetErrorName(Error error, const char** name) { return text_for(driver_name_of(error), name); }
WARPIPE_CALL Error cuGetErrorString(Error error, const char** text) {
  return text_for(driver_name_of(error) == nullptr ? nullptr : text_of(error), text);
}

WARPIPE_CALL Error cuDeviceGetCount(int* count) { return after(Needs::Init, cudaGetDeviceCount, count); }
WARPIPE_CALL Error cuDeviceGet(int* device, int number) {
  return drive_of(number, [&](Session&) { return put(device, 0); });
}
WARPIPE_CALL Error cuDeviceGetName(char* name, int bytes, int device) {
  return drive_of(device, [&](Session& session) {
    if (name == nullptr || bytes <= 0) return kInvalidValue;
    const auto length = std::min(session.device().title.size(), static_cast<std::size_t>(bytes) - 1);
    std::memcpy(name, session.device().title.data(), length);
    name[length] = '\0';
    return kSuccess;
  });
}
WARPIPE_CALL Error cuDeviceGetAttribute(int* value, int attribute, int device) {
  return after(Needs::Init, cudaDeviceGetAttribute, value, attribute, device);
}
WARPIPE_CALL Error cuDeviceTotalMem_v2(std::size_t* bytes, int device) {  // NOLINT: its name
  return drive_of(device, [&](Session& session) { return put(bytes, std::size_t{session.memory().capacity()}); });
}
WARPIPE_CALL Error cuDeviceComputeCapability(int* major, int* minor, int device) {
  return drive_of(device, [&](Session& session) {
    if (major == nullptr || minor == nullptr) return kInvalidValue;
    *major = session.capability() / 10;
    *minor = session.capability() % 10;
    return kSuccess;
  });
}
WARPIPE_CALL Error cuDeviceGetUuid(void* uuid, int device) {
  constexpr std::size_t kBytes = 16;
  return drive_of(device, [&](Session&) {
    if (uuid == nullptr) return kInvalidValue;
    std::memset(uuid, 0, kBytes);  // as among the runtime's properties
    return kSuccess;
  });
}
WARPIPE_ALSO(cuDeviceGetUuid_v2, cuDeviceGetUuid);
WARPIPE_CALL Error cuDeviceGetPCIBusId(char* text, int bytes, int device) {
  return after(Needs::Init, cudaDeviceGetPCIBusId, text, bytes, device);
}
WARPIPE_CALL Error cuDeviceCanAccessPeer(int* can, int device, int peer) {
  return after(Needs::Init, cudaDeviceCanAccessPeer, can, device, peer);
}

// ---- the context of the runtime ----

WARPIPE_CALL Error cuDevicePrimaryCtxRetain(void** context, int device) {
  return drive_of(device, [&](Session& session) {
    if (context == nullptr) return kInvalidValue;
    ++session.contexts().holders();
    return put(context, static_cast<void*>(&session.contexts().primary()));
  });
}
WARPIPE_CALL Error cuDevicePrimaryCtxRelease_v2(int device) {  // NOLINT
  return drive_of(device, [](Session& session) {
    auto& holders = session.contexts().holders();
    if (holders == 0) return kInvalidContext;
    --holders;
    return kSuccess;
  });
}
WARPIPE_ALSO(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2);
WARPIPE_CALL Error cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* is_active) {
  return drive_of(device, [&](Session& session) {
    if (flags == nullptr || is_active == nullptr) return kInvalidValue;
    *flags = session.contexts().primary().flags;
    *is_active = session.contexts().holders() > 0 ? 1 : 0;
    return kSuccess;
  });
}
WARPIPE_CALL Error cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags) {  // NOLINT
  return drive_of(device, [&](Session& session) {
    session.contexts().primary().flags = flags;
    return kSuccess;
  });
}
WARPIPE_ALSO(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2);
WARPIPE_CALL Error cuDevicePrimaryCtxReset_v2(int device) {  // NOLINT
  return drive_of(device, [](Session& session) {
    session.reset();
    session.contexts().holders() = 0;
    return kSuccess;
  });
}
WARPIPE_ALSO(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2);

}  // namespace warpipe::programs
