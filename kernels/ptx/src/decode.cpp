#include "decode.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "instruction_text.hpp"
#include "lexer.hpp"
#include "opcodes.hpp"

namespace warpipe::ptx {
namespace {

using Kind = Type::Kind;
using Flow = isa::Instruction::Flow;
using isa::Comparison;
using isa::Input;
using isa::LaneOp;
using isa::LaneOperation;

const std::map<std::string, LaneOp, std::less<>> kOps{{"mov", LaneOp::Move},
                                                      {"add", LaneOp::Add},
                                                      {"sub", LaneOp::Subtract},
                                                      {"mul", LaneOp::Multiply},
                                                      {"mul24", LaneOp::Multiply},
                                                      {"mad", LaneOp::MultiplyAdd},
                                                      {"mad24", LaneOp::MultiplyAdd},
                                                      {"fma", LaneOp::MultiplyAdd},
                                                      {"div", LaneOp::Divide},
                                                      {"rem", LaneOp::Remainder},
                                                      {"min", LaneOp::Minimum},
                                                      {"max", LaneOp::Maximum},
                                                      {"abs", LaneOp::Absolute},
                                                      {"neg", LaneOp::Negate},
                                                      {"and", LaneOp::And},
                                                      {"or", LaneOp::Or},
                                                      {"xor", LaneOp::Xor},
                                                      {"not", LaneOp::Not},
                                                      {"shl", LaneOp::ShiftLeft},
                                                      {"shr", LaneOp::ShiftRight},
                                                      {"setp", LaneOp::Compare},
                                                      {"set", LaneOp::Compare},
                                                      {"selp", LaneOp::Select},
                                                      {"cvt", LaneOp::Convert},
                                                      {"popc", LaneOp::PopulationCount},
                                                      {"clz", LaneOp::LeadingZeros},
                                                      {"brev", LaneOp::ReverseBits},
                                                      {"bfe", LaneOp::ExtractBits},
                                                      {"bfi", LaneOp::InsertBits},
                                                      {"prmt", LaneOp::Permute},
                                                      {"lop3", LaneOp::Logic3},
                                                      {"ld", LaneOp::Load},
                                                      {"ldu", LaneOp::Load}};

void decode_comparison(const Instruction& instruction, LaneOperation& operation) {
  static const std::map<std::string, Comparison, std::less<>> kComparisons{
      {"eq", Comparison::Equal},       {"ne", Comparison::NotEqual},  {"lt", Comparison::Less},
      {"le", Comparison::LessEqual},   {"gt", Comparison::Greater},   {"ge", Comparison::GreaterEqual},
      {"lo", Comparison::Less},        {"ls", Comparison::LessEqual}, {"hi", Comparison::Greater},
      {"hs", Comparison::GreaterEqual}};
  const auto& word = instruction.words.size() > 1 ? instruction.words[1] : instruction.words[0];
  auto found = kComparisons.find(word);
  if (found == kComparisons.end() && word.size() == 3 && word.ends_with('u')) {
    found = kComparisons.find(word.substr(0, 2));
    operation.unordered = true;
  }
  if (found == kComparisons.end())
    operation.op = LaneOp::Unknown;
  else
    operation.comparison = found->second;
  using isa::Join;
  for (const auto& [join, meaning] :
       {std::pair("and", Join::And), std::pair("or", Join::Or), std::pair("xor", Join::Xor)})
    if (instruction.has(join)) operation.join = meaning;
  // setp writes a predicate; set a number that is all ones, or 1.0.
  operation.result = instruction.opcode() == "setp" ? Type{Kind::Predicate, 1} : operation.result;
}

LaneOp with_half(LaneOp op, const Instruction& instruction) {
  const bool wide = instruction.has("wide"), high = instruction.has("hi");
  if (op == LaneOp::Multiply) return wide ? LaneOp::MultiplyWide : high ? LaneOp::MultiplyHigh : op;
  if (op == LaneOp::MultiplyAdd) return wide ? LaneOp::MultiplyAddWide : high ? LaneOp::MultiplyAddHigh : op;
  return op;
}

void decode_address_conversion(const Instruction& instruction, LaneOperation& operation) {
  operation.op = instruction.has("to") ? LaneOp::FromGeneric : LaneOp::ToGeneric;
  const auto space = instruction.space();
  if (space == StateSpace::Shared) operation.window = isa::kSharedWindow;
  if (space == StateSpace::Local) operation.window = isa::kLocalWindow;
  if (space == StateSpace::Constant) operation.window = isa::kConstantWindow;
}

/// What the words of an instruction mean in a lane; LaneOp::Unknown for what is not followed.
LaneOperation operation_of(const Instruction& instruction) {
  LaneOperation operation;
  operation.type = operation.result = instruction.type();
  const auto& opcode = instruction.opcode();
  if (opcode == "cvta") {
    decode_address_conversion(instruction, operation);
    return operation;
  }
  if (opcode == "shf") {
    operation.op = instruction.has("l") ? LaneOp::FunnelLeft : LaneOp::FunnelRight;
    operation.wrap = instruction.has("wrap");
    return operation;
  }
  const auto found = kOps.find(opcode);
  // Carries, saturation and packed halves are not followed; neither are types that no register of the slice has.
  const bool strange = instruction.has("cc") || instruction.has("sat") || operation.type.bits > 64 ||
                       (operation.type.kind == Kind::Float && operation.type.bits < 32) || instruction.has("f16x2");
  if (found == kOps.end() || (strange && opcode != "ld")) return operation;
  operation.op = with_half(found->second, instruction);
  const bool wide = operation.op == LaneOp::MultiplyWide || operation.op == LaneOp::MultiplyAddWide;
  if (wide) operation.result.bits *= 2;
  if (instruction.types.size() > 1 && (opcode == "cvt" || opcode == "set"))
    operation.result = instruction.types.front();
  if (operation.result.kind == Kind::Float && operation.result.bits < 32 && opcode != "ld")
    operation.op = LaneOp::Unknown;
  if (operation.op == LaneOp::PopulationCount || operation.op == LaneOp::LeadingZeros)
    operation.result = {Kind::Unsigned, 32};
  if (operation.op == LaneOp::Compare) decode_comparison(instruction, operation);
  using isa::Rounding;
  for (const auto& [word, rounding] : {std::pair("rzi", Rounding::Zero), std::pair("rni", Rounding::Nearest),
                                       std::pair("rmi", Rounding::Down), std::pair("rpi", Rounding::Up)})
    if (instruction.has(word)) operation.rounding = rounding;
  return operation;
}

isa::Special special_of(std::string_view name) {
  using Name = isa::Special::Name;
  static const std::map<std::string_view, Name> kAlongAxes{{"%tid", Name::ThreadIndex},
                                                           {"%ntid", Name::GroupSize},
                                                           {"%ctaid", Name::GroupIndex},
                                                           {"%nctaid", Name::GridSize}};
  static const std::map<std::string_view, Name> kPlain{
      {"%laneid", Name::LaneIndex},      {"%warpid", Name::WarpIndex},
      {"%nwarpid", Name::WarpCount},     {"WARP_SZ", Name::LanesPerWarp},
      {"%lanemask_eq", Name::LaneBit},   {"%lanemask_lt", Name::LanesBelow},
      {"%lanemask_le", Name::LanesUpTo}, {"%lanemask_gt", Name::LanesAbove},
      {"%lanemask_ge", Name::LanesFrom}, {"%dynamic_smem_size", Name::DynamicSharedBytes}};
  const auto dot = name.find('.');
  if (const auto found = kAlongAxes.find(name.substr(0, dot)); found != kAlongAxes.end() && dot != name.npos)
    return {found->second, static_cast<std::uint8_t>(name.ends_with(".x") ? 0 : name.ends_with(".y") ? 1 : 2)};
  const auto found = kPlain.find(name);
  return {found == kPlain.end() ? Name::Other : found->second, 0};
}

isa::RegisterRange one(std::uint32_t reg) { return {reg, 1}; }

/// A routine on its way into the neutral form.
class Decoder {
 public:
  explicit Decoder(const Routine& routine) : routine_(routine) {
    // Variables without a size lie behind all others; of two with one name the later one is meant.
    for (const bool sized : {true, false})
      for (std::uint32_t i = 0; i < routine.variables.size(); ++i)
        if ((routine.variables[i].elements > 0) == sized) region_of_[routine.variables[i].name] = i;
    for (std::uint32_t i = 0; i < routine.parameters.size(); ++i) parameter_of_.emplace(routine.parameters[i].name, i);
  }

