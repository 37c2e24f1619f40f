#include "matrix.hpp"

#include <cstring>

#include "rows.hpp"

namespace warpipe::sass {

std::optional<MatrixProduct> matrix_product(const Decoded& decoded, int) {
  if (decoded.row == nullptr || decoded.row->layout != Layout::Matrix) return std::nullopt;
  MatrixProduct made;
  made.op = "mma.f16.f32";
  made.guessed = true;
  return made;
}

}  // namespace warpipe::sass
