#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "calls.hpp"

namespace warpipe::programs {

/// Rows of bytes.
struct Area {
  const void* begin = nullptr;
  std::size_t pitch = 0, width = 0, rows = 1;

  std::size_t bytes() const { return width == 0 || rows == 0 ? 0 : (rows - 1) * pitch + width; }
};

/// Whether device memory holds all of it.
bool is_on_device(Session& session, const Area& area);

/// Copies the bytes of an area to another area of the same width and rows, layer by layer.
/// @param layers  to where, and from where
/// @param kind    as CopyKind
/// @param name    of the call
/// @param waits   the host does, until it is done
cuda::Error copy(Session& session, Stream& stream, std::vector<std::pair<Area, Area>> layers, int kind,
                 const char* name, bool waits);

/// As copy, of bytes in a row.
cuda::Error copy_bytes(Session& session, Stream& stream, void* to, const void* from, std::size_t bytes, int kind,
                       const char* name, bool waits);

/// The value that a set writes repeatedly.
struct Pattern {
  std::uint32_t value = 0;
  std::size_t bytes = 1;  ///< of the value: 1, 2 or 4
};

/// Fills layers of device memory, each row with as many patterns as its width holds.
/// @param name  of the call
cuda::Error set(Session& session, Stream& stream, const std::vector<Area>& layers, Pattern pattern, const char* name);

/// The rows of an array's plane from a place on.
/// @param at     bytes, rows, planes
/// @param width  bytes
/// @return nothing where the array does not have them
std::optional<Area> area_of(const Array& array, const cuda::Position& at, std::size_t width, std::size_t rows);

}  // namespace warpipe::programs