  isa::Program run(std::int64_t lanes) {
    isa::Program program;
    program.name = routine_.name;
    program.file = routine_.file;
    program.labels = routine_.labels;
    program.sources = routine_.sources;
    program.lanes = lanes;
    for (const auto& [name, type] : routine_.registers)
      program.registers.push_back(
          {name, type.kind == Kind::Predicate ? isa::File::LanePredicate : isa::File::Lane, type.bits});
    for (const auto& of : routine_.variables)
      program.regions.push_back({of.name, of.space, of.type, of.alignment, of.elements, of.known, of.values});
    for (const auto& of : routine_.parameters)
      program.parameters.push_back({of.name, of.type, of.elements, of.is_pointer, declaration(of)});
    for (std::uint32_t i = 0; i < routine_.instructions.size(); ++i) program.instructions.push_back(instruction(i));
    return program;
  }

 private:
  static std::string declaration(const Variable& parameter) {
    const auto type = parameter.elements == 1
                          ? to_string(parameter.type)
                          : to_string(parameter.type) + "[" + std::to_string(parameter.elements) + "]";
    return "." + type + " " + parameter.name;
  }

  [[noreturn]] void fail(const Instruction& read, std::string rule, std::string found) const {
    throw InputError(Diagnostic{at_line(routine_.file, read.line), std::move(rule), std::move(found), ""});
  }

