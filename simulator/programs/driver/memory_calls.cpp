#include "../cudart/copies.hpp"
#include "../cudart/runtime_calls.hpp"
#include "calls.hpp"

namespace warpipe::programs {
namespace {

using namespace cuda;

Error copy_by(const char* name, CopyKind kind, void* to, const void* from, std::size_t bytes) {
  return drive_on(nullptr, [&](Session& session, Stream& stream) {
    return copy_bytes(session, stream, to, from, bytes, static_cast<int>(kind), name, true);
  });
}

Error copy_by(const char* name, CopyKind kind, void* to, const void* from, std::size_t bytes, void* handle) {
  return drive_on(handle, [&](Session& session, Stream& stream) {
    return copy_bytes(session, stream, to, from, bytes, static_cast<int>(kind), name, false);
  });
}

/// Sets rows of values.
/// @param area  its width in values
Error set_by(const char* name, Area area, Pattern pattern, void* handle = nullptr) {
  return drive_on(handle, [&](Session& session, Stream& stream) {
    const auto at = reinterpret_cast<std::uintptr_t>(area.begin);
    if (at % pattern.bytes != 0 || area.pitch % pattern.bytes != 0) return kInvalidValue;
    if (area.width > SIZE_MAX / pattern.bytes) return kInvalidValue;
    area.width *= pattern.bytes;
    return set(session, stream, {area}, pattern, name);
  });
}

/// A row of so many values.
Area row(void* begin, std::size_t count) { return {begin, 0, count, 1}; }

}  // namespace

// ---- allocations ----

WARPIPE_CALL Error cuMemAlloc_v2(void** pointer, std::size_t bytes) {  // NOLINT: its name
  return bytes == 0 ? kInvalidValue : as(cudaMalloc, pointer, bytes);
}
WARPIPE_CALL Error cuMemAllocAsync(void** pointer, std::size_t bytes, void* stream) {
  return as(cudaMallocAsync, pointer, bytes, stream);
}
WARPIPE_ALSO(cuMemAllocAsync_ptsz, cuMemAllocAsync);
WARPIPE_CALL Error cuMemAllocManaged(void** pointer, std::size_t bytes, unsigned flags) {
  return as(cudaMallocManaged, pointer, bytes, flags);
}
WARPIPE_CALL Error cuMemAllocPitch_v2(void** pointer, std::size_t* pitch, std::size_t width,
                                      std::size_t rows,  // NOLINT
                                      unsigned element) {
  if (width == 0 || rows == 0 || (element != 4 && element != 8 && element != 16)) return kInvalidValue;
  return as(cudaMallocPitch, pointer, pitch, width, rows);
}
WARPIPE_CALL Error cuMemFree_v2(void* pointer) { return as(cudaFree, pointer); }  // NOLINT
WARPIPE_CALL Error cuMemFreeAsync(void* pointer, void* stream) { return as(cudaFreeAsync, pointer, stream); }
WARPIPE_ALSO(cuMemFreeAsync_ptsz, cuMemFreeAsync);
WARPIPE_CALL Error cuMemAllocHost_v2(void** pointer, std::size_t bytes) {  // NOLINT
  return as(cudaMallocHost, pointer, bytes);
}
WARPIPE_CALL Error cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  return as(cudaHostAlloc, pointer, bytes, flags);
}
WARPIPE_CALL Error cuMemFreeHost(void* pointer) { return as(cudaFreeHost, pointer); }
WARPIPE_CALL Error cuMemHostRegister_v2(void* pointer, std::size_t bytes, unsigned flags) {  // NOLINT
  return as(cudaHostRegister, pointer, bytes, flags);
}
WARPIPE_CALL Error cuMemHostUnregister(void* pointer) { return as(cudaHostUnregister, pointer); }
WARPIPE_CALL Error cuMemHostGetDevicePointer_v2(void** device, void* host, unsigned flags) {  // NOLINT
  return as(cudaHostGetDevicePointer, device, host, flags);
}
WARPIPE_CALL Error cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {  // NOLINT
  return as(cudaMemGetInfo, free, total);
}
WARPIPE_CALL Error cuMemGetAddressRange_v2(void** begin, std::size_t* bytes, void* pointer) {  // NOLINT
  return drive(Needs::Context, [&](Session& session) {
    const auto found = session.memory().find(pointer);
    if (!found) return kNotFound;
    if (begin != nullptr) *begin = reinterpret_cast<void*>(found->begin);  // NOLINT: an address
    if (bytes != nullptr) *bytes = found->bytes;
    return kSuccess;
  });
}

