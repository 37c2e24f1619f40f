#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "symbolic/forms.hpp"
#include "warpipe/isa/lane_operation.hpp"

namespace warpipe::isa {

/// The results of operations within a lane, as forms.
///
/// A register of so many bits holds a form modulo 2^bits: sums, products and shifts continue with any number of the
/// residue class; operations on a number's size (comparisons, divisions, conversions to wider types) take the number
/// within the type. Where the range does not tell it, the number within the type is a remainder: exact, too, if long.
/// While the arena guesses, no number is taken to leave its type, nor a sum to carry.
class LaneForms {
 public:
  /// @param place  names the unknown results of this operation
  LaneForms(Forms& forms, std::uint32_t place) : forms_(forms), place_(place) {}

  /// An input: a number modulo 2^bits.
  struct Operand {
    Form form;
    int bits = 32;
  };

  Form result(const LaneOperation& operation, std::span<const Operand> inputs);
  Form second_result(const LaneOperation& operation, std::span<const Operand> inputs, Form first);

  /// The number of the class within a type.
  Form within(Form number, Type type);
  Form within(Form number, int bits) { return within(number, Type{Type::Kind::Unsigned, bits}); }
  /// Another number of the class, without multiples of the modulus.
  Form lowest(Form number, int bits);
  /// A number known by its type alone, with the reasons of its inputs, or else `reason`.
  Form unknown(Type type, std::span<const Operand> inputs, Reasons reason);

  /// A logic function of three inputs, by its table: of input a bit 2 of an index, of b bit 1, of c bit 0.
  Form logic(std::uint64_t table, Form a, Form b, Form c, Type type);

 private:
  using Operands = std::span<const Operand>;
  Form whole(const LaneOperation& operation, Operands inputs);
  Form from_constants(const LaneOperation& operation, Operands inputs);
  Form narrowed(Form number, int bits);
  Form compared(const LaneOperation& operation, Operands inputs);
  Form multiplied(const LaneOperation& operation, Operands inputs);
  Form divided(const LaneOperation& operation, Operands inputs);
  Form masked(Form number, Form mask, Type type);
  Form shifted_left(Form number, Form distance, int bits);
  Form shifted_right(const LaneOperation& operation, Operands inputs);
  Form funnel(const LaneOperation& operation, Operands inputs);
  Form converted(const LaneOperation& operation, Operands inputs);
  Form field(Form number, std::int64_t from, std::int64_t bits);
  Form permuted(const LaneOperation& operation, Operands inputs);
  Form number(std::int64_t whole) { return forms_.constant(whole); }
  std::optional<std::int64_t> constant(Operand operand) const { return forms_.number(operand.form); }

  Forms& forms_;
  std::uint32_t place_;
};

}  // namespace warpipe::isa