  isa::Instruction instruction(std::uint32_t index) const {
    const auto& read = routine_.instructions[index];
    isa::Instruction made;
    made.flow = flow_of(read);
    made.targets = routine_.targets[index];
    if (read.guard) made.guard = input(*read.guard, {});
    if (made.flow == Flow::Table) made.index = table_index(read);
    for (const auto reg : read_registers(read)) made.reads.push_back(one(reg));
    for (const auto reg : written_registers(read)) made.writes.push_back(one(reg));
    if (is_access(read)) made.access = access(read);
    if (written_operands(read) > 0) made.assignments.push_back(assignment(read));
    made.flops = flops_of(read);
    made.line = read.line;
    made.source = read.source;
    made.name = read.name;
    made.text = to_string(routine_, read);
    return made;
  }

  static Flow flow_of(const Instruction& read) {
    static const std::map<std::string_view, Flow> kFlows{
        {"bra", Flow::Jump},  {"brx", Flow::Table},   {"ret", Flow::Exit},       {"exit", Flow::Exit},
        {"trap", Flow::Exit}, {"bar", Flow::Barrier}, {"barrier", Flow::Barrier}};
    const auto found = kFlows.find(read.opcode());
    return found == kFlows.end() ? Flow::Next : found->second;
  }

  Input table_index(const Instruction& read) const {
    if (read.operands.front().kind != Operand::Kind::Register)
      fail(read, "brx.idx has a register", "found another operand");
    return input(read.operands.front(), {});
  }

