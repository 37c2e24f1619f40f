// Matrices held together by the lanes of a warp in an order that PTX leaves open (wmma), and their products. Here
// number i of a matrix, row after row, is in lane i / P at place i modulo P, where a lane has P numbers; where the
// lanes have more places than the matrix has numbers, it begins anew.
#include <algorithm>
#include <array>
#include <cstring>

#include "cells.hpp"
#include "matrix_numbers.hpp"

namespace warpipe::machine {
namespace {

using isa::Format;
constexpr std::size_t kMostNumbers = 32 * 32;

/// Calls each(number of the matrix, register, lane, bits to shift) for all numbers in lanes.
template <class Each>
void for_each_number(std::size_t numbers, std::size_t registers, isa::Type type, const Each& each) {
  const auto parts = static_cast<std::size_t>(parts_of(type));
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    for (std::size_t i = 0; i < registers * parts; ++i)
      each((lane * registers * parts + i) % numbers, i / parts, lane, static_cast<int>(i % parts) * type.bits);
}

std::size_t size_of(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

/// Sets a part of a register.
void set_part(const Lanes& lanes, const AccessMore::Cells& cells, std::size_t lane, int shift, int bits,
              std::uint64_t number) {
  if (bits >= 32) return set_cell(lanes, cells, lane, number);
  const auto mask = ((std::uint64_t{1} << bits) - 1) << shift;
  set_cell(lanes, cells, lane, (cell(lanes, cells, lane) & ~mask) | ((number << shift) & mask));
}

using MatrixNumbers = std::array<double, kMostNumbers>;

/// The matrix whose registers begin at an input.
void read_matrix(const Lanes& lanes, const OperationMore& more, std::size_t first, std::size_t registers,
                 std::size_t numbers, isa::Type type, Format format, MatrixNumbers& matrix) {
  for_each_number(numbers, registers, type, [&](std::size_t number, std::size_t reg, std::size_t lane, int shift) {
    matrix[number] = matrix_number(cell(lanes, more.inputs[first + reg], lane) >> shift, type, format);
  });
}

/// The registers per lane of a factor of a product: factors of halves have room for 16 numbers in each lane, the rest
/// for the numbers of the matrix.
std::size_t registers_of_factor(std::size_t numbers, isa::Type type, Format format) {
  constexpr std::size_t kOfHalves = 8;
  if (type.bits == 16 && format == Format::Standard) return kOfHalves;
  return numbers / (kLanes * static_cast<std::size_t>(parts_of(type)));
}

}  // namespace

/// The addresses are taken from the first lane, as PTX demands the same in all lanes.
void move_fragment(Lanes& lanes, const Step& step) {
  if (lanes.active == 0) return;
  demand_all_lanes(lanes, step);
  auto& warp = warp_of(lanes);
  const auto& more = *static_cast<const OperationMore*>(step.more);
  const auto& access = warp.worker->execution.code.accesses[step.number];
  const auto& operation = more.operation;
  const bool stores = operation.op == isa::LaneOp::FragmentStore;
  const auto& registers = stores ? more.inputs : more.outputs;
  const auto count = registers.size() - (stores ? 1 : 0), parts = static_cast<std::size_t>(parts_of(operation.type));
  const auto first = wide_cells(lanes, step.in[0])[0], pitch = cell(lanes, more.inputs.back(), 0);
  const auto columns = static_cast<std::size_t>(operation.matrix.n), bytes = static_cast<std::size_t>(access.bytes);
  const auto numbers = size_of(operation.matrix.m, operation.matrix.n);
  warp.writes += stores ? 1 : 0;
  alignas(kAlignment) std::array<std::uint64_t, kLanes> addresses{}, room{};
  for (std::size_t i = 0; i < count * parts; ++i) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const auto number = (lane * count * parts + i) % numbers, row = number / columns, column = number % columns;
      addresses[lane] = first + (operation.matrix.transposed ? column * pitch + row : row * pitch + column) * bytes;
    }
    const auto* const at = host_addresses(warp, step, access, addresses.data(), room.data());
    const int shift = static_cast<int>(i % parts) * operation.type.bits;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      auto* const place = reinterpret_cast<std::byte*>(at[lane]);  // NOLINT: an address of this process
      std::uint64_t bits = stores ? cell(lanes, registers[i / parts], lane) >> shift : 0;
      stores ? std::memcpy(place, &bits, bytes) : std::memcpy(&bits, place, bytes);
      if (!stores) set_part(lanes, registers[i / parts], lane, shift, operation.type.bits, bits);
    }
  }
}

/// Sums are calculated in double precision and rounded once.
void multiply_fragments(Lanes& lanes, const Step& step) {
  if (lanes.active == 0) return;
  demand_all_lanes(lanes, step);
  const auto& more = *static_cast<const OperationMore*>(step.more);
  const auto& shape = more.operation.matrix;
  const auto m = static_cast<std::size_t>(shape.m), n = static_cast<std::size_t>(shape.n);
  const auto k = static_cast<std::size_t>(shape.k);
  const auto of_a = registers_of_factor(m * k, shape.a, shape.a_format);
  const auto of_b = registers_of_factor(k * n, shape.b, shape.b_format);
  const auto of_sums = [&](isa::Type type) { return m * n / (kLanes * static_cast<std::size_t>(parts_of(type))); };
  if (more.inputs.size() != of_a + of_b + of_sums(shape.c) || more.outputs.size() != of_sums(shape.d) ||
      std::max({m * k, k * n, m * n}) > kMostNumbers)
    return refuse(lanes, step);
  MatrixNumbers a, b, sums;
  read_matrix(lanes, more, 0, of_a, m * k, shape.a, shape.a_format, a);
  read_matrix(lanes, more, of_a, of_b, k * n, shape.b, shape.b_format, b);
  read_matrix(lanes, more, of_a + of_b, of_sums(shape.c), m * n, shape.c, Format::Standard, sums);
  for (std::size_t row = 0; row < m; ++row)
    for (std::size_t i = 0; i < k; ++i)
      for (std::size_t column = 0; column < n; ++column) sums[row * n + column] += a[row * k + i] * b[i * n + column];
  for_each_number(m * n, of_sums(shape.d), shape.d,
                  [&](std::size_t number, std::size_t reg, std::size_t lane, int shift) {
                    const auto bits = matrix_bits(sums[number], shape.d, Format::Standard, more.operation.saturate);
                    set_part(lanes, more.outputs[reg], lane, shift, shape.d.bits, bits);
                  });
}

}  // namespace warpipe::machine
