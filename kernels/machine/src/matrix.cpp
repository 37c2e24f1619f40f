// Products of small matrices, held in parts by the lanes of a warp, and moves of such parts.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "cells.hpp"
#include "group.hpp"
#include "matrix_numbers.hpp"

namespace warpipe::machine {

double small_float(std::uint64_t bits, int fraction_bits) {
  const int exponent_bits = 7 - fraction_bits, bias = (1 << (exponent_bits - 1)) - 1;
  const auto fraction = static_cast<double>(bits & ((1U << fraction_bits) - 1));
  const auto exponent = static_cast<int>((bits >> fraction_bits) & ((1U << exponent_bits) - 1));
  if (fraction_bits == 2 && exponent == 31) return fraction == 0 ? (bits >> 7 != 0 ? -INFINITY : INFINITY) : NAN;
  if (fraction_bits == 3 && (bits & 127) == 127) return NAN;
  const double size = exponent == 0 ? std::ldexp(fraction, 1 - bias - fraction_bits)
                                    : std::ldexp(1.0 + std::ldexp(fraction, -fraction_bits), exponent - bias);
  return (bits >> 7) != 0 ? -size : size;
}

using isa::Format;
using Kind = isa::Type::Kind;

double matrix_number(std::uint64_t bits, isa::Type type, Format format) {
  if (type.kind != Kind::Float)
    return type.kind == Kind::Signed ? static_cast<double>(isa::sign_extended(bits, type.bits))
                                     : static_cast<double>(isa::truncated(bits, type.bits));
  switch (type.bits) {
    case 64:
      return std::bit_cast<double>(bits);
    case 32:
      // Of numbers for products the last 13 bits do not count.
      if (format == Format::Tensor) bits &= 0xffffe000;
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case 16: {
      const auto half = static_cast<std::uint16_t>(bits);
      return static_cast<double>(format == Format::Brain ? brain_to_float(half) : half_to_float(half));
    }
    default:
      return small_float(isa::truncated(bits, 8), format == Format::E4M3 ? 3 : 2);
  }
}

std::uint64_t matrix_bits(double value, isa::Type type, Format format, bool saturate) {
  if (type.kind != Kind::Float) {
    if (saturate) value = std::clamp(value, -2147483648.0, 2147483647.0);
    return isa::truncated(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)), 32);
  }
  if (type.bits == 64) return std::bit_cast<std::uint64_t>(value);
  if (type.bits == 16) return format == Format::Brain ? brain_from(value) : half_from(value);
  return std::isnan(value) ? 0x7fffffff : std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

int parts_of(isa::Type type) { return type.bits >= 32 ? 1 : 32 / type.bits; }

void demand_all_lanes(const Lanes& lanes, const Step& step) {
  constexpr Mask kAllLanes = 0xffffffff;
  if ((lanes.active & kAllLanes) != kAllLanes)
    fail(static_cast<const Warp&>(lanes), step.instruction, Fault::Kind::NotSupported,
         "what all lanes of a warp do together is executed by some of them only");
}

namespace {

constexpr std::size_t kMostRows = 16, kMostDepth = 64, kMostColumns = 8;

}  // namespace

/// @source PTX ISA, "Matrix fragments for mma": lane / 4 is the row of a, c and d and the column of b; lane % 4 the
/// columns. Sums are calculated in double precision and rounded once, where hardware rounds in its own way.
void multiply_matrices(Lanes& lanes, const Step& step) {
  if (lanes.active == 0) return;
  demand_all_lanes(lanes, step);
  const auto& more = *static_cast<const OperationMore*>(step.more);
  const auto& shape = more.operation.matrix;
  std::array<std::array<double, kMostDepth>, kMostRows> a{};
  std::array<std::array<double, kMostColumns>, kMostDepth> b{};
  std::array<std::array<double, kMostColumns>, kMostRows> sums{};
  std::size_t input = 0;
  const auto for_each = [&](int rows, int columns, isa::Type type, bool of_b, const auto& each) {
    const int parts = parts_of(type), registers = rows * columns / (32 * parts);
    for (int reg = 0; reg < registers; ++reg, ++input)
      for (int lane = 0; lane < 32; ++lane)
        for (int part = 0; part < parts; ++part) {
          const int across = lane / 4;
          int along = lane % 4 * parts + part, row = across;
          if (of_b) {
            along += reg * 4 * parts;
          } else {
            const bool two = rows == 16;
            row += two && reg % 2 == 1 ? 8 : 0;
            along += (two ? reg / 2 : reg) * 4 * parts;
          }
          each(static_cast<std::size_t>(row), static_cast<std::size_t>(along), static_cast<std::size_t>(lane),
               part * (type.bits >= 32 ? 0 : type.bits));
        }
  };
  for_each(shape.m, shape.k, shape.a, false, [&](std::size_t row, std::size_t column, std::size_t lane, int shift) {
    a[row][column] = matrix_number(cell(lanes, more.inputs[input], lane) >> shift, shape.a, shape.a_format);
  });
  for_each(shape.n, shape.k, shape.b, true, [&](std::size_t column, std::size_t row, std::size_t lane, int shift) {
    b[row][column] = matrix_number(cell(lanes, more.inputs[input], lane) >> shift, shape.b, shape.b_format);
  });
  // Of c and d each lane has two neighbours in a row, whatever their type.
  const auto for_each_sum = [&](isa::Type type, const auto& each) {
    const int parts = parts_of(type);
    for (int index = 0; index < shape.m * shape.n / 32; ++index)
      for (int lane = 0; lane < 32; ++lane)
        each(static_cast<std::size_t>(lane / 4 + index / 2 * 8), static_cast<std::size_t>(lane % 4 * 2 + index % 2),
             static_cast<std::size_t>(index / parts), static_cast<std::size_t>(lane), index % parts * 16);
  };
  for_each_sum(shape.c, [&](std::size_t row, std::size_t column, std::size_t reg, std::size_t lane, int shift) {
    sums[row][column] = matrix_number(cell(lanes, more.inputs[input + reg], lane) >> shift, shape.c, Format::Standard);
  });
  for (std::size_t row = 0; row < static_cast<std::size_t>(shape.m); ++row)
    for (std::size_t k = 0; k < static_cast<std::size_t>(shape.k); ++k)
      for (std::size_t column = 0; column < kMostColumns; ++column) sums[row][column] += a[row][k] * b[k][column];
  for_each_sum(shape.d, [&](std::size_t row, std::size_t column, std::size_t reg, std::size_t lane, int shift) {
    const auto bits = matrix_bits(sums[row][column], shape.d, Format::Standard, more.operation.saturate);
    if (parts_of(shape.d) == 1) return set_cell(lanes, more.outputs[reg], lane, bits);
    const auto mask = std::uint64_t{0xffff} << shift;
    const auto before = shift == 0 ? 0 : cell(lanes, more.outputs[reg], lane);
    set_cell(lanes, more.outputs[reg], lane, (before & ~mask) | (bits << shift));
  });
}