  Input input(const Operand& operand, Type type) const {
    Input made;
    switch (operand.kind) {
      case Operand::Kind::Register:
        made.kind = Input::Kind::Register;
        made.registers = one(operand.reg);
        made.negated = operand.negated;
        break;
      case Operand::Kind::Immediate:
        made.bits = operand.bits;
        // A double in the place of a float.
        if (operand.float_bits == 64 && type.kind == Kind::Float && type.bits == 32)
          made.bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits)));
        if (type.bits > 0) made.bits = isa::truncated(made.bits, type.bits);
        break;
      case Operand::Kind::Special:
        made.kind = Input::Kind::Special;
        made.special = special_of(operand.name);
        break;
      case Operand::Kind::Symbol:
      case Operand::Kind::Address: {
        const auto found = region_of_.find(operand.name);
        made.kind = found == region_of_.end() ? Input::Kind::Missing : Input::Kind::Region;
        made.index = found == region_of_.end() ? 0 : found->second;
        made.bits = static_cast<std::uint64_t>(operand.offset);
        break;
      }
      default:
        made.kind = Input::Kind::Missing;
    }
    return made;
  }

  isa::Access access(const Instruction& read) const {
    using Access = isa::Access;
    Access made;
    const auto& opcode = read.opcode();
    made.kind = opcode == "st"                        ? Access::Kind::Store
                : opcode == "atom" || opcode == "red" ? Access::Kind::Atomic
                                                      : Access::Kind::Load;
    made.space = read.space();
    made.element = read.type();
    made.bytes = read.type().bits / 8 * read.vector_length();
    const auto address = std::ranges::find(read.operands, Operand::Kind::Address, &Operand::kind);
    if (address == read.operands.end() || made.bytes < 1 || made.bytes > 64)
      fail(read, "an access has an address in brackets and a type of 1 to 64 bytes", "found \"" + read.name + "\"");
    made.offset = address->offset;
    if (address->has_register) {
      made.base.kind = Input::Kind::Register;
      made.base.registers = one(address->reg);
    } else if (!address->name.empty()) {
      auto symbol = *address;
      symbol.offset = 0;
      made.base = input(symbol, {});
      if (made.base.kind == Input::Kind::Missing)
        fail(read, "an address names a variable", "found \"" + address->name + "\"");
    }
    return made;
  }

  isa::Assignment assignment(const Instruction& read) const {
    isa::Assignment made;
    made.operation = operation_of(read);
    const auto write = [&](const Operand& operand) {
      const bool somewhere = operand.kind == Operand::Kind::Register;
      made.outputs.push_back({somewhere ? one(operand.reg) : isa::RegisterRange{0, 0}});
    };
    const auto& first = read.operands.front();
    if (first.kind != Operand::Kind::Vector) write(first);
    for (const auto& part : first.parts) write(part);
    if (is_parameter_load(read)) return parameter(read, std::move(made));
    if (is_access(read)) return made;
    for (auto i = written_operands(read); i < read.operands.size(); ++i) {
      const auto& operand = read.operands[i];
      if (operand.kind != Operand::Kind::Vector) made.inputs.push_back(input(operand, read.type()));
      for (const auto& part : operand.parts) made.inputs.push_back(input(part, {}));
    }
    return made;
  }

  static bool is_parameter_load(const Instruction& read) {
    return read.opcode() == "ld" && read.space() == StateSpace::Parameter;
  }

  /// A parameter as a whole is a number that is known or not; a part of one, or one whose address was computed, is not.
  isa::Assignment parameter(const Instruction& read, isa::Assignment made) const {
    const auto& address = read.operands.back();
    Input input;
    input.kind = Input::Kind::Parameter;
    input.index = parameter_at(address);
    input.part = !parameter_of_.contains(address.name) || address.has_register || address.offset != 0 ||
                 made.outputs.size() != 1;
    made.inputs = {input};
    made.operation = {};
    made.operation.op = LaneOp::Move;
    made.operation.type = made.operation.result = {Kind::Bits, 64};
    return made;
  }

  /// The parameter at an address, by its name or through a register that holds its address; kNoParameter where the text
  /// does not tell.
  std::uint32_t parameter_at(const Operand& place) const {
    constexpr int kMostCopies = 16;
    const Operand* address = &place;
    for (int copies = 0; copies < kMostCopies; ++copies) {
      if (const auto found = parameter_of_.find(address->name); found != parameter_of_.end()) return found->second;
      const bool in_register = address->has_register || address->kind == Operand::Kind::Register;
      const Instruction* writer = in_register ? only_writer(address->reg) : nullptr;
      if (writer == nullptr || writer->operands.size() < 2) break;
      address = &writer->operands[1];
    }
    return isa::kNoParameter;
  }

  /// The one instruction that writes a register; null where several do.
  const Instruction* only_writer(std::uint32_t reg) const {
    const Instruction* writer = nullptr;
    for (const auto& read : routine_.instructions) {
      if (std::ranges::count(written_registers(read), reg) == 0) continue;
      if (writer != nullptr) return nullptr;
      writer = &read;
    }
    return writer;
  }

  const Routine& routine_;
  std::map<std::string, std::uint32_t, std::less<>> region_of_, parameter_of_;
};

}  // namespace

isa::Program decode(const Routine& routine, std::int64_t lanes) { return Decoder(routine).run(lanes); }

}  // namespace warpipe::ptx
