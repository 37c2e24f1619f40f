#include <cstring>

#include "copies.hpp"

namespace warpipe::programs {
namespace {

using namespace cuda;

enum class Side { Device, Host, Either };

Side side_of(Session& session, const void* address) {
  const auto found = session.memory().find(address);
  return found && found->place != Place::Host && found->place != Place::Registered ? Side::Device : Side::Host;
}

/// Whether all of an area can be read and written.
bool is_reachable(Session& session, const Area& area, Side side) {
  if (area.begin == nullptr) return false;
  if (const auto found = session.memory().find(area.begin)) {
    const auto behind = found->end() - reinterpret_cast<std::uintptr_t>(area.begin);
    return area.bytes() <= behind;
  }
  return side != Side::Device && is_mapped(area.begin, area.bytes());
}

struct Sides {
  Side to = Side::Host, from = Side::Host;
};

std::optional<Sides> sides_of(int kind) {
  switch (static_cast<CopyKind>(kind)) {
    case CopyKind::HostToHost:
      return Sides{Side::Host, Side::Host};
    case CopyKind::HostToDevice:
      return Sides{Side::Device, Side::Host};
    case CopyKind::DeviceToHost:
      return Sides{Side::Host, Side::Device};
    case CopyKind::DeviceToDevice:
      return Sides{Side::Device, Side::Device};
    case CopyKind::Default:
      return Sides{Side::Either, Side::Either};
  }
  return std::nullopt;
}

/// The real direction of a copy.
CopyKind way(Session& session, const void* to, const void* from) {
  const bool to_device = side_of(session, to) == Side::Device, from_device = side_of(session, from) == Side::Device;
  if (to_device) return from_device ? CopyKind::DeviceToDevice : CopyKind::HostToDevice;
  return from_device ? CopyKind::DeviceToHost : CopyKind::HostToHost;
}

void copy_rows(const Area& to, const Area& from) {
  for (std::size_t row = 0; row < from.rows; ++row)
    std::memmove(static_cast<char*>(const_cast<void*>(to.begin)) + row * to.pitch,  // NOLINT: it is written
                 static_cast<const char*>(from.begin) + row * from.pitch, from.width);
}

}  // namespace

bool is_on_device(Session& session, const Area& area) { return is_reachable(session, area, Side::Device); }

Error copy(Session& session, Stream& stream, std::vector<std::pair<Area, Area>> layers, int kind, const char* name,
           bool waits) {
  const auto sides = sides_of(kind);
  if (!sides) return kInvalidDirection;
  std::size_t bytes = 0;
  for (const auto& [to, from] : layers) {
    if (from.width == 0 || from.rows == 0) continue;
    if (from.rows > 1 && (from.width > from.pitch || to.width > to.pitch)) return kInvalidPitch;
    if (from.pitch != 0 && from.rows > SIZE_MAX / 2 / from.pitch) return kInvalidValue;
    if (to.pitch != 0 && to.rows > SIZE_MAX / 2 / to.pitch) return kInvalidValue;
    if (!is_reachable(session, to, sides->to) || !is_reachable(session, from, sides->from)) return kInvalidValue;
    bytes += from.width * from.rows;
  }
  if (bytes == 0) return kSuccess;
  const auto direction = way(session, layers.front().first.begin, layers.front().second.begin);
  if (waits && stream.captures != nullptr) return kCaptureUnsupported;
  const auto error =
      session.submit(stream, [&session, number = stream.number, kept = std::move(layers), direction, bytes, name] {
        for (const auto& [to, from] : kept) copy_rows(to, from);
        session.note_copy(number, direction, bytes, name);
        return kSuccess;
      });
  if (waits) session.timeline().host_waits(session.timeline().ready(stream.number));
  return error;
}

Error copy_bytes(Session& session, Stream& stream, void* to, const void* from, std::size_t bytes, int kind,
                 const char* name, bool waits) {
  return copy(session, stream, {{{to, bytes, bytes, 1}, {from, bytes, bytes, 1}}}, kind, name, waits);
}

namespace {

Error copy_3d(Session& session, Stream& stream, const Copy3D* of, const char* name, bool waits) {
  if (of == nullptr) return kInvalidValue;
  if (of->extent.depth > (1U << 24)) return kInvalidValue;
  const auto* const to_array = session.find_array(of->to_array);
  const auto* const from_array = session.find_array(of->from_array);
  if ((of->to_array != nullptr && to_array == nullptr) || (of->from_array != nullptr && from_array == nullptr))
    return kInvalidValue;
  // With an array, widths and places in arrays count texels.
  const auto* const any = to_array != nullptr ? to_array : from_array;
  const auto width = of->extent.width * (any == nullptr ? 1 : any->texel_bytes());
  const auto layer = [&](const Array* array, const PitchedPointer& pointer, const Position& at,
                         std::size_t z) -> std::optional<Area> {
    if (array != nullptr)
      return area_of(*array, {at.x * array->texel_bytes(), at.y, at.z + z}, width, of->extent.height);
    if (pointer.pointer == nullptr) return std::nullopt;
    const auto* const begin =
        static_cast<const char*>(pointer.pointer) + ((at.z + z) * pointer.height + at.y) * pointer.pitch + at.x;
    return Area{begin, pointer.pitch, width, of->extent.height};
  };
  std::vector<std::pair<Area, Area>> layers;
  for (std::size_t z = 0; z < of->extent.depth; ++z) {
    const auto to = layer(to_array, of->to, of->to_position, z);
    const auto from = layer(from_array, of->from, of->from_position, z);
    if (!to || !from) return kInvalidValue;
    layers.emplace_back(*to, *from);
  }
  if (layers.empty()) return kSuccess;
  return copy(session, stream, std::move(layers), static_cast<int>(of->kind), name, waits);
}

void fill(char* to, std::size_t bytes, const Pattern& pattern) {
  if (pattern.bytes == 1)
    std::memset(to, static_cast<int>(pattern.value), bytes);
  else
    for (std::size_t at = 0; at < bytes; at += pattern.bytes) std::memcpy(to + at, &pattern.value, pattern.bytes);
}

}  // namespace

Error set(Session& session, Stream& stream, const std::vector<Area>& layers, Pattern pattern, const char* name) {
  std::size_t bytes = 0;
  for (const auto& area : layers) {
    if (area.width == 0 || area.rows == 0) continue;
    if (area.rows > 1 && area.width > area.pitch) return kInvalidValue;
    if (area.pitch != 0 && area.rows > SIZE_MAX / 2 / area.pitch) return kInvalidValue;
    if (!is_reachable(session, area, Side::Device)) return kInvalidValue;
    bytes += area.width * area.rows;
  }
  if (bytes == 0) return kSuccess;
  return session.submit(stream, [&session, number = stream.number, layers, pattern, bytes, name] {
    for (const auto& area : layers)
      for (std::size_t row = 0; row < area.rows; ++row)
        fill(static_cast<char*>(const_cast<void*>(area.begin)) + row * area.pitch, area.width, pattern);  // NOLINT
    session.note_copy(number, CopyKind::DeviceToDevice, bytes, name);
    return kSuccess;
  });
}

namespace {

Pattern pattern_of(int value) { return {static_cast<std::uint32_t>(value)}; }

std::vector<Area> layers_of(const PitchedPointer& pointer, const Extent& extent) {
  std::vector<Area> layers;
  for (std::size_t z = 0; z < extent.depth && z < (1U << 24); ++z)
    layers.push_back({static_cast<char*>(pointer.pointer) + z * pointer.height * pointer.pitch, pointer.pitch,
                      extent.width, extent.height});
  return layers;
}

Error allocate(Session& session, void** pointer, std::size_t bytes, Place place) {
  if (pointer == nullptr) return kInvalidValue;
  if (bytes == 0) {
    *pointer = nullptr;
    return kSuccess;
  }
  auto* const made = session.allocate(bytes, place);
  if (made == nullptr) return kOutOfMemory;
  *pointer = made;
  return kSuccess;
}

constexpr std::size_t kPitch = 512;  // bytes, as the runtime aligns rows

Error allocate_rows(Session& session, void** pointer, std::size_t* pitch, std::size_t width, std::size_t rows) {
  if (pointer == nullptr || pitch == nullptr) return kInvalidValue;
  if (width > SIZE_MAX / 4) return kOutOfMemory;
  const auto padded = (width + kPitch - 1) / kPitch * kPitch;
  if (rows != 0 && padded > SIZE_MAX / 4 / rows) return kOutOfMemory;
  const auto error = allocate(session, pointer, padded * rows, Place::Device);
  if (error == kSuccess) *pitch = padded;
  return error;
}

/// The bytes of a variable from an offset on.
Error place_in_symbol(Session& session, const void* symbol, std::size_t bytes, std::size_t offset, char** place) {
  auto* const variable = session.find_variable(symbol);
  if (variable == nullptr) return kInvalidSymbol;
  if (offset > variable->bytes || bytes > variable->bytes - offset) return kInvalidValue;
  auto* const begin = static_cast<char*>(session.address_of(*variable));
  if (begin == nullptr) return kInvalidSymbol;
  *place = begin + offset;
  return kSuccess;
}

Error to_symbol(void* handle, const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int kind,
                bool waits) {
  return answer_on(handle, [&](Session& session, Stream& stream) {
    char* place = nullptr;
    if (const auto error = place_in_symbol(session, symbol, bytes, offset, &place); error != kSuccess) return error;
    return copy_bytes(session, stream, place, from, bytes, kind, "cudaMemcpyToSymbol", waits);
  });
}

Error from_symbol(void* handle, void* to, const void* symbol, std::size_t bytes, std::size_t offset, int kind,
                  bool waits) {
  return answer_on(handle, [&](Session& session, Stream& stream) {
    char* place = nullptr;
    if (const auto error = place_in_symbol(session, symbol, bytes, offset, &place); error != kSuccess) return error;
    return copy_bytes(session, stream, to, place, bytes, kind, "cudaMemcpyFromSymbol", waits);
  });
}

Error release(Session& session, void* pointer, Place place) {
  if (pointer == nullptr) return kSuccess;
  return session.release(pointer, place) ? kSuccess : kInvalidValue;
}

}  // namespace

// ---- allocations ----

WARPIPE_CALL Error cudaMalloc(void** pointer, std::size_t bytes) {
  return answer([&](Session& session) { return allocate(session, pointer, bytes, Place::Device); });
}
WARPIPE_CALL Error cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags) {
  return answer([&](Session& session) {
    if (bytes == 0 || (flags != 1 && flags != 2)) return kInvalidValue;
    return allocate(session, pointer, bytes, Place::Managed);
  });
}
WARPIPE_CALL Error cudaMallocHost(void** pointer, std::size_t bytes) {
  return answer([&](Session& session) { return allocate(session, pointer, bytes, Place::Host); });
}
WARPIPE_CALL Error cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  return answer(
      [&](Session& session) { return flags > 7 ? kInvalidValue : allocate(session, pointer, bytes, Place::Host); });
}
WARPIPE_CALL Error cudaMallocAsync(void** pointer, std::size_t bytes, void* handle) {
  return answer_on(handle, [&](Session& session, Stream&) { return allocate(session, pointer, bytes, Place::Device); });
}
WARPIPE_ALSO(cudaMallocAsync_ptsz, cudaMallocAsync);
WARPIPE_CALL Error cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, void* /*pool*/, void* handle) {
  return answer_on(handle, [&](Session& session, Stream&) { return allocate(session, pointer, bytes, Place::Device); });
}
WARPIPE_ALSO(cudaMallocFromPoolAsync_ptsz, cudaMallocFromPoolAsync);
WARPIPE_CALL Error cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t rows) {
  return answer([&](Session& session) { return allocate_rows(session, pointer, pitch, width, rows); });
}
WARPIPE_CALL Error cudaMalloc3D(PitchedPointer* made, Extent extent) {
  return answer([&](Session& session) {
    if (made == nullptr) return kInvalidValue;
    if (extent.depth != 0 && extent.height > SIZE_MAX / 4 / extent.depth) return kOutOfMemory;
    void* pointer = nullptr;
    std::size_t pitch = 0;
    const auto error = allocate_rows(session, &pointer, &pitch, extent.width, extent.height * extent.depth);
    if (error == kSuccess) *made = {pointer, pitch, extent.width, extent.height};
    return error;
  });
}
WARPIPE_CALL Error cudaFree(void* pointer) {
  return answer([&](Session& session) { return release(session, pointer, Place::Device); });
}
WARPIPE_CALL Error cudaFreeAsync(void* pointer, void* handle) {
  return answer_on(handle, [&](Session& session, Stream&) {
    return pointer == nullptr ? kInvalidValue : release(session, pointer, Place::Device);
  });
}
WARPIPE_ALSO(cudaFreeAsync_ptsz, cudaFreeAsync);
WARPIPE_CALL Error cudaFreeHost(void* pointer) {
  return answer([&](Session& session) { return release(session, pointer, Place::Host); });
}
WARPIPE_CALL Error cudaHostRegister(void* pointer, std::size_t bytes, unsigned /*flags*/) {
  return answer([&](Session& session) {
    if (pointer == nullptr || bytes == 0 || !is_mapped(pointer, bytes)) return kInvalidValue;
    return session.add_host_memory(pointer, bytes) ? kSuccess : kAlreadyRegistered;
  });
}
WARPIPE_CALL Error cudaHostUnregister(void* pointer) {
  return answer([&](Session& session) {
    if (pointer == nullptr) return kInvalidValue;
    return session.release(pointer, Place::Registered) ? kSuccess : kNotRegistered;
  });
}
WARPIPE_CALL Error cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return answer([&](Session& session) {
    const auto found = session.memory().find(host);
    if (device == nullptr || flags != 0 || !found || found->place == Place::Device) return kInvalidValue;
    *device = host;
    return kSuccess;
  });
}
WARPIPE_CALL Error cudaHostGetFlags(unsigned* flags, void* host) {
  return answer([&](Session& session) {
    const auto found = session.memory().find(host);
    if (!found || found->place == Place::Device) return kInvalidValue;
    return put(flags, 2U);
  });
}
WARPIPE_CALL Error cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return answer([&](Session& session) {
    if (free == nullptr || total == nullptr) return kInvalidValue;
    *total = session.memory().capacity();
    *free = session.memory().capacity() - session.memory().used();
    return kSuccess;
  });
}
WARPIPE_CALL Error cudaPointerGetAttributes(PointerAttributes* attributes, const void* pointer) {
  return answer([&](Session& session) {
    if (attributes == nullptr) return kInvalidValue;
    const auto found = session.memory().find(pointer);
    auto* const same = const_cast<void*>(pointer);  // NOLINT: as the runtime gives it
    *attributes = {0, 0, nullptr, same};
    if (!found) {
      attributes->device = -2;
      return kSuccess;
    }
    const auto place = found->place;
    attributes->type = place == Place::Device ? 2 : place == Place::Managed ? 3 : 1;
    attributes->device_pointer = same;
    if (place == Place::Device) attributes->host_pointer = nullptr;
    return kSuccess;
  });
}
WARPIPE_CALL Error cudaMemPrefetchAsync(const void* pointer, std::size_t bytes) {
  return answer([&](Session& session) {
    const auto found = session.memory().find(pointer);
    return found && found->place != Place::Device && bytes <= found->bytes ? kSuccess : kInvalidValue;
  });
}
WARPIPE_ALSO(cudaMemPrefetchAsync_ptsz, cudaMemPrefetchAsync);
WARPIPE_ALSO(cudaMemPrefetchAsync_v2, cudaMemPrefetchAsync);
WARPIPE_CALL Error cudaMemAdvise(const void* pointer, std::size_t /*bytes*/) {
  return answer([&](Session& session) { return session.memory().find(pointer) ? kSuccess : kInvalidValue; });
}
WARPIPE_ALSO(cudaMemAdvise_v2, cudaMemAdvise);
WARPIPE_CALL Error cudaStreamAttachMemAsync(void* handle, void* pointer) {
  return answer_on(
      handle, [&](Session& session, Stream&) { return session.memory().find(pointer) ? kSuccess : kInvalidValue; });
}
WARPIPE_ALSO(cudaStreamAttachMemAsync_ptsz, cudaStreamAttachMemAsync);

