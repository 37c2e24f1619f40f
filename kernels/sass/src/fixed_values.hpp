#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "decode.hpp"

namespace warpipe::sass {

/// A number known from the code alone, or the distance of an address from the start of the parameters.
struct FixedValue {
  std::int64_t number = 0;
  bool of_parameters = false;
};

/// The nearest instruction before `index` that writes a register or a uniform register.
/// @return its index; nothing where the code begins before
std::optional<std::size_t> nearest_writer(std::span<const Decoded> code, std::size_t index, const Operand& operand);

/// The value of an operand where an instruction reads it, from its nearest writers before: moves, and sums with numbers
/// in the code.
/// @param code        all instructions of a kernel
/// @param index       of the reader
/// @param parameters  the place in bank 0 of the parameters' address, from which distances count
std::optional<FixedValue> fixed_value(std::span<const Decoded> code, std::size_t index, const Operand& operand,
                                      std::uint64_t parameters);

}  // namespace warpipe::sass
