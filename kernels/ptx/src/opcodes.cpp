#include "opcodes.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "group_barriers.hpp"
#include "matrix.hpp"

namespace warpipe::ptx {
namespace {

using Ops = std::vector<std::string>;
using Kind = Type::Kind;

/// By the kind of number: whole of at most 32 bits, whole of 64, half, single, double.
struct ByType {
  Ops whole, wide, half, single, twice;
};

const std::map<std::string, ByType, std::less<>> kArithmetic{
    {"add", {{"iadd"}, {"iadd", "iadd"}, {"hfma"}, {"fadd"}, {"dadd"}}},
    {"sub", {{"iadd"}, {"iadd", "iadd"}, {"hfma"}, {"fadd"}, {"dadd"}}},
    {"addc", {{"iadd"}, {"iadd", "iadd"}, {}, {}, {}}},
    {"subc", {{"iadd"}, {"iadd", "iadd"}, {}, {}, {}}},
    {"mul", {{"imul"}, {"imad.wide", "imad", "imad"}, {"hfma"}, {"fmul"}, {"dmul"}}},
    {"mul24", {{"imul"}, {}, {}, {}, {}}},
    {"mad", {{"imad"}, {"imad.wide", "imad", "imad"}, {"hfma"}, {"ffma"}, {"dfma"}}},
    {"madc", {{"imad"}, {"imad.wide", "imad", "imad"}, {}, {}, {}}},
    {"mad24", {{"imad"}, {}, {}, {}, {}}},
    {"fma", {{}, {}, {"hfma"}, {"ffma"}, {"dfma"}}},
    {"min",
     {{"compare"}, {"compare", "compare", "select", "select"}, {"hfma"}, {"compare"}, {"dadd", "select", "select"}}},
    {"max",
     {{"compare"}, {"compare", "compare", "select", "select"}, {"hfma"}, {"compare"}, {"dadd", "select", "select"}}},
    {"abs", {{"iadd"}, {"iadd", "iadd", "select", "select"}, {"hfma"}, {"fadd"}, {"dadd"}}},
    {"neg", {{"iadd"}, {"iadd", "iadd"}, {"hfma"}, {"fadd"}, {"dadd"}}},
    {"and", {{"logic"}, {"logic", "logic"}, {}, {}, {}}},
    {"or", {{"logic"}, {"logic", "logic"}, {}, {}, {}}},
    {"xor", {{"logic"}, {"logic", "logic"}, {}, {}, {}}},
    {"not", {{"logic"}, {"logic", "logic"}, {}, {}, {}}},
    {"cnot", {{"compare", "select"}, {"compare", "compare", "select"}, {}, {}, {}}},
    {"lop3", {{"logic"}, {}, {}, {}, {}}},
    {"prmt", {{"logic"}, {}, {}, {}, {}}},
    {"shl", {{"shift"}, {"shift", "shift"}, {}, {}, {}}},
    {"shr", {{"shift"}, {"shift", "shift"}, {}, {}, {}}},
    {"shf", {{"shift"}, {}, {}, {}, {}}},
    {"bfe", {{"shift", "shift"}, {"shift", "shift", "shift", "shift"}, {}, {}, {}}},
    {"bfi", {{"shift", "logic"}, {"shift", "shift", "logic", "logic"}, {}, {}, {}}},
    {"popc", {{"convert"}, {"convert", "convert", "iadd"}, {}, {}, {}}},
    {"clz", {{"convert"}, {"convert", "convert", "select"}, {}, {}, {}}},
    {"bfind", {{"convert"}, {"convert", "convert", "select"}, {}, {}, {}}},
    {"brev", {{"convert"}, {"convert", "convert"}, {}, {}, {}}},
    {"setp", {{"compare"}, {"compare", "compare"}, {"hfma"}, {"compare"}, {"dadd"}}},
    {"set", {{"compare"}, {"compare", "compare"}, {"hfma"}, {"compare"}, {"dadd"}}},
    {"selp", {{"select"}, {"select", "select"}, {"select"}, {"select"}, {"select", "select"}}},
    {"slct", {{"compare", "select"}, {"compare", "select", "select"}, {}, {"compare", "select"}, {}}},
    {"sad", {{"iadd", "iadd"}, {}, {}, {}, {}}},
    {"dp4a", {{"imad"}, {}, {}, {}, {}}},
    {"dp2a", {{"imad"}, {}, {}, {}, {}}},
    {"mov", {{"iadd"}, {"iadd", "iadd"}, {"iadd"}, {"iadd"}, {"iadd", "iadd"}}},
    {"cvta", {{"iadd"}, {"iadd", "iadd"}, {}, {}, {}}},
    {"isspacep", {{"compare"}, {"compare", "compare"}, {}, {}, {}}},
    {"testp", {{}, {}, {}, {"compare"}, {"dadd"}}},
    {"copysign", {{}, {}, {}, {"logic"}, {"logic"}}},
    {"rcp", {{}, {}, {}, {"rcp"}, {"ddiv"}}},
    {"sqrt", {{}, {}, {}, {"sqrt"}, {"dsqrt"}}},
    {"rsqrt", {{}, {}, {}, {"rsqrt"}, {"dsqrt"}}},
    {"sin", {{}, {}, {}, {"sin"}, {}}},
    {"cos", {{}, {}, {}, {"cos"}, {}}},
    {"lg2", {{}, {}, {}, {"log2"}, {}}},
    {"ex2", {{}, {}, {"exp2"}, {"exp2"}, {}}},
    {"tanh", {{}, {}, {"exp2"}, {"exp2"}, {}}}};

/// Whatever the type.
const std::map<std::string, Ops, std::less<>> kOthers{{"shfl", {"shuffle"}},
                                                      {"vote", {"vote"}},
                                                      {"match", {"shuffle"}},
                                                      {"redux", {"shuffle.reduce"}},
                                                      {"activemask", {"vote"}},
                                                      {"bra", {"branch"}},
                                                      {"brx", {"branch"}},
                                                      {"ret", {}},
                                                      {"exit", {}},
                                                      {"trap", {}},
                                                      {"brkpt", {}},
                                                      {"bar", {"barrier"}},
                                                      {"barrier", {"barrier"}},
                                                      {"tex", {"texture.load", "global.load"}},
                                                      {"tld4", {"texture.load", "global.load"}},
                                                      {"suld", {"texture.load", "global.load"}},
                                                      {"sust", {"global.store"}},
                                                      {"sured", {"global.atomic"}},
                                                      {"txq", {"constant.load"}},
                                                      {"suq", {"constant.load"}},
                                                      {"elect", {"vote"}},
                                                      {"vabsdiff4", {"iadd"}},
                                                      {"bmsk", {"logic"}},
                                                      {"szext", {"logic"}}};

/// An estimate: a float's reciprocal, the quotient from it, and two corrections.
const Ops kDivision32{"convert", "rcp",  "iadd",    "convert", "imul",    "imad",
                      "imad",    "imad", "compare", "iadd",    "compare", "select"};

/// What is left of them where no lane needs the call that does numbers at the ends of the range.
/// @source machine code of ptxas 13.0 for sm_90, without BSSY and BSYNC
const Ops kReciprocal{"iadd", "logic", "compare", "branch", "ffma", "fadd", "ffma", "rcp"};
const Ops kRoot{"iadd", "compare", "branch", "fmul", "fmul", "ffma", "ffma", "sqrt"};

/// Functions of floats that keep subnormal numbers: those are scaled before, and the result after.
/// The last one is the class that the report counts the instruction under, so it is not where it issues.
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

const Ops& by_type(const ByType& ops, Type type) {
  if (type.kind == Kind::Float) return type.bits == 64 ? ops.twice : type.bits == 32 ? ops.single : ops.half;
  return type.bits > 32 ? ops.wide : ops.whole;
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
      // No device has an op for a store of 16 bytes.
      if (store && bytes > 8) return {"shared.store.64", "shared.store.64"};
      return {with_width(store ? "shared.store" : "shared.load", bytes)};
    case StateSpace::Constant:
      return {"constant.load"};
    default:  // the stack of a thread is memory, too: the kernel's arrays say that it is thread-private
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
  // Rounding to half a register packs it, which integer units do from compute capability 7.5 on: on an H100 the special
  // function units execute none of it (tests/todays_kernels/counters_h100.csv, rms_norm_residual).
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
    return Ops{opcode == "mul" ? "imul" : "imad"};
  if (opcode == "setp" && instruction.type().kind == Kind::Predicate) return Ops{"logic"};
  if (const auto other = kOthers.find(opcode); other != kOthers.end()) return other->second;
  const auto found = kArithmetic.find(opcode);
  if (found == kArithmetic.end()) return std::nullopt;
  const auto& ops = is_packed(instruction) ? found->second.half : by_type(found->second, instruction.type());
  if (ops.empty()) return std::nullopt;
  return ops;
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
  const auto& opcode = instruction.opcode();
  const int packed = is_packed(instruction) ? 2 : 1;
  if (opcode == "fma" || opcode == "mad") return 2 * packed;
  static constexpr std::string_view kOne[] = {"add", "sub", "mul", "div", "sqrt", "rsqrt", "rcp",
                                              "sin", "cos", "ex2", "lg2", "tanh", "min",   "max"};
  return std::ranges::find(kOne, opcode) != std::end(kOne) ? packed : 0;
}

}  // namespace warpipe::ptx
