#include "opcodes.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "group_barriers.hpp"
#include "matrix.hpp"
#include "opcode_table.hpp"

namespace warpipe::ptx {
namespace {

using Ops = std::vector<std::string>;
using Kind = Type::Kind;

/// An estimate: a float's reciprocal, the quotient from it, and two corrections.
const Ops kDivision32{"convert", "rcp",  "iadd",    "convert", "imul",    "imad",
                      "imad",    "imad", "compare", "iadd",    "compare", "select"};

/// The path where no lane needs the call for numbers at the ends of the range.
/// @source machine code of ptxas 13.0 for sm_90, without BSSY and BSYNC
const Ops kReciprocal{"iadd", "logic", "compare", "branch", "ffma", "fadd", "ffma", "rcp"};
const Ops kRoot{"iadd", "compare", "branch", "fmul", "fmul", "ffma", "ffma", "sqrt"};

/// Functions of floats that keep subnormal numbers: these are scaled before, and the result after. The last op is the
/// class under which the report counts the instruction, so it is not where it issues.
/// @source machine code of ptxas 13.0 for sm_90; with .ftz the function stands alone
const std::map<std::string, Ops, std::less<>> kOfSubnormals{{"ex2", {"compare", "fmul", "fmul", "exp2"}},
                                                            {"lg2", {"compare", "fmul", "fadd", "log2"}},
                                                            {"rsqrt", {"compare", "fmul", "fmul", "rsqrt"}},
                                                            {"div", {"compare", "select", "fmul", "rcp", "fmul"}}};

bool is_double(Type type) { return type.kind == Kind::Float && type.bits == 64; }
bool is_half(Type type) { return type.kind == Kind::Float && type.bits == 16; }
bool is_single(Type type) { return type.kind == Kind::Float && type.bits == 32; }

/// Two halves in a register.
bool is_packed(const Instruction& instruction) { return instruction.has("f16x2") || instruction.has("bf16x2"); }

std::string_view by_type(const IssuedOps& ops, Type type) {
  if (type.kind == Kind::Float) return type.bits == 64 ? ops.twice : type.bits == 32 ? ops.single : ops.half;
  return type.bits > 32 ? ops.wide : ops.whole;
}

/// The ops of a column of the table; nothing for an instruction that does not exist.
std::optional<Ops> listed(std::string_view ops) {
  if (ops.empty()) return std::nullopt;
  Ops list;
  for (std::size_t begin = 0; ops != "-" && begin < ops.size();) {
    const auto end = std::min(ops.find(' ', begin), ops.size());
    list.emplace_back(ops.substr(begin, end - begin));
    begin = end + 1;
  }
  return list;
}

std::string with_width(std::string op, int bytes) {
  if (bytes > 8) return op + ".128";
  return bytes > 4 ? op + ".64" : op;
}

/// Load, compute, compare and swap, and again where another lane came first.
Ops retry_ops(const Instruction& instruction) {
  const auto type = instruction.type();
  const bool two = type.bits == 64;
  Ops ops{two ? "shared.load.64" : "shared.load"};
  if (type.kind == Kind::Float) {
    const bool halves = type.bits == 16 || instruction.has("f16x2") || instruction.has("bf16x2");
    ops.emplace_back(halves ? "hfma" : two ? "dadd" : "fadd");
  } else {
    const bool orders = instruction.has("min") || instruction.has("max");
    ops.insert(ops.end(), 2, orders ? "compare" : instruction.has("add") ? "iadd" : "logic");
  }
  ops.emplace_back("shared.atomic");
  ops.insert(ops.end(), two ? 2 : 1, "compare");
  ops.emplace_back("branch");
  return ops;
}

Ops access_ops(const Instruction& instruction) {
  const auto& opcode = instruction.opcode();
  const int bytes = instruction.type().bits / 8 * instruction.vector_length();
  const bool store = opcode == "st";
  switch (instruction.space()) {
    case StateSpace::Shared:
      if (retries(instruction)) return retry_ops(instruction);
      if (opcode == "atom" || opcode == "red") return {"shared.atomic"};
      return {with_width(store ? "shared.store" : "shared.load", bytes)};
    case StateSpace::Constant:
      return {"constant.load"};
    default:  // the stack of a thread is memory, too: the kernel's arrays mark it as thread-private
      if (opcode == "atom" || opcode == "red") return {"global.atomic"};
      return {with_width(store ? "global.store" : "global.load", bytes)};
  }
}

Ops convert_ops(const Instruction& instruction) {
  const auto from = instruction.type();
  const auto to = instruction.first_type();
  const bool whole = from.kind != Kind::Float && to.kind != Kind::Float;
  if (whole && to.bits <= from.bits) return {"iadd"};
  if (whole) return from.kind == Kind::Signed ? Ops{"shift"} : Ops{"iadd"};
  // Half of a register is widened by an addition of zero, from compute capability 5.3 on.
  // A bf16 is the upper half of a float.
  if (is_half(from) && is_single(to)) return {instruction.has("bf16") ? "shift" : "hfma"};
  // Rounding to half a register packs it, as integer units do from compute capability 7.5 on: on an H100 the special
  // function units execute none of it (bench/validation/todays_kernels/counters_h100.csv, rms_norm_residual).
  if (is_single(from) && is_half(to)) return {"logic"};
  if (instruction.has("sat") && is_single(from) && is_single(to)) return {"fadd"};
  return {from.bits == 64 || to.bits == 64 ? "convert.64" : "convert"};
}

Ops division_ops(const Instruction& instruction) {
  const auto type = instruction.type();
  if (is_double(type)) return {"ddiv"};
  if (type.kind == Kind::Float) return instruction.has("rn") ? Ops{"fdiv"} : Ops{"rcp", "fmul"};
  Ops ops = kDivision32;
  const int repeats = type.bits > 32 ? 4 : 1;
  for (int i = 1; i < repeats; ++i) ops.insert(ops.end(), kDivision32.begin(), kDivision32.end());
  if (instruction.opcode() == "rem") ops.emplace_back("imad");
  return ops;
}

bool is_index(const Instruction& instruction) {
  return instruction.operands.size() == 2 && instruction.operands[1].kind == Operand::Kind::Special;
}

}  // namespace

std::optional<Ops> ops_of(const Instruction& instruction) {
  const auto& opcode = instruction.opcode();
  if (const auto ops = asynchronous_ops(instruction)) return ops;
  if (const auto ops = matrix_ops(instruction)) return ops;
  if (is_access(instruction)) return access_ops(instruction);
  if (ends_in_error(instruction)) return Ops{};
  if (opcode == "ld" || opcode == "st") return Ops{"constant.load"};  // of parameters
  if (opcode == "cvt") return convert_ops(instruction);
  const bool single = is_single(instruction.type()) && !is_packed(instruction);
  if (single && instruction.has("approx") && !instruction.has("ftz"))
    if (const auto scaled = kOfSubnormals.find(opcode); scaled != kOfSubnormals.end()) return scaled->second;
  if (single && instruction.has("rn")) {
    if (opcode == "rcp") return kReciprocal;
    if (opcode == "sqrt") return kRoot;
  }
  if (opcode == "div" || opcode == "rem") return division_ops(instruction);
  if (opcode == "mul" && instruction.has("hi") && instruction.type().bits == 32) return Ops{"imad.wide"};
  if (opcode == "match" && instruction.has("any")) return Ops{"shuffle.match"};
  if (opcode == "mov" && is_index(instruction)) return Ops{"index"};
  if (packs_halves(instruction)) return Ops{"logic"};
  if (opcode == "bar" && instruction.has("warp")) return Ops{"vote"};
  if ((opcode == "mul" || opcode == "mad") && instruction.has("wide") && instruction.type().bits <= 32)
    return Ops{instruction.type().bits == 32 ? "imad.wide" : opcode == "mul" ? "imul" : "imad"};
  if (opcode == "setp" && instruction.type().kind == Kind::Predicate) return Ops{"logic"};
  const auto& issues = row_of(instruction).issues;
  return listed(is_packed(instruction) ? issues.half : by_type(issues, instruction.type()));
}

bool retries(const Instruction& instruction) {
  if (instruction.opcode() != "atom" && instruction.opcode() != "red") return false;
  if (instruction.space() != StateSpace::Shared || instruction.has("exch") || instruction.has("cas")) return false;
  return instruction.type().kind == Kind::Float || instruction.type().bits == 64;
}

std::size_t issued_by(const Instruction& instruction) {
  constexpr std::size_t kCall = 16;
  static const std::set<std::string, std::less<>> kCalls{"fdiv", "ddiv", "dsqrt"};
  if (instruction.opcode() == "mov") return 0;
  if (reaches_texture(instruction)) return 1;
  const auto ops = ops_of(instruction);
  if (!ops) return 1;
  return std::ranges::any_of(*ops, [](const auto& op) { return kCalls.contains(op); }) ? kCall : ops->size();
}

bool packs_halves(const Instruction& instruction) {
  return instruction.opcode() == "mov" && instruction.type().bits == 32 && instruction.operands.size() == 2 &&
         instruction.operands[1].kind == Operand::Kind::Vector;
}

int flops_of(const Instruction& instruction) {
  if (const auto product = matrix_product(instruction)) return static_cast<int>(2 * product->multiply_adds / 32);
  const auto type = instruction.type();
  if (type.kind != Kind::Float) return 0;
  return row_of(instruction).flops * (is_packed(instruction) ? 2 : 1);
}

}  // namespace warpipe::ptx
