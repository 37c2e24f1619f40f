#pragma once

#include <optional>
#include <string>

#include "decode.hpp"

namespace warpipe::sass {

/// A product of matrices of a warp.
struct MatrixProduct {
  std::string op;         ///< "mma.f16.f32"
  int pieces = 1;         ///< of 256 multiply-adds
  int flops = 0;          ///< of one lane
  bool guessed = false;   ///< its shape is not read from the bits
};

/// @return nothing where it is none
std::optional<MatrixProduct> matrix_product(const Decoded& decoded, int architecture);

}  // namespace warpipe::sass
