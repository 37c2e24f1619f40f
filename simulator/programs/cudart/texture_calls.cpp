#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include "copies.hpp"

/// CUDA's arrays, and the texture and surface objects of kernels.

namespace warpipe::programs {

using namespace cuda;

std::optional<Area> area_of(const Array& array, const Position& at, std::size_t width, std::size_t rows) {
  const auto pitch = array.row_bytes();
  if (at.x > pitch || width > pitch - at.x || at.y > array.rows() || rows > array.rows() - at.y) return std::nullopt;
  if (at.z >= array.planes()) return std::nullopt;
  const auto* const begin = static_cast<const char*>(array.data) + (at.z * array.rows() + at.y) * pitch + at.x;
  return Area{begin, pitch, width, rows};
}

namespace {

/// The number of channels of equal width: 1, 2 or 4; 0 for other formats.
int channels_of(const ChannelFormat& format) {
  const auto* const end = std::find(std::begin(format.bits), std::end(format.bits), 0);
  const auto count = static_cast<int>(end - std::begin(format.bits));
  const bool alike = std::all_of(std::begin(format.bits), end, [&](int bits) { return bits == format.bits[0]; });
  const bool empty_behind = std::all_of(end, std::end(format.bits), [](int bits) { return bits == 0; });
  const int bits = format.bits[0];
  const bool known = format.kind == 2
                         ? bits == 16 || bits == 32
                         : (format.kind == 0 || format.kind == 1) && (bits == 8 || bits == 16 || bits == 32);
  return alike && empty_behind && known && count != 3 ? count : 0;
}

void describe(const ChannelFormat& format, machine::Texture& texture) {
  using Kind = isa::Type::Kind;
  constexpr Kind kKinds[] = {Kind::Signed, Kind::Unsigned, Kind::Float};
  texture.channels = channels_of(format);
  texture.channel = {kKinds[format.kind], format.bits[0]};
}

Error describe_array(const Array& array, machine::Texture& texture) {
  describe(array.format, texture);
  texture.data = reinterpret_cast<std::uintptr_t>(array.data);
  texture.size = {static_cast<std::int64_t>(array.extent.width), static_cast<std::int64_t>(array.rows()),
                  static_cast<std::int64_t>(array.planes())};
  texture.row_bytes = static_cast<std::int64_t>(array.row_bytes());
  texture.plane_bytes = texture.row_bytes * texture.size[1];
  return kSuccess;
}

Error describe_memory(Session& session, const Resource& resource, machine::Texture& texture) {
  const auto& memory = resource.memory;
  if (channels_of(memory.format) == 0) return kInvalidChannels;
  describe(memory.format, texture);
  const auto texel = static_cast<std::size_t>(texture.texel_bytes());
  const bool linear = resource.type == 2;
  const auto width = linear ? memory.bytes_or_width / texel : memory.bytes_or_width;
  const auto rows = linear ? 1 : memory.height, pitch = linear ? width * texel : memory.pitch;
  if (width == 0 || rows == 0 || width > pitch / texel || rows > SIZE_MAX / 2 / pitch) return kInvalidValue;
  if (!is_on_device(session, {memory.begin, pitch, width * texel, rows})) return kInvalidValue;
  texture.data = reinterpret_cast<std::uintptr_t>(memory.begin);
  texture.size = {static_cast<std::int64_t>(width), static_cast<std::int64_t>(rows), 1};
  texture.row_bytes = static_cast<std::int64_t>(pitch);
  texture.plane_bytes = static_cast<std::int64_t>(pitch * rows);
  return kSuccess;
}

Error describe_resource(Session& session, const Resource& resource, const char* call, machine::Texture& texture) {
  if (resource.type == 1) session.stop_at(std::string(call) + " with mipmaps");
  if (resource.type == 2 || resource.type == 3) return describe_memory(session, resource, texture);
  const auto* const array = resource.type == 0 ? session.find_array(resource.array) : nullptr;
  if (array == nullptr) return kInvalidValue;
  if ((array->flags & kArrayCubemap) != 0) session.stop_at(std::string(call) + " of a cubemap");
  return describe_array(*array, texture);
}

Error describe_sampling(Session& session, const TextureFormat& format, machine::Texture& texture) {
  using Outside = machine::Texture::Outside;
  constexpr Outside kOutside[] = {Outside::Wrap, Outside::Clamp, Outside::Mirror, Outside::Border};
  if (format.is_srgb != 0) session.stop_at("cudaCreateTextureObject of sRGB colours");
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (format.outside[axis] < 0 || format.outside[axis] > 3) return kInvalidValue;
    texture.outside[axis] = kOutside[format.outside[axis]];
  }
  texture.interpolates = format.is_linear == 1;
  texture.reads_fractions = format.reads_fractions == 1;
  texture.is_normalised = format.is_normalised != 0;
  for (std::size_t i = 0; i < 4; ++i) texture.border[i] = static_cast<double>(format.border[i]);
  const bool whole = texture.channel.kind != isa::Type::Kind::Float;
  // As in the reference: only floats are interpolated, and only 8 and 16 bits become fractions.
  if (texture.interpolates && whole && !texture.reads_fractions) return kInvalidValue;
  return texture.reads_fractions && whole && texture.channel.bits == 32 ? kInvalidValue : kSuccess;
}

Error make_array(Session& session, void** handle, const ChannelFormat* format, Extent extent, unsigned flags) {
  if (handle == nullptr || format == nullptr || extent.width == 0) return kInvalidValue;
  if (channels_of(*format) == 0) return kInvalidChannels;
  auto made = std::make_unique<Array>(Array{*format, extent, flags, nullptr});
  const auto most = SIZE_MAX / 64;
  if (extent.width > most / made->rows() / made->planes()) return kOutOfMemory;
  made->data = session.allocate(made->row_bytes() * made->rows() * made->planes(), Place::Device);
  if (made->data == nullptr) return kOutOfMemory;
  *handle = made.get();
  session.arrays()[made.get()] = std::move(made);
  return kSuccess;
}

/// A part of an array's first plane and rows elsewhere.
/// @param into  the array takes them
Error copy_area(Session& session, Stream& stream, const void* handle, Position at, const Area& other, int kind,
                bool into, const char* name, bool waits) {
  const auto* const array = session.find_array(handle);
  if (array == nullptr) return kInvalidValue;
  if (other.width > other.pitch) return kInvalidPitch;
  const auto own = area_of(*array, at, other.width, other.rows);
  if (!own) return kInvalidValue;
  return copy(session, stream, {into ? std::pair(*own, other) : std::pair(other, *own)}, kind, name, waits);
}

/// Bytes that fill successive rows of an array.
Error copy_line(Session& session, Stream& stream, const void* handle, Position at, const void* other, std::size_t bytes,
                int kind, bool into, const char* name, bool waits) {
  const auto* const array = session.find_array(handle);
  if (array == nullptr) return kInvalidValue;
  const auto first = at.y * array->row_bytes() + at.x, all = array->rows() * array->row_bytes();
  if (first > all || bytes > all - first) return kInvalidValue;
  const Area own{static_cast<const char*>(array->data) + first, bytes, bytes, 1}, outer{other, bytes, bytes, 1};
  return copy(session, stream, {into ? std::pair(own, outer) : std::pair(outer, own)}, kind, name, waits);
}

template <class T>
Error tell(Session& session, std::uint64_t number, bool is_surface, T TextureObject::*part, T* to) {
  const auto found = session.textures().find(number);
  if (to == nullptr || found == session.textures().end() || found->second.is_surface != is_surface)
    return kInvalidValue;
  *to = found->second.*part;
  return kSuccess;
}

Error remove_object(std::uint64_t number, bool is_surface) {
  return answer([&](Session& session) {
    const auto found = session.textures().find(number);
    if (found == session.textures().end() || found->second.is_surface != is_surface) return kInvalidValue;
    session.remove_texture(number);
    return kSuccess;
  });
}

}  // namespace

