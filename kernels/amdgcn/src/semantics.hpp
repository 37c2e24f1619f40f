#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/isa/lane_operation.hpp"

/// The semantics in rows of the opcode table, as text: "scc=carry.u32(a,b);d=add.u32(a,b)".

namespace warpipe::amdgcn {

/// An operation on expressions, a name, or a number.
struct Expression {
  isa::LaneOperation operation;  ///< of a name or a number: Move
  std::vector<Expression> inputs;
  std::string name;  ///< of an operand of the row (a, b, c, e, n; d, x, m: what it holds before), of a register that
                     ///< the instruction does not name (scc, vcc, exec), of a number of its own (t, u) or of `lane`
  std::uint64_t number = 0;
  bool is_unknown = false;  ///< "?": not followed
};

struct Statement {
  std::string to;  ///< a name
  Expression value;
};

/// @throws std::logic_error for a text that cannot be parsed: a mistake in the table
std::vector<Statement> parse_semantics(std::string_view text);

}  // namespace warpipe::amdgcn