// ---- copies ----

WARPIPE_CALL Error cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind) {
  return answer_on(nullptr, [&](Session& session, Stream& stream) {
    return copy_bytes(session, stream, to, from, bytes, kind, "cudaMemcpy", true);
  });
}
WARPIPE_ALSO(cudaMemcpy_ptds, cudaMemcpy);
WARPIPE_CALL Error cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, void* handle) {
  return answer_on(handle, [&](Session& session, Stream& stream) {
    return copy_bytes(session, stream, to, from, bytes, kind, "cudaMemcpyAsync", false);
  });
}
WARPIPE_ALSO(cudaMemcpyAsync_ptsz, cudaMemcpyAsync);
WARPIPE_CALL Error cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t bytes) {
  return answer_on(nullptr, [&](Session& session, Stream& stream) {
    if (to_device != 0 || from_device != 0) return kInvalidDevice;
    return copy_bytes(session, stream, to, from, bytes, 3, "cudaMemcpyPeer", true);
  });
}
WARPIPE_CALL Error cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                       void* handle) {
  return answer_on(handle, [&](Session& session, Stream& stream) {
    if (to_device != 0 || from_device != 0) return kInvalidDevice;
    return copy_bytes(session, stream, to, from, bytes, 3, "cudaMemcpyPeerAsync", false);
  });
}
WARPIPE_CALL Error cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                std::size_t width, std::size_t rows, int kind) {
  return answer_on(nullptr, [&](Session& session, Stream& stream) {
    if (width > to_pitch || width > from_pitch) return kInvalidPitch;
    return copy(session, stream, {{{to, to_pitch, width, rows}, {from, from_pitch, width, rows}}}, kind, "cudaMemcpy2D",
                true);
  });
}
WARPIPE_ALSO(cudaMemcpy2D_ptds, cudaMemcpy2D);
WARPIPE_CALL Error cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                     std::size_t width, std::size_t rows, int kind, void* handle) {
  return answer_on(handle, [&](Session& session, Stream& stream) {
    if (width > to_pitch || width > from_pitch) return kInvalidPitch;
    return copy(session, stream, {{{to, to_pitch, width, rows}, {from, from_pitch, width, rows}}}, kind,
                "cudaMemcpy2DAsync", false);
  });
}
WARPIPE_ALSO(cudaMemcpy2DAsync_ptsz, cudaMemcpy2DAsync);
WARPIPE_CALL Error cudaMemcpy3D(const Copy3D* of) {
  return answer_on(
      nullptr, [&](Session& session, Stream& stream) { return copy_3d(session, stream, of, "cudaMemcpy3D", true); });
}
WARPIPE_ALSO(cudaMemcpy3D_ptds, cudaMemcpy3D);
WARPIPE_CALL Error cudaMemcpy3DAsync(const Copy3D* of, void* handle) {
  return answer_on(handle, [&](Session& session, Stream& stream) {
    return copy_3d(session, stream, of, "cudaMemcpy3DAsync", false);
  });
}
WARPIPE_ALSO(cudaMemcpy3DAsync_ptsz, cudaMemcpy3DAsync);