// ---- arrays ----

WARPIPE_CALL ChannelFormat cudaCreateChannelDesc(int x, int y, int z, int w, int kind) { return {{x, y, z, w}, kind}; }
WARPIPE_CALL Error cudaMallocArray(void** handle, const ChannelFormat* format, std::size_t width, std::size_t height,
                                   unsigned flags) {
  return answer([&](Session& session) { return make_array(session, handle, format, {width, height, 0}, flags); });
}
WARPIPE_CALL Error cudaMalloc3DArray(void** handle, const ChannelFormat* format, Extent extent, unsigned flags) {
  return answer([&](Session& session) { return make_array(session, handle, format, extent, flags); });
}
WARPIPE_CALL Error cudaFreeArray(void* handle) {
  return answer([&](Session& session) {
    if (handle == nullptr) return kSuccess;
    const auto* const array = session.find_array(handle);
    if (array == nullptr) return kInvalidValue;
    session.release(array->data, Place::Device);
    session.arrays().erase(handle);
    return kSuccess;
  });
}
WARPIPE_CALL Error cudaArrayGetInfo(ChannelFormat* format, Extent* extent, unsigned* flags, void* handle) {
  return answer([&](Session& session) {
    const auto* const array = session.find_array(handle);
    if (array == nullptr) return kInvalidValue;
    if (format != nullptr) *format = array->format;
    if (extent != nullptr) *extent = array->extent;
    if (flags != nullptr) *flags = array->flags;
    return kSuccess;
  });
}
WARPIPE_CALL Error cudaGetChannelDesc(ChannelFormat* format, const void* handle) {
  return answer([&](Session& session) {
    const auto* const array = session.find_array(handle);
    return array == nullptr ? kInvalidValue : put(format, array->format);
  });
}

