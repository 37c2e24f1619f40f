#include "matrix.hpp"

#include <algorithm>

#include "rows.hpp"

namespace warpipe::sass {
namespace {

/// @source bits of the shapes and types: one kernel for each mma and wgmma of PTX, compiled by ptxas 13.0
MatrixProduct of_halves(const Word& word) {
  const auto type = word.bits(82, 2);  // halves, bfloats, floats of 19 bits
  const bool wide_sum = word.bit(76);
  if (type == 2)
    return word.bit(78) ? MatrixProduct{"mma.tf32", 16, 8, 4, 4, 2, 1} : MatrixProduct{"mma.tf32", 16, 8, 8, 4, 4, 2};
  MatrixProduct made{wide_sum ? "mma.f16.f32" : "mma.f16", 16, 8, 8, wide_sum ? 4 : 2, 2, 1};
  made.guessed = type == 3;
  if (word.bit(75)) made.k = 16, made.left = 4, made.right = 2;
  return made;
}

MatrixProduct of_whole(const Word& word) {
  const bool nibbles = word.bits(83, 2) == 3;
  const auto shape = (word.bit(85) ? 4U : 0U) + (word.bit(86) ? 2U : 0U) + (word.bit(75) ? 1U : 0U);
  const int k = nibbles ? 2 : 1;
  const char* op = nibbles ? "mma.s4" : "mma.s8";
  switch (shape) {
    case 0:
    case 4:
      return {op, 8, 8, 16 * k, 2, 1, 1};
    case 2:
      return {op, 16, 8, 16 * k, 4, 2, 1};
    case 3:
      return nibbles ? MatrixProduct{op, 16, 8, 32, 4, 2, 1} : MatrixProduct{op, 16, 8, 32, 4, 4, 2};
    case 6:
      return {op, 16, 8, 32 * k, 4, 4, 2};
    default: {
      MatrixProduct made{op, 16, 8, 16 * k, 4, 2, 1};
      made.guessed = true;
      return made;
    }
  }
}

/// Of four warps: 64 rows, as many columns as five bits say.
MatrixProduct of_group(unsigned opcode, const Word& word) {
  const int columns = 8 * (static_cast<int>(word.bits(53, 5)) + 1);
  const bool wide_sum = word.bit(75);
  MatrixProduct made{"", 64, columns, 16, wide_sum ? columns / 2 : columns / 4, 0, 0, true};
  switch (opcode) {
    case 0x1f0:
      made.op = word.bit(77) ? "wgmma.tf32" : wide_sum ? "wgmma.f16.f32" : "wgmma.f16";
      if (word.bit(77)) made.k = 8;
      break;
    case 0x1f1:
      made.op = "wgmma.s8";
      made.n = columns / 2;  // as seen of 64 columns
      made.guessed = made.n != 64;
      made.k = 32;
      made.sums = made.n / 2;
      break;
    default:
      made.op = wide_sum ? "wgmma.f8.f32" : "wgmma.f8";
      made.k = 32;
  }
  return made;
}

}  // namespace

int MatrixProduct::pieces() const { return std::max(1, m * n * k / (of_group ? 4 : 1) / 256); }
int MatrixProduct::flops() const { return 2 * m * n * k / (of_group ? 128 : 32); }

std::optional<MatrixProduct> matrix_product(const Decoded& decoded) {
  if (decoded.row == nullptr || decoded.row->layout != Layout::Matrix) return std::nullopt;
  const auto& word = decoded.word;
  const unsigned opcode = decoded.row->opcode;
  MatrixProduct made;
  switch (opcode) {
    case 0x03c:
      return of_halves(word);
    case 0x037:
      return of_whole(word);
    case 0x03d:
      made = {"mma.b1", 16, 8, 256, 4, 4, 2};
      made.guessed = (word.bits(72, 19) & ~std::uint64_t{0x180}) != 0x54;
      return made;
    case 0x03f:
      made = {"mma.f64", 8, 8, 4, 4, 2, 2};
      made.guessed = word.bits(72, 9) != 0;
      return made;
    case 0x07a:
      return MatrixProduct{"mma.f8.f32", 16, 8, 32, 4, 4, 2};
    default:
      return of_group(opcode, word);
  }
}

}  // namespace warpipe::sass