// ---- sets ----

WARPIPE_CALL Error cudaMemset(void* to, int value, std::size_t bytes) {
  return answer_on(nullptr, [&](Session& session, Stream& stream) {
    return set(session, stream, {{to, bytes, bytes, 1}}, pattern_of(value), "cudaMemset");
  });
}
WARPIPE_ALSO(cudaMemset_ptds, cudaMemset);
WARPIPE_CALL Error cudaMemsetAsync(void* to, int value, std::size_t bytes, void* handle) {
  return answer_on(handle, [&](Session& session, Stream& stream) {
    return set(session, stream, {{to, bytes, bytes, 1}}, pattern_of(value), "cudaMemsetAsync");
  });
}
WARPIPE_ALSO(cudaMemsetAsync_ptsz, cudaMemsetAsync);
WARPIPE_CALL Error cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t rows) {
  return answer_on(nullptr, [&](Session& session, Stream& stream) {
    return set(session, stream, {{to, pitch, width, rows}}, pattern_of(value), "cudaMemset2D");
  });
}
WARPIPE_ALSO(cudaMemset2D_ptds, cudaMemset2D);
WARPIPE_CALL Error cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t rows,
                                     void* handle) {
  return answer_on(handle, [&](Session& session, Stream& stream) {
    return set(session, stream, {{to, pitch, width, rows}}, pattern_of(value), "cudaMemset2DAsync");
  });
}
WARPIPE_ALSO(cudaMemset2DAsync_ptsz, cudaMemset2DAsync);
WARPIPE_CALL Error cudaMemset3D(PitchedPointer pointer, int value, Extent extent) {
  return answer_on(nullptr, [&](Session& session, Stream& stream) {
    return set(session, stream, layers_of(pointer, extent), pattern_of(value), "cudaMemset3D");
  });
}
WARPIPE_ALSO(cudaMemset3D_ptds, cudaMemset3D);
WARPIPE_CALL Error cudaMemset3DAsync(PitchedPointer pointer, int value, Extent extent, void* handle) {
  return answer_on(handle, [&](Session& session, Stream& stream) {
    return set(session, stream, layers_of(pointer, extent), pattern_of(value), "cudaMemset3DAsync");
  });
}
WARPIPE_ALSO(cudaMemset3DAsync_ptsz, cudaMemset3DAsync);

