#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "routine.hpp"
#include "warpipe/isa/program.hpp"

/// The PTX instructions of tensor cores, and of the copies that feed them.

namespace warpipe::ptx {

/// A product of matrices, or the part done by a warp of a group of four.
struct MatrixProduct {
  std::string op;                  ///< "mma.f16.f32"
  std::int64_t multiply_adds = 0;  ///< of a warp
  bool sparse = false;             ///< half of them are known to be zero, and not done
};
/// @return nothing for all other instructions, and for unknown types
std::optional<MatrixProduct> matrix_product(const Instruction& instruction);

/// The pieces of 256 multiply-adds in a product: the unit of the tables' ops.
std::int64_t pieces_of(const MatrixProduct& product);

/// A part of a matrix between memory and the registers of a warp: wmma.load, wmma.store, ldmatrix, stmatrix.
struct MatrixAccess {
  bool store = false;
  StateSpace space = StateSpace::Shared;
  std::int64_t rows = 8, row_bytes = 16;  ///< rows of an 8 x 8 matrix have addresses of their own
  std::int64_t element_bytes = 2;
  const Operand* address = nullptr;
  const Operand* pitch = nullptr;  ///< elements from row to row; null: of ldmatrix, or rows without gaps
  bool of_lanes = false;           ///< each lane gives the address of a row
};
std::optional<MatrixAccess> matrix_access(const Instruction& instruction);

/// Whether the lanes copy from global to shared memory and go on at once.
bool is_lane_copy(const Instruction& instruction);

/// The effect of asynchronous copies and products on the counters of their groups.
isa::Timing timing_of(const Instruction& instruction);

/// The ops of all these instructions; nothing for the rest.
std::optional<std::vector<std::string>> matrix_ops(const Instruction& instruction);

}  // namespace warpipe::ptx