// ---- copies ----

/// A copy and its form on a stream: the program's names for them, and their direction.
#define WARPIPE_COPY(name, version, kind)                                                                             \
  WARPIPE_CALL Error name##version(void* to, const void* from, std::size_t bytes) { /* NOLINT */                      \
    return copy_by(#name, CopyKind::kind, to, from, bytes);                                                           \
  }                                                                                                                   \
  WARPIPE_ALSO(name##version##_ptds, name##version);                                                                  \
  WARPIPE_CALL Error name##Async##version(void* to, const void* from, std::size_t bytes, void* stream) /* NOLINT */ { \
    return copy_by(#name "Async", CopyKind::kind, to, from, bytes, stream);                                           \
  }                                                                                                                   \
  WARPIPE_ALSO(name##Async##version##_ptsz, name##Async##version)

WARPIPE_COPY(cuMemcpyHtoD, _v2, HostToDevice);
WARPIPE_COPY(cuMemcpyDtoH, _v2, DeviceToHost);
WARPIPE_COPY(cuMemcpyDtoD, _v2, DeviceToDevice);
WARPIPE_COPY(cuMemcpy, , Default);

// ---- sets ----

/// A set and its form on a stream, of a row and of rows, by the bits of a value.
#define WARPIPE_SET(bits, Value)                                                                                    \
  WARPIPE_CALL Error cuMemsetD##bits##_v2(void* to, Value value, std::size_t count) { /* NOLINT */                  \
    return set_by("cuMemsetD" #bits, row(to, count), {value, sizeof value});                                        \
  }                                                                                                                 \
  WARPIPE_ALSO(cuMemsetD##bits##_v2_ptds, cuMemsetD##bits##_v2);                                                    \
  WARPIPE_CALL Error cuMemsetD##bits##Async(void* to, Value value, std::size_t count, void* stream) {               \
    return set_by("cuMemsetD" #bits "Async", row(to, count), {value, sizeof value}, stream);                        \
  }                                                                                                                 \
  WARPIPE_ALSO(cuMemsetD##bits##Async_ptsz, cuMemsetD##bits##Async);                                                \
  WARPIPE_CALL Error cuMemsetD2D##bits##_v2(void* to, std::size_t pitch, Value value, std::size_t width, /*NOLINT*/ \
                                            std::size_t rows) {                                                     \
    return set_by("cuMemsetD2D" #bits, {to, pitch, width, rows}, {value, sizeof value});                            \
  }                                                                                                                 \
  WARPIPE_ALSO(cuMemsetD2D##bits##_v2_ptds, cuMemsetD2D##bits##_v2);                                                \
  WARPIPE_CALL Error cuMemsetD2D##bits##Async(void* to, std::size_t pitch, Value value, std::size_t width,          \
                                              std::size_t rows, void* stream) {                                     \
    return set_by("cuMemsetD2D" #bits "Async", {to, pitch, width, rows}, {value, sizeof value}, stream);            \
  }                                                                                                                 \
  WARPIPE_ALSO(cuMemsetD2D##bits##Async_ptsz, cuMemsetD2D##bits##Async)

WARPIPE_SET(8, std::uint8_t);
WARPIPE_SET(16, std::uint16_t);
WARPIPE_SET(32, std::uint32_t);

}  // namespace warpipe::programs