// ---- copies ----

WARPIPE_CALL Error cudaMemcpy2DToArrayAsync(void* array, std::size_t x, std::size_t y, const void* from,
                                            std::size_t pitch, std::size_t width, std::size_t rows, int kind,
                                            void* stream) {
  return answer_on(stream, [&](Session& session, Stream& on) {
    return copy_area(session, on, array, {x, y, 0}, {from, pitch, width, rows}, kind, true, "cudaMemcpy2DToArrayAsync",
                     false);
  });
}
WARPIPE_ALSO(cudaMemcpy2DToArrayAsync_ptsz, cudaMemcpy2DToArrayAsync);
WARPIPE_CALL Error cudaMemcpy2DToArray(void* array, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                                       std::size_t width, std::size_t rows, int kind) {
  return answer_on(nullptr, [&](Session& session, Stream& on) {
    return copy_area(session, on, array, {x, y, 0}, {from, pitch, width, rows}, kind, true, "cudaMemcpy2DToArray",
                     true);
  });
}
WARPIPE_ALSO(cudaMemcpy2DToArray_ptds, cudaMemcpy2DToArray);
WARPIPE_CALL Error cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, const void* array, std::size_t x,
                                              std::size_t y, std::size_t width, std::size_t rows, int kind,
                                              void* stream) {
  return answer_on(stream, [&](Session& session, Stream& on) {
    return copy_area(session, on, array, {x, y, 0}, {to, pitch, width, rows}, kind, false, "cudaMemcpy2DFromArrayAsync",
                     false);
  });
}
WARPIPE_ALSO(cudaMemcpy2DFromArrayAsync_ptsz, cudaMemcpy2DFromArrayAsync);
WARPIPE_CALL Error cudaMemcpy2DFromArray(void* to, std::size_t pitch, const void* array, std::size_t x, std::size_t y,
                                         std::size_t width, std::size_t rows, int kind) {
  return answer_on(nullptr, [&](Session& session, Stream& on) {
    return copy_area(session, on, array, {x, y, 0}, {to, pitch, width, rows}, kind, false, "cudaMemcpy2DFromArray",
                     true);
  });
}
WARPIPE_ALSO(cudaMemcpy2DFromArray_ptds, cudaMemcpy2DFromArray);
WARPIPE_CALL Error cudaMemcpyToArray(void* array, std::size_t x, std::size_t y, const void* from, std::size_t bytes,
                                     int kind) {
  return answer_on(nullptr, [&](Session& session, Stream& on) {
    return copy_line(session, on, array, {x, y, 0}, from, bytes, kind, true, "cudaMemcpyToArray", true);
  });
}
WARPIPE_ALSO(cudaMemcpyToArray_ptds, cudaMemcpyToArray);
WARPIPE_CALL Error cudaMemcpyToArrayAsync(void* array, std::size_t x, std::size_t y, const void* from,
                                          std::size_t bytes, int kind, void* stream) {
  return answer_on(stream, [&](Session& session, Stream& on) {
    return copy_line(session, on, array, {x, y, 0}, from, bytes, kind, true, "cudaMemcpyToArrayAsync", false);
  });
}
WARPIPE_ALSO(cudaMemcpyToArrayAsync_ptsz, cudaMemcpyToArrayAsync);
WARPIPE_CALL Error cudaMemcpyFromArray(void* to, const void* array, std::size_t x, std::size_t y, std::size_t bytes,
                                       int kind) {
  return answer_on(nullptr, [&](Session& session, Stream& on) {
    return copy_line(session, on, array, {x, y, 0}, to, bytes, kind, false, "cudaMemcpyFromArray", true);
  });
}
WARPIPE_ALSO(cudaMemcpyFromArray_ptds, cudaMemcpyFromArray);
WARPIPE_CALL Error cudaMemcpyFromArrayAsync(void* to, const void* array, std::size_t x, std::size_t y,
                                            std::size_t bytes, int kind, void* stream) {
  return answer_on(stream, [&](Session& session, Stream& on) {
    return copy_line(session, on, array, {x, y, 0}, to, bytes, kind, false, "cudaMemcpyFromArrayAsync", false);
  });
}
WARPIPE_ALSO(cudaMemcpyFromArrayAsync_ptsz, cudaMemcpyFromArrayAsync);
WARPIPE_CALL Error cudaMemcpy2DArrayToArray(void* to, std::size_t to_x, std::size_t to_y, const void* from,
                                            std::size_t from_x, std::size_t from_y, std::size_t width, std::size_t rows,
                                            int kind) {
  return answer_on(nullptr, [&](Session& session, Stream& on) {
    const auto* const array = session.find_array(from);
    const auto other = array == nullptr ? std::nullopt : area_of(*array, {from_x, from_y, 0}, width, rows);
    if (!other) return kInvalidValue;
    return copy_area(session, on, to, {to_x, to_y, 0}, *other, kind, true, "cudaMemcpy2DArrayToArray", true);
  });
}
WARPIPE_ALSO(cudaMemcpy2DArrayToArray_ptds, cudaMemcpy2DArrayToArray);