/// ldmatrix and stmatrix: in[0] are the addresses of rows, eight lanes a matrix.
void move_matrices(Lanes& lanes, const Step& step) {
  if (lanes.active == 0) return;
  auto& warp = warp_of(lanes);
  demand_all_lanes(lanes, step);
  const auto& more = *static_cast<const OperationMore*>(step.more);
  const auto& matrix = more.operation.matrix;
  const bool stores = more.operation.op == isa::LaneOp::MatrixStore;
  const auto* addresses = wide_cells(lanes, step.in[0]);
  warp.writes += stores ? 1 : 0;
  for (std::size_t m = 0; m < static_cast<std::size_t>(matrix.matrices); ++m) {
    std::array<std::array<std::uint16_t, 8>, 8> rows{};
    std::array<std::byte*, 8> places{};
    for (std::size_t row = 0; row < 8; ++row) {
      const auto address = addresses[m * 8 + row] & ~isa::kWindowMask;
      places[row] = memory_at(warp, isa::Space::Shared, m * 8 + row, address, 16);
      if (places[row] == nullptr)
        fail(warp, step.instruction, Fault::Kind::OutOfBounds,
             fmt::format("16 bytes at {:#x} of the shared memory, which has {} bytes", address,
                         warp.worker->execution.shared_bytes),
             m * 8 + row, address);
      if (address % 16 != 0)
        fail(warp, step.instruction, Fault::Kind::Misaligned,
             fmt::format("16 bytes at address {:#x}, which is no multiple of 16", address), m * 8 + row, address);
      if (!stores) std::memcpy(rows[row].data(), places[row], 16);
    }
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const std::size_t across = lane / 4, along = lane % 4 * 2;
      auto& low = matrix.transposed ? rows[along][across] : rows[across][along];
      auto& high = matrix.transposed ? rows[along + 1][across] : rows[across][along + 1];
      if (!stores) {
        set_cell(lanes, more.outputs[m], lane, low | (std::uint64_t{high} << 16));
        continue;
      }
      const auto bits = cell(lanes, more.inputs[m], lane);
      low = static_cast<std::uint16_t>(bits);
      high = static_cast<std::uint16_t>(bits >> 16);
    }
    if (stores)
      for (std::size_t row = 0; row < 8; ++row) std::memcpy(places[row], rows[row].data(), 16);
  }
}

void transpose_matrix(Lanes& lanes, const Step& step) {
  if (lanes.active == 0) return;
  demand_all_lanes(lanes, step);
  const auto& more = *static_cast<const OperationMore*>(step.more);
  std::array<std::array<std::uint16_t, 8>, 8> rows{};
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const auto bits = cell(lanes, more.inputs[0], lane);
    rows[lane / 4][lane % 4 * 2] = static_cast<std::uint16_t>(bits);
    rows[lane / 4][lane % 4 * 2 + 1] = static_cast<std::uint16_t>(bits >> 16);
  }
  for (std::size_t lane = 0; lane < 32; ++lane)
    set_cell(lanes, more.outputs[0], lane,
             rows[lane % 4 * 2][lane / 4] | (std::uint64_t{rows[lane % 4 * 2 + 1][lane / 4]} << 16));
}

}  // namespace warpipe::machine
