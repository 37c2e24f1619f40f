#include "warpipe/ptx/executable.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "decode.hpp"
#include "function_pointers.hpp"
#include "group_barriers.hpp"
#include "matrix.hpp"
#include "routine.hpp"
#include "warpipe/ptx/entries.hpp"

namespace warpipe::ptx {
namespace {

using Kind = Type::Kind;
using isa::Format;
using isa::LaneOp;
using isa::LaneOperation;
using Inputs = std::function<isa::Input(const Operand&, Type)>;

constexpr Type kBits32{Kind::Bits, 32};
constexpr std::string_view kPrint = "call vprintf", kAllocate = "call malloc", kFree = "call free";

/// Whether it is a call of a function of the driver that is executed.
bool is_executed_call(const Instruction& read) {
  return read.name == kPrint || is_assertion(read) || read.name == kFree ||
         (read.name == kAllocate && read.operands.size() == 2);
}

/// Instructions without an effect where copies are done at once and memory is in order.
bool does_nothing(const Instruction& read) {
  static const std::set<std::string, std::less<>> kOpcodes{
      "bra",     "brx",           "ret",      "exit",           "trap",    "membar",    "fence",      "nanosleep",
      "discard", "applypriority", "prefetch", "griddepcontrol", "pmevent", "prefetchu", "setmaxnreg", "brkpt"};
  const auto& opcode = read.opcode();
  if (kOpcodes.contains(opcode) || ends_in_error(read)) return true;
  // Copies are done at once: all have arrived, and without `noinc` they were not expected.
  if (opcode == "cp" && read.has("mbarrier")) return !read.has("noinc");
  if (opcode == "cp") return read.has("commit_group") || read.has("wait_group") || read.has("wait_all");
  return (opcode == "bar" || opcode == "barrier") && !read.has("cluster");
}

Type type_of_word(std::string_view word, Format& format) {
  static const std::map<std::string_view, std::pair<Type, Format>> kTypes{
      {"f64", {{Kind::Float, 64}, Format::Standard}}, {"f32", {{Kind::Float, 32}, Format::Standard}},
      {"f16", {{Kind::Float, 16}, Format::Standard}}, {"bf16", {{Kind::Float, 16}, Format::Brain}},
      {"tf32", {{Kind::Float, 32}, Format::Tensor}},  {"s32", {{Kind::Signed, 32}, Format::Standard}},
      {"s8", {{Kind::Signed, 8}, Format::Standard}},  {"u8", {{Kind::Unsigned, 8}, Format::Standard}},
      {"e4m3", {{Kind::Float, 8}, Format::E4M3}},     {"e5m2", {{Kind::Float, 8}, Format::E5M2}}};
  const auto found = kTypes.find(word);
  if (found == kTypes.end()) return {};
  format = found->second.second;
  return found->second.first;
}

using Types = std::vector<std::pair<Type, Format>>;

/// Takes the shape among the words, m16n8k16.
/// @return the types among them
Types types_and_shape(const Instruction& read, isa::MatrixShape& matrix) {
  Types types;
  for (const auto& word : read.words) {
    Format format{};
    if (const auto type = type_of_word(word, format); type.bits > 0) types.emplace_back(type, format);
    std::sscanf(word.c_str(), "m%3dn%3dk%3d", &matrix.m, &matrix.n, &matrix.k);
  }
  return types;
}

/// @param types  of d, a, b and c
LaneOperation product(LaneOp op, const Instruction& read, isa::MatrixShape matrix, const Types& types) {
  LaneOperation operation;
  std::tie(matrix.d, std::ignore) = types[0];
  std::tie(matrix.a, matrix.a_format) = types[1];
  std::tie(matrix.b, matrix.b_format) = types[2];
  std::tie(matrix.c, std::ignore) = types[3];
  operation.matrix = matrix;
  operation.saturate = read.has("satfinite");
  operation.op = op;
  return operation;
}

/// mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32: types of d, a, b and c.
LaneOperation product_of(const Instruction& read) {
  isa::MatrixShape matrix{};
  const auto types = types_and_shape(read, matrix);
  if (types.size() != 4 || matrix.m == 0 || read.has("sp") || read.has("block_scale")) return {};
  const bool of_quads = matrix.m == 8 && types[1].first.bits == 16;
  if (!read.has("row") || !read.has("col") || of_quads) return {};
  return product(LaneOp::MatrixProduct, read, matrix, types);
}

/// wmma.load.a.sync.aligned.row.m16n16k16.global.f16, and wmma.store.d.
LaneOperation fragment_of(const Instruction& read) {
  LaneOperation operation;
  auto& matrix = operation.matrix;
  const auto types = types_and_shape(read, matrix);
  if (types.empty() || matrix.m == 0) return operation;
  std::tie(operation.type, operation.format) = types.back();
  if (read.has("a")) matrix.n = matrix.k;
  if (read.has("b")) matrix.m = matrix.k;
  matrix.transposed = read.has("col");
  operation.op = read.has("store") ? LaneOp::FragmentStore : LaneOp::FragmentLoad;
  return operation;
}

/// wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32: types of d and c where the factors are halves, else of all.
LaneOperation product_of_fragments(const Instruction& read) {
  isa::MatrixShape matrix{};
  auto types = types_and_shape(read, matrix);
  constexpr Type kHalf{Kind::Float, 16};
  if (types.size() == 2) types = {types[0], {kHalf, {}}, {kHalf, {}}, types[1]};
  if (types.size() != 4 || matrix.m == 0) return {};
  return product(LaneOp::FragmentProduct, read, matrix, types);
}

LaneOperation matrices_of(const Instruction& read) {
  LaneOperation operation;
  if (!read.has("b16") || !(read.has("m8n8") || read.opcode() == "movmatrix")) return operation;
  operation.type = operation.result = kBits32;
  operation.matrix.matrices = read.has("x4") ? 4 : read.has("x2") ? 2 : 1;
  operation.matrix.transposed = read.has("trans");
  operation.op = read.opcode() == "ldmatrix"   ? LaneOp::MatrixLoad
                 : read.opcode() == "stmatrix" ? LaneOp::MatrixStore
                                               : LaneOp::MatrixTranspose;
  return operation;
}

LaneOperation atomic_of(const Instruction& read) {
  static constexpr std::pair<std::string_view, LaneOp> kOps[] = {
      {"add", LaneOp::Add},       {"min", LaneOp::Minimum},
      {"max", LaneOp::Maximum},   {"and", LaneOp::And},
      {"or", LaneOp::Or},         {"xor", LaneOp::Xor},
      {"exch", LaneOp::Exchange}, {"cas", LaneOp::CompareExchange},
      {"inc", LaneOp::Increment}, {"dec", LaneOp::Decrement}};
  LaneOperation operation;
  operation.type = operation.result = read.type();
  for (const auto& [word, op] : kOps)
    if (read.has(word)) operation.op = op;
  for (const auto& word : read.words) {
    if (word == "bf16" || word == "bf16x2") operation.format = Format::Brain;
    if (!word.ends_with("16x2")) continue;
    operation.parts = 2;
    operation.type = operation.result = {Kind::Float, 16};
  }
  operation.result_format = operation.format;
  if (read.vector_length() > 1 || operation.type.bits > 64) operation.op = LaneOp::Unknown;
  return operation;
}

const Operand& address_operand(const Instruction& read) {
  return *std::ranges::find(read.operands, Operand::Kind::Address, &Operand::kind);
}

void complete_atomic(const Instruction& read, const Inputs& input, isa::Instruction& made) {
  made.access->atomic = atomic_of(read);
  if (read.has("cluster") && read.has("shared::cluster")) made.access->atomic.op = LaneOp::Unknown;
  const auto first = &address_operand(read) + 1;
  const auto count = made.access->atomic.op == LaneOp::CompareExchange ? 2 : 1;
  for (auto operand = first; operand < first + count && operand < read.operands.data() + read.operands.size();
       ++operand)
    made.access->stored.push_back(input(*operand, made.access->element));
}

/// Two whole numbers of 16 bits in a register: "u16x2", "s16x2"; nothing for other types.
std::optional<Type> type_of_pair(const Instruction& read) {
  if (read.has("u16x2")) return Type{Kind::Unsigned, 16};
  if (read.has("s16x2")) return Type{Kind::Signed, 16};
  return std::nullopt;
}

/// add.u16x2 d, a, b; min.s32.relu d, a, b: not below 0.
/// @return false for another instruction
bool complete_whole_numbers(const Instruction& read, const Inputs& input, isa::Instruction& made) {
  static const std::map<std::string_view, LaneOp> kOps{
      {"add", LaneOp::Add}, {"min", LaneOp::Minimum}, {"max", LaneOp::Maximum}};
  const auto op = kOps.find(read.opcode());
  const auto pair = type_of_pair(read);
  const bool stops_at_zero = read.has("relu") && (pair || read.has("s32"));
  if (op == kOps.end() || (!pair && !stops_at_zero) || read.operands.size() != 3 || made.assignments.size() != 1)
    return false;
  LaneOperation operation;
  operation.op = op->second;
  operation.type = operation.result = pair.value_or(Type{Kind::Signed, 32});
  operation.parts = pair ? 2 : 1;
  auto& computes = made.assignments.front();
  computes.operation = operation;
  computes.inputs = {input(read.operands[1], kBits32), input(read.operands[2], kBits32)};
  if (!stops_at_zero) return true;
  auto stops = computes;
  stops.operation.op = LaneOp::Maximum;
  stops.inputs = {input(read.operands[0], kBits32), {}};
  made.assignments.push_back(stops);
  return true;
}

/// An address without its offset: a register or a variable.
isa::Input base_of(Operand address, const Inputs& input) {
  address.offset = 0;
  if (!address.has_register) return input(address, {});
  isa::Input base;
  base.kind = isa::Input::Kind::Register;
  base.registers = {address.reg, 1};
  return base;
}

isa::Input number(std::uint64_t bits) {
  isa::Input made;
  made.bits = bits;
  return made;
}

/// The operation of an mbarrier instruction; Unknown for others, as of other groups.
LaneOp barrier_op(const Instruction& read) {
  if (read.has("shared::cluster") && !read.has("cp")) return LaneOp::Unknown;
  if (read.has("init") || read.has("inval")) return LaneOp::InitialiseBarrier;
  if (read.has("test_wait") || read.has("try_wait"))
    return read.has("parity") ? LaneOp::TestParity : LaneOp::TestBarrier;
  if (read.has("arrive_drop")) return LaneOp::LeaveBarrier;
  return read.has("arrive") || read.has("expect_tx") ? LaneOp::ArriveAtBarrier : LaneOp::Unknown;
}

/// mbarrier.arrive.expect_tx.shared.b64 state, [barrier], bytes; mbarrier.try_wait.parity.shared.b64 p, [barrier], 1.
void complete_mbarrier(const Instruction& read, const Inputs& input, isa::Instruction& made) {
  made.assignments.clear();
  made.barrier.reset();
  made.flow = isa::Instruction::Flow::Next;
  const auto place = std::ranges::find(read.operands, Operand::Kind::Address, &Operand::kind);
  const auto op = barrier_op(read);
  if (op == LaneOp::Unknown || place == read.operands.end()) {
    made.assignments.emplace_back();
    return;
  }
  auto& access = made.access.emplace();
  access.kind = isa::Access::Kind::Atomic;
  access.space = read.opcode() == "cp" ||
                         std::ranges::any_of(read.words, [](const auto& word) { return word.starts_with("shared"); })
                     ? StateSpace::Shared
                     : StateSpace::Generic;
  access.element = {Kind::Bits, 64};
  access.bytes = 8;
  access.base = base_of(*place, input);
  access.offset = place->offset;
  access.atomic.op = op;
  access.atomic.type = access.atomic.result = access.element;
  const bool has_number = place + 1 != read.operands.end();
  const auto given = has_number ? input(place[1], access.element) : number(read.has("inval") ? 0 : 1);
  access.stored = {given};
  // An arrival with bytes is a single one.
  if (read.has("expect_tx")) access.stored = {number(read.has("arrive") || read.has("arrive_drop") ? 1 : 0), given};
  if (place == read.operands.begin() || read.operands.front().kind != Operand::Kind::Register) return;
  made.assignments.emplace_back().outputs.push_back({{read.operands.front().reg, 1}});
}

/// cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [to], [from], bytes, [barrier]; without a barrier for
/// copies from shared memory. It is done at once.
void complete_bulk_copy(const Instruction& read, const Inputs& input, isa::Instruction& made) {
  made.access.reset();
  made.barrier.reset();
  made.flow = isa::Instruction::Flow::Next;
  made.assignments.clear();
  auto& copies = made.assignments.emplace_back();
  const bool to_shared = &global_side(read) == &read.operands[1];
  const bool fits = read.operands.size() >= (to_shared ? 4U : 3U) && !read.has("tensor") && !read.has("reduce") &&
                    !read.has("multicast::cluster") && !read.has("prefetch");
  if (!fits) return;
  copies.operation.op = LaneOp::CopyBulk;
  const auto add = [&](const Operand& address) {
    copies.inputs.push_back(base_of(address, input));
    copies.inputs.push_back(number(static_cast<std::uint64_t>(address.offset)));
  };
  add(read.operands[0]);
  add(read.operands[1]);
  copies.inputs.push_back(input(read.operands[2], kBits32));
  if (to_shared) add(read.operands[3]);
}

/// cp.async.ca.shared.global [to], [from], bytes{, read}.
void complete_copy(const Instruction& read, const Inputs& input, isa::Instruction& made) {
  made.access->copied_offset = read.operands[0].offset;
  made.access->copied_to = base_of(read.operands[0], input);
  // A fourth operand in a predicate register means that nothing is read.
  if (read.operands.size() > 3 && read.operands[3].kind != Operand::Kind::Register)
    made.access->copied_bytes = input(read.operands[3], kBits32);
  else if (read.operands.size() > 3 && !read.has("L2::cache_hint"))
    made.access->copied_bytes = input(read.operands[3], kBits32);
}

/// Makes the distance of rows the last input: the last operand, or implied.
void complete_fragments(const Instruction& read, const Inputs& input, isa::Instruction& made) {
  if (read.has("mma")) {
    made.assignments.front().operation = product_of_fragments(read);
    return;
  }
  if (made.assignments.empty()) made.assignments.emplace_back();
  auto& moves = made.assignments.front();
  moves.operation = fragment_of(read);
  moves.inputs.clear();
  if (read.has("store"))
    for (const auto& part : read.operands[1].parts) moves.inputs.push_back(input(part, {}));
  if (read.operands.size() > 2) {
    moves.inputs.push_back(input(read.operands[2], kBits32));
    return;
  }
  isa::Input rows_without_gaps;
  rows_without_gaps.bits = static_cast<std::uint64_t>(moves.operation.matrix.transposed ? moves.operation.matrix.m
                                                                                        : moves.operation.matrix.n);
  moves.inputs.push_back(rows_without_gaps);
}

/// The shape of the accessed texture or surface, without its mipmaps: 2d, a2d; nothing for a shape that is not
/// executed.
std::optional<isa::TexelAccess> texels_of(const Instruction& read) {
  static constexpr std::pair<std::string_view, std::pair<int, bool>> kShapes[] = {
      {"1d", {1, false}}, {"2d", {2, false}}, {"3d", {3, false}}, {"a1d", {1, true}}, {"a2d", {2, true}}};
  static constexpr std::string_view kChannels[] = {"r", "g", "b", "a"};
  using Outside = isa::TexelAccess::Outside;
  isa::TexelAccess made;
  const auto shape = std::ranges::find_if(kShapes, [&](const auto& one) { return read.has(one.first); });
  if (shape == std::end(kShapes)) return std::nullopt;
  std::tie(made.dimensions, made.layered) = shape->second;
  if (read.opcode() == "tld4")
    for (int channel = 0; channel < 4; ++channel)
      if (read.has(kChannels[channel])) made.gathered = channel;
  made.outside = read.has("clamp") ? Outside::Nearest : read.has("zero") ? Outside::Zero : Outside::Fault;
  return made;
}

/// tex.2d.v4.f32.f32 {r, g, b, a}, [object, {x, y}]; suld.b.2d.b32.trap; sust.b.2d.b32.trap [object, {x, y}], {bits}.
void complete_texels(const Instruction& read, const Inputs& input, isa::Instruction& made) {
  made.access.reset();
  made.barrier.reset();
  made.flow = isa::Instruction::Flow::Next;
  if (made.assignments.empty()) made.assignments.emplace_back();
  auto& assignment = made.assignments.front();
  auto& operation = assignment.operation;
  operation = {};
  assignment.inputs.clear();
  const auto shape = texels_of(read);
  const auto& opcode = read.opcode();
  const auto place = std::ranges::find(read.operands, Operand::Kind::Address, &Operand::kind);
  const bool formatted = (opcode == "suld" || opcode == "sust") && !read.has("b");
  if (!shape || formatted || place == read.operands.end() || !place->has_register) return;
  operation.texels = *shape;
  operation.type = read.type();
  operation.result = opcode == "tex" || opcode == "tld4" ? read.first_type() : read.type();
  isa::Input object;
  object.kind = isa::Input::Kind::Register;
  object.registers = {place->reg, 1};
  assignment.inputs.push_back(object);
  const auto add = [&](const Operand& operand) {
    if (operand.kind != Operand::Kind::Vector) assignment.inputs.push_back(input(operand, {}));
    for (const auto& part : operand.parts) assignment.inputs.push_back(input(part, {}));
  };
  for (const auto& coordinates : place->parts) add(coordinates);
  // Shapes with three coordinates and layers have a further, meaningless coordinate.
  assignment.inputs.resize(1 + static_cast<std::size_t>(shape->dimensions) + (shape->layered ? 1 : 0));
  if (opcode == "sust") add(read.operands.back());
  operation.op = opcode == "suld" ? LaneOp::SurfaceLoad : opcode == "sust" ? LaneOp::SurfaceStore : LaneOp::TextureLoad;
}

/// bar.sync 1, 64; bar.red.popc.u32 %r1, 0, %p1.
void complete_barrier(const Instruction& read, const Inputs& input, isa::Instruction& made) {
  const bool reduces = read.has("red");
  const auto first = reduces ? std::size_t{1} : 0;
  auto& use = made.barrier.emplace();
  use.named = true;
  use.arrives = true;
  use.awaits = !read.has("arrive");
  if (read.operands.size() > first) use.place = input(read.operands[first], kBits32);
  const auto last = read.operands.size() - (reduces ? 1 : 0);
  if (last > first + 1) use.threads = input(read.operands[first + 1], kBits32);
  made.assignments.clear();
  if (!reduces) return;
  auto& result = made.assignments.emplace_back();
  result.operation.op = read.has("popc")  ? LaneOp::CountOfGroup
                        : read.has("and") ? LaneOp::AllOfGroup
                                          : LaneOp::AnyOfGroup;
  result.operation.type = {Kind::Predicate, 1};
  result.operation.result = read.has("popc") ? kBits32 : Type{Kind::Predicate, 1};
  result.inputs = {input(read.operands.back(), {Kind::Predicate, 1})};
  result.outputs = {{{read.operands.front().reg, 1}}};
}

/// Replaces the variables given to a function elsewhere by the registers written to them.
void take_arguments(const Routine& routine, Instruction& call) {
  for (auto& operand : call.operands) {
    const auto written = std::ranges::find(routine.registers, operand.name + "+0", &Register::name);
    if (written == routine.registers.end()) continue;
    operand.kind = Operand::Kind::Register;
    operand.reg = static_cast<std::uint32_t>(written - routine.registers.begin());
  }
}

}  // namespace

void complete(const Instruction& read, const Inputs& input, isa::Instruction& made) {
  using Access = isa::Access;
  const auto& opcode = read.opcode();
  if (is_executed_call(read)) {
    made.assignments.clear();
    auto& call = made.assignments.emplace_back();
    for (const auto& operand : read.operands)
      if (read.name == kAllocate && call.outputs.empty())
        call.outputs.push_back({{operand.reg, 1}});
      else
        call.inputs.push_back(input(operand, {Kind::Bits, 64}));
    return;
  }
  if (complete_whole_numbers(read, input, made)) return;
  if (opcode == "atom" || opcode == "red") return complete_atomic(read, input, made);
  if (opcode == "mbarrier" || (opcode == "cp" && read.has("mbarrier") && read.has("noinc")))
    return complete_mbarrier(read, input, made);
  if (is_bulk_copy(read)) return complete_bulk_copy(read, input, made);
  if (is_lane_copy(read)) return complete_copy(read, input, made);
  if (opcode == "mma" && !made.assignments.empty()) {
    made.assignments.front().operation = product_of(read);
    return;
  }
  if (opcode == "tex" || opcode == "tld4" || opcode == "suld" || opcode == "sust")
    return complete_texels(read, input, made);
  if (opcode == "wmma" && read.operands.size() > 1) return complete_fragments(read, input, made);
  if ((opcode == "ldmatrix" || opcode == "movmatrix") && !made.assignments.empty()) {
    made.assignments.front().operation = matrices_of(read);
    if (made.access) made.assignments.front().inputs.clear();  // its address
    return;
  }
  if (opcode == "stmatrix" && made.access && read.operands.size() == 2) {
    auto& stores = made.assignments.emplace_back();
    stores.operation = matrices_of(read);
    for (const auto& part : read.operands.back().parts) stores.inputs.push_back(input(part, kBits32));
    return;
  }
  if ((opcode == "bar" || opcode == "barrier") && !read.has("cluster")) {
    made.flow = isa::Instruction::Flow::Next;
    if (read.has("warp")) return;
    made.flow = isa::Instruction::Flow::Barrier;
    return complete_barrier(read, input, made);
  }
  // Without a result and without an access, an instruction would be passed over.
  const bool is_plain_store = made.access && made.access->kind == Access::Kind::Store && !made.access->stored.empty();
  if (does_nothing(read) || !made.assignments.empty() || is_plain_store) return;
  made.access.reset();
  made.barrier.reset();
  made.flow = isa::Instruction::Flow::Next;
  made.assignments.emplace_back();
}

isa::Program executable_program(const Module& module, std::string_view entry) {
  constexpr std::int64_t kLanesOfAWarp = 32;
  auto routine = inline_calls(module, entry);
  for (auto& instruction : routine.instructions)
    if (is_executed_call(instruction)) take_arguments(routine, instruction);
  return decode(routine, kLanesOfAWarp, Reading::ForExecution);
}

std::vector<isa::MemoryRegion> variables(const Module& module) {
  const FunctionPointers pointers(module, bodies_of(module));
  std::vector<isa::MemoryRegion> regions;
  for (const auto& variable : module.variables) {
    if (variable.space != StateSpace::Global && variable.space != StateSpace::Constant) continue;
    auto of = variable;
    pointers.fill_in(of);
    regions.push_back(
        {of.name, of.space, of.type, of.alignment, of.elements, of.known, std::move(of.values), source_name(of.name)});
    regions.back().addresses = std::move(of.addresses);
  }
  return regions;
}

}  // namespace warpipe::ptx
