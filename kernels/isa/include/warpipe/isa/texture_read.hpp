#pragma once

#include "warpipe/isa/program.hpp"

namespace warpipe::isa {

/// A lane's read of a texture or a surface.
struct TextureRead {
  int words = 1;         ///< of 4 bytes, of a texel: 1, 2 or 4
  bool surface = false;  ///< no sampler stands between
  bool linear = false;   ///< weighted from the texels around
  bool solid = false;    ///< of three dimensions
};

/// The turns of a warp at the texture unit, each turn 32 words of 4 bytes.
/// @source bench/validation/single_effects/measured_h100.csv, cycles of a warp on a unit, 4.2 for the first turn and 4
/// for each further turn: a surface 4.2 and 16.2 with 1 and 4 words, the nearest texel 8.2 and 16.2, linear 8.2
/// and 32.2 in two dimensions, 16.2 and 128.4 in three. Of 2 words: half the time of 4, in three dimensions twice the
/// time of 1, a guess
int turns_of(const TextureRead& read);

/// Makes an instruction reach a texture or a surface. The choice of texels is not followed: neighbouring texels in
/// neighbouring lanes, held by L2, an estimate.
void reach_texture(const TextureRead& read, Instruction& made);

}  // namespace warpipe::isa
