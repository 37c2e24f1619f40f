#include "opcode_table.hpp"

#include <algorithm>
#include <map>

namespace warpipe::ptx {
namespace {

using Op = isa::LaneOp;
using Flow = isa::Instruction::Flow;

/// The same ops, whatever the type.
constexpr IssuedOps always(std::string_view ops) { return {ops, ops, ops, ops, ops}; }

/// Operations on whole numbers, as a single instruction.
constexpr unsigned kWhole = kFolds | kRises | kUniform | kRemade;

constexpr std::string_view kApproximate = "approx ftz";
constexpr std::string_view kCompared = "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz";
constexpr std::string_view kExtreme = "ftz NaN";
constexpr std::string_view kFlushed = "ftz";
constexpr std::string_view kProduct = "lo hi wide rn rz rm rp ftz sat cc";
constexpr std::string_view kQuotient = "rn rz rm rp ftz approx full";
constexpr std::string_view kRounded = "rn rz rm rp ftz sat cc";
constexpr std::string_view kWrapped = "clamp wrap";

constexpr auto kNoOp = Op::Unknown;
constexpr std::string_view kNoWait = "its wait for earlier accesses is not counted";

/// Columns as the fields of OpcodeRow.
constexpr OpcodeRow kRows[] = {
    // Sums and products
    {"add", Op::Add, kRounded, {"iadd", "iadd iadd", "hfma", "fadd", "dadd"}, kWhole, 1},
    {"sub", Op::Subtract, kRounded, {"iadd", "iadd iadd", "hfma", "fadd", "dadd"}, kWhole, 1},
    {"addc", kNoOp, kRounded, {"iadd", "iadd iadd"}, kAlone},
    {"subc", kNoOp, kRounded, {"iadd", "iadd iadd"}, kAlone},
    {"mul", Op::Multiply, kProduct, {"imul", "imad.wide imad imad", "hfma", "fmul", "dmul"}, kWhole, 1},
    {"mad", Op::MultiplyAdd, kProduct, {"imad", "imad.wide imad imad", "hfma", "ffma", "dfma"}, kWhole, 2},
    {"madc", kNoOp, kProduct, {"imad", "imad.wide imad imad"}, kAlone},
    {"fma", Op::MultiplyAdd, kProduct, {"", "", "hfma", "ffma", "dfma"}, kFolds, 2},
    {"mul24", Op::Multiply, kProduct, {"imul"}},
    {"mad24", Op::MultiplyAdd, kProduct, {"imad"}},
    {"sad", Op::AbsoluteDifference, "", {"iadd iadd"}},
    {"dp4a", Op::DotProduct4, "", {"imad"}},
    {"dp2a", Op::DotProduct2, "lo hi", {"imad"}},
    {"div", Op::Divide, kQuotient, {}, kFolds | kLong, 1},
    {"rem", Op::Remainder, "", {}, kFolds | kLong},
    // Signs, bits and shifts
    {"abs", Op::Absolute, kFlushed, {"iadd", "iadd iadd select select", "hfma", "fadd", "dadd"}, kFolds},
    {"neg", Op::Negate, kFlushed, {"iadd", "iadd iadd", "hfma", "fadd", "dadd"}, kWhole},
    {"and", Op::And, "", {"logic", "logic logic"}, kWhole},
    {"or", Op::Or, "", {"logic", "logic logic"}, kWhole},
    {"xor", Op::Xor, "", {"logic", "logic logic"}, kWhole},
    {"not", Op::Not, "", {"logic", "logic logic"}, kWhole},
    {"cnot", Op::IsZero, "", {"compare select", "compare compare select"}},
    {"lop3", Op::Logic3, "and or", {"logic"}, kFolds | kUniform},
    {"shl", Op::ShiftLeft, "", {"shift", "shift shift"}, kWhole},
    {"shr", Op::ShiftRight, "", {"shift", "shift shift"}, kWhole},
    {"shf", Op::FunnelRight, "l r clamp wrap", {"shift"}, kFolds | kUniform | kRemade},
    {"bfe", Op::ExtractBits, "", {"shift shift", "shift shift shift shift"}, kWhole},
    {"bfi", Op::InsertBits, "", {"shift logic", "shift shift logic logic"}, kFolds},
    {"prmt", Op::Permute, "f4e b4e rc8 ecl ecr rc16", {"logic"}, kFolds | kUniform},
    {"popc", Op::PopulationCount, "", {"convert", "convert convert iadd"}},
    {"clz", Op::LeadingZeros, "", {"convert", "convert convert select"}},
    {"bfind", Op::HighestBit, "shiftamt", {"convert", "convert convert select"}},
    {"brev", Op::ReverseBits, "", {"convert", "convert convert"}},
    {"fns", Op::FindBit},
    {"bmsk", Op::MaskBits, kWrapped, always("logic")},
    {"szext", Op::ExtendBits, kWrapped, always("logic")},
    {"vabsdiff4", kNoOp, "", always("iadd")},
    // Comparisons and choices
    {"min",
     Op::Minimum,
     kExtreme,
     {"compare", "compare compare select select", "hfma", "compare", "dadd select select"},
     kFolds | kRises | kRemade,
     1},
    {"max",
     Op::Maximum,
     kExtreme,
     {"compare", "compare compare select select", "hfma", "compare", "dadd select select"},
     kFolds | kRises | kRemade,
     1},
    {"setp",
     Op::Compare,
     kCompared,
     {"compare", "compare compare", "hfma", "compare", "dadd"},
     kFolds | kRises | kUniform},
    {"set", Op::Compare, kCompared, {"compare", "compare compare", "hfma", "compare", "dadd"}},
    {"selp", Op::Select, "", {"select", "select select", "select", "select", "select select"}, kWhole},
    {"slct", Op::SelectBySign, kFlushed, {"compare select", "compare select select", "", "compare select"}},
    {"testp", Op::IsOfClass, "finite infinite number notanumber normal subnormal", {"", "", "", "compare", "dadd"}},
    {"copysign", Op::CopySign, "", {"", "", "", "logic", "logic"}},
    {"isspacep", Op::IsInWindow, "global const shared shared::cta local", {"compare", "compare compare"}},
    // Copies
    {"mov", Op::Move, "", {"iadd", "iadd iadd", "iadd", "iadd", "iadd iadd"}, kFolds | kRises | kUniform},
    {"cvt", Op::Convert, "rzi rni rmi rpi rn rz rm rp ftz sat", {}, kWhole},
    {"cvta", kNoOp, "", {"iadd", "iadd iadd"}, kFolds | kRises | kUniform | kAlone},
    // Functions of floats
    {"rcp", Op::Reciprocal, kQuotient, {"", "", "", "rcp", "ddiv"}, kLong, 1},
    {"sqrt", Op::SquareRoot, kQuotient, {"", "", "", "sqrt", "dsqrt"}, kLong, 1},
    {"rsqrt", Op::ReciprocalRoot, kApproximate, {"", "", "", "rsqrt", "dsqrt"}, kLong, 1},
    {"sin", Op::Sine, kApproximate, {"", "", "", "sin"}, kLong, 1},
    {"cos", Op::Cosine, kApproximate, {"", "", "", "cos"}, kLong, 1},
    {"lg2", Op::BinaryLogarithm, kApproximate, {"", "", "", "log2"}, kLong, 1},
    {"ex2", Op::PowerOfTwo, kApproximate, {"", "", "exp2", "exp2"}, kLong, 1},
    {"tanh", Op::HyperbolicTangent, kApproximate, {"", "", "exp2", "exp2"}, kLong, 1},
    // Across lanes
    {"shfl", kNoOp, "", always("shuffle"), kStays | kOrders | kLong},
    {"vote", kNoOp, "", always("vote"), kStays | kOrders},
    {"match", kNoOp, "", always("shuffle"), kStays},
    {"redux", Op::Reduce, "", always("shuffle.reduce"), kStays},
    {"activemask", Op::ActiveLanes, "", always("vote"), kStays},
    {"elect", Op::Elect, "", always("vote")},
    {"movmatrix", kNoOp, "", always("shuffle")},
    // Control
    {"bra", kNoOp, "", always("branch"), kOrders | kWritesNothing | kAlone, 0, Flow::Jump},
    {"brx", kNoOp, "", always("branch"), kOrders | kWritesNothing | kAlone, 0, Flow::Table},
    {"call", kNoOp, "", {}, kStays | kOrders | kWritesNothing},
    {"ret", kNoOp, "", always("-"), kOrders | kWritesNothing | kAlone, 0, Flow::Exit},
    {"exit", kNoOp, "", always("-"), kOrders | kWritesNothing | kAlone, 0, Flow::Exit},
    {"trap", kNoOp, "", always("-"), kOrders | kWritesNothing | kAlone, 0, Flow::Exit},
    {"brkpt", kNoOp, "", always("-"), kWritesNothing | kAlone},
    {"bar", kNoOp, "", always("barrier"), kStays | kOrders | kWritesNothing | kMeets, 0, Flow::Barrier},
    {"barrier", kNoOp, "", always("barrier"), kStays | kOrders | kWritesNothing | kMeets, 0, Flow::Barrier},
    {"nanosleep", kNoOp, "", {}, kStays | kWritesNothing | kAlone, 0, Flow::Next, "its time is not counted"},
    {"pmevent", kNoOp, "", {}, kWritesNothing | kAlone},
    {"setmaxnreg",
     kNoOp,
     "",
     {},
     kWritesNothing | kAlone,
     0,
     Flow::Next,
     "the registers of all warps count as those of the kernel"},
    {"griddepcontrol", kNoOp, "", {}, kWritesNothing, 0, Flow::Next, "the kernel before it counts as finished"},
    // Memory
    {"ld", Op::Load, "", {}, kMemory | kMeets},
    {"ldu", Op::Load, "", {}, kMemory | kMeets},
    {"st", kNoOp, "", {}, kWritesNothing | kMemory | kMeets},
    {"atom", kNoOp, "", {}, kOrders | kMemory | kMeets},
    {"red", kNoOp, "", {}, kOrders | kWritesNothing | kMemory | kMeets},
    {"membar", kNoOp, "", {}, kStays | kOrders | kWritesNothing | kMeets, 0, Flow::Next, kNoWait},
    {"fence", kNoOp, "", {}, kStays | kOrders | kWritesNothing | kMeets, 0, Flow::Next, kNoWait},
    {"prefetch", kNoOp, "", {}, kWritesNothing | kAlone, 0, Flow::Next, kNoCaches},
    {"prefetchu", kNoOp, "", {}, kWritesNothing | kAlone, 0, Flow::Next, kNoCaches},
    {"discard", kNoOp, "", {}, kWritesNothing, 0, Flow::Next, kNoCaches},
    {"applypriority", kNoOp, "", {}, kWritesNothing, 0, Flow::Next, kNoCaches},
    {"tex", kNoOp, "", always("texture.load global.load"), kTexture | kAlone},
    {"tld4", kNoOp, "", always("texture.load global.load"), kTexture | kAlone},
    {"suld", kNoOp, "", always("texture.load global.load"), kTexture},
    {"sust", kNoOp, "", always("global.store"), kWritesNothing | kTexture},
    {"sured", kNoOp, "", always("global.atomic"), kWritesNothing | kTexture},
    {"txq", kNoOp, "", always("constant.load")},
    {"suq", kNoOp, "", always("constant.load")},
    {"tensormap", kNoOp, "", {}, 0, 0, Flow::Next, "what it changes is not followed"},
    {"createpolicy", kNoOp, "", always("-")},
    {"mapa", kNoOp, "", always("iadd")},
    {"getctarank", kNoOp, "", always("iadd")},
    // Copies and products of a warp or more
    {"cp", kNoOp, "", {}, kStays | kOrders | kWritesNothing},
    {"mbarrier", kNoOp, "", {}, kStays | kOrders},
    {"ldmatrix", kNoOp, "", {}, kStays | kLong | kAlone},
    {"stmatrix", kNoOp, "", {}, kStays | kWritesNothing},
    {"mma", kNoOp, "", {}, kStays | kLong | kAlone},
    {"wmma", kNoOp, "", {}, kLong},
    {"wgmma", kNoOp, "", {}, kStays | kOrders | kWritesNothing},

};

consteval bool stands_once(const OpcodeRow& row) { return std::ranges::count(kRows, row.name, &OpcodeRow::name) == 1; }
static_assert(std::ranges::all_of(kRows, stands_once));

}  // namespace

const OpcodeRow& row_of(const Instruction& instruction) {
  static const auto kByName = [] {
    std::map<std::string_view, const OpcodeRow*> rows;
    for (const auto& row : kRows) rows[row.name] = &row;
    return rows;
  }();
  static constexpr OpcodeRow kUnknown;
  const auto found = kByName.find(instruction.opcode());
  return found == kByName.end() ? kUnknown : *found->second;
}

bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const auto end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

}  // namespace warpipe::ptx
