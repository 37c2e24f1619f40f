#pragma once

#include <array>
#include <cstdint>

#include "warpipe/isa/type.hpp"

namespace warpipe::machine {

/// A texture or a surface of kernels: texels in memory that kernels reach, and the mapping of coordinates to them.
struct Texture {
  /// The texels for coordinates outside. Wrap and Mirror need coordinates from 0 to 1, else they are Clamp.
  enum class Outside { Wrap, Clamp, Mirror, Border };

  std::uint64_t data = 0;                     ///< address of the first texel
  std::array<std::int64_t, 3> size{1, 1, 1};  ///< texels, rows, planes or layers
  std::int64_t row_bytes = 0, plane_bytes = 0;
  int channels = 1;                               ///< 1, 2 or 4
  isa::Type channel{isa::Type::Kind::Float, 32};  ///< 8, 16 or 32 bits; floats of 16 or 32
  std::array<Outside, 3> outside{Outside::Clamp, Outside::Clamp, Outside::Clamp};
  std::array<double, 4> border{};
  bool interpolates = false;     ///< between the texels around, by weights of 8 bits
  bool is_normalised = false;    ///< coordinates go from 0 to 1
  bool reads_fractions = false;  ///< whole numbers are read as floats from 0 or -1 to 1

  std::int64_t texel_bytes() const { return std::int64_t{channels} * channel.bits / 8; }
  /// From the first texel to the end of the last.
  std::int64_t bytes() const {
    return (size[2] - 1) * plane_bytes + (size[1] - 1) * row_bytes + size[0] * texel_bytes();
  }
};

}  // namespace warpipe::machine