// ---- objects ----

WARPIPE_CALL Error cudaCreateTextureObject(std::uint64_t* made, const Resource* resource, const TextureFormat* format,
                                           const void* view) {
  return answer([&](Session& session) {
    if (made == nullptr || resource == nullptr || format == nullptr) return kInvalidValue;
    if (view != nullptr) session.stop_at("cudaCreateTextureObject with a view of its resource");
    machine::Texture texture;
    if (const auto error = describe_resource(session, *resource, "cudaCreateTextureObject", texture); error != kSuccess)
      return error;
    if (const auto error = describe_sampling(session, *format, texture); error != kSuccess) return error;
    return put(made, session.add_texture(texture, {*resource, *format, false}));
  });
}
WARPIPE_CALL Error cudaDestroyTextureObject(std::uint64_t object) { return remove_object(object, false); }
WARPIPE_CALL Error cudaGetTextureObjectResourceDesc(Resource* resource, std::uint64_t object) {
  return answer([&](Session& session) { return tell(session, object, false, &TextureObject::resource, resource); });
}
WARPIPE_CALL Error cudaGetTextureObjectTextureDesc(TextureFormat* format, std::uint64_t object) {
  return answer([&](Session& session) { return tell(session, object, false, &TextureObject::format, format); });
}
WARPIPE_CALL Error cudaCreateSurfaceObject(std::uint64_t* made, const Resource* resource) {
  return answer([&](Session& session) {
    if (made == nullptr || resource == nullptr || resource->type != 0) return kInvalidValue;
    machine::Texture surface;
    if (const auto error = describe_resource(session, *resource, "cudaCreateSurfaceObject", surface); error != kSuccess)
      return error;
    return put(made, session.add_texture(surface, {*resource, {}, true}));
  });
}
WARPIPE_CALL Error cudaDestroySurfaceObject(std::uint64_t object) { return remove_object(object, true); }
WARPIPE_CALL Error cudaGetSurfaceObjectResourceDesc(Resource* resource, std::uint64_t object) {
  return answer([&](Session& session) { return tell(session, object, true, &TextureObject::resource, resource); });
}

}  // namespace warpipe::programs