// ---- variables ----

WARPIPE_CALL Error cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                                      int kind) {
  return to_symbol(nullptr, symbol, from, bytes, offset, kind, true);
}
WARPIPE_ALSO(cudaMemcpyToSymbol_ptds, cudaMemcpyToSymbol);
WARPIPE_CALL Error cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                                           int kind, void* handle) {
  return to_symbol(handle, symbol, from, bytes, offset, kind, false);
}
WARPIPE_ALSO(cudaMemcpyToSymbolAsync_ptsz, cudaMemcpyToSymbolAsync);
WARPIPE_CALL Error cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset, int kind) {
  return from_symbol(nullptr, to, symbol, bytes, offset, kind, true);
}
WARPIPE_ALSO(cudaMemcpyFromSymbol_ptds, cudaMemcpyFromSymbol);
WARPIPE_CALL Error cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                             int kind, void* handle) {
  return from_symbol(handle, to, symbol, bytes, offset, kind, false);
}
WARPIPE_ALSO(cudaMemcpyFromSymbolAsync_ptsz, cudaMemcpyFromSymbolAsync);
WARPIPE_CALL Error cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return answer([&](Session& session) {
    char* place = nullptr;
    if (pointer == nullptr) return kInvalidValue;
    const auto error = place_in_symbol(session, symbol, 0, 0, &place);
    if (error == kSuccess) *pointer = place;
    return error;
  });
}
WARPIPE_CALL Error cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
  return answer([&](Session& session) {
    const auto* const variable = session.find_variable(symbol);
    return variable == nullptr ? kInvalidSymbol : put(bytes, variable->bytes);
  });
}

}  // namespace warpipe::programs
