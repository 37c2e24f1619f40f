#pragma once

#include <optional>
#include <string>

#include "decode.hpp"

namespace warpipe::sass {

/// A product of matrices of a warp, or of four warps.
struct MatrixProduct {
  std::string op;  ///< "mma.f16.f32"
  int m = 0, n = 0, k = 0;
  int sums = 0, left = 0, right = 0;  ///< registers of a lane
  bool of_group = false;              ///< of four warps
  bool guessed = false;               ///< its shape has not been seen

  int pieces() const;  ///< of 256 multiply-adds, of one warp
  int flops() const;   ///< of one lane
};

/// @return nothing for any other instruction
std::optional<MatrixProduct> matrix_product(const Decoded& decoded);

}  // namespace warpipe::sass
