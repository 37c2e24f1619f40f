#include "../cudart/runtime_calls.hpp"
#include "calls.hpp"

namespace warpipe::programs {
namespace {

using namespace cuda;

Error make_context(void** handle, unsigned flags, int device) {
  return drive(Needs::Init, [&](Session& session) {
    if (handle == nullptr) return kInvalidValue;
    if (device != 0) return kInvalidDevice;
    auto* const made = session.contexts().make(flags);
    session.contexts().push(made);
    *handle = made;
    return kSuccess;
  });
}

}  // namespace

WARPIPE_CALL Error cuCtxCreate_v2(void** handle, unsigned flags, int device) {  // NOLINT: its name
  return make_context(handle, flags, device);
}
WARPIPE_CALL Error cuCtxCreate_v3(void** handle, void* /*affinities*/, int /*count*/, unsigned flags,  // NOLINT
                                  int device) {
  return make_context(handle, flags, device);
}
WARPIPE_CALL Error cuCtxCreate_v4(void** handle, void* /*parameters*/, unsigned flags, int device) {  // NOLINT
  return make_context(handle, flags, device);
}
WARPIPE_CALL Error cuCtxDestroy_v2(void* handle) {  // NOLINT
  return drive(Needs::Init, [&](Session& session) {
    return session.contexts().destroy(static_cast<Context*>(handle)) ? kSuccess : kInvalidContext;
  });
}
WARPIPE_CALL Error cuCtxPushCurrent_v2(void* handle) {  // NOLINT
  return drive(Needs::Init, [&](Session& session) {
    auto* const context = static_cast<Context*>(handle);
    if (!session.contexts().has(context)) return kInvalidContext;
    session.contexts().push(context);
    return kSuccess;
  });
}
WARPIPE_CALL Error cuCtxPopCurrent_v2(void** handle) {  // NOLINT
  return drive(Needs::Context, [&](Session& session) {
    auto* const top = session.contexts().pop();
    if (handle != nullptr) *handle = top;
    return kSuccess;
  });
}
WARPIPE_CALL Error cuCtxSetCurrent(void* handle) {
  return drive(Needs::Init, [&](Session& session) {
    auto* const context = static_cast<Context*>(handle);
    if (context != nullptr && !session.contexts().has(context)) return kInvalidContext;
    session.contexts().pop();
    if (context != nullptr) session.contexts().push(context);
    return kSuccess;
  });
}
WARPIPE_CALL Error cuCtxGetCurrent(void** handle) {
  return drive(Needs::Init,
               [&](Session& session) { return put(handle, static_cast<void*>(session.contexts().current())); });
}
WARPIPE_CALL Error cuCtxGetDevice(int* device) {
  return drive(Needs::Context, [&](Session&) { return put(device, 0); });
}
WARPIPE_ALSO(cuCtxGetDevice_v2, cuCtxGetDevice);
WARPIPE_CALL Error cuCtxGetFlags(unsigned* flags) {
  return drive(Needs::Context, [&](Session& session) { return put(flags, session.contexts().current()->flags); });
}
WARPIPE_CALL Error cuCtxGetApiVersion(void* /*context*/, unsigned* version) {
  return drive(Needs::Init, [&](Session&) { return put(version, 3020U); });
}
WARPIPE_CALL Error cuCtxSynchronize() { return as(cudaDeviceSynchronize); }
WARPIPE_ALSO(cuCtxSynchronize_v2, cuCtxSynchronize);
WARPIPE_CALL Error cuCtxSetLimit(int limit, std::size_t value) { return as(cudaDeviceSetLimit, limit, value); }
WARPIPE_CALL Error cuCtxGetLimit(std::size_t* value, int limit) { return as(cudaDeviceGetLimit, value, limit); }
WARPIPE_CALL Error cuCtxSetCacheConfig(int config) { return as(cudaDeviceSetCacheConfig, config); }
WARPIPE_CALL Error cuCtxGetCacheConfig(int* config) { return as(cudaDeviceGetCacheConfig, config); }
WARPIPE_CALL Error cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return as(cudaDeviceGetStreamPriorityRange, least, greatest);
}

}  // namespace warpipe::programs
