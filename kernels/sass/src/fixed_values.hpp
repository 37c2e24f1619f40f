#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "decode.hpp"

namespace warpipe::sass {

/// A number that the code itself says, or how far behind the start of the parameters an address lies.
struct FixedValue {
  std::int64_t number = 0;
  bool of_parameters = false;
};

/// The nearest instruction before one that writes a register or a uniform one.
/// @return its index; nothing where the code begins before
std::optional<std::size_t> nearest_writer(std::span<const Decoded> code, std::size_t index, const Operand& operand);

/// What an operand holds where an instruction reads it, by the nearest instructions before it that write it: moves, and
/// sums with numbers that the code says.
/// @param code        all instructions of a kernel
/// @param index       of the one that reads
/// @param parameters  the place in bank 0 of the address that is counted from
std::optional<FixedValue> fixed_value(std::span<const Decoded> code, std::size_t index, const Operand& operand,
                                      std::uint64_t parameters);

}  // namespace warpipe::sass
