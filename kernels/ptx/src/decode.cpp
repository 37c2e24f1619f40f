#include "decode.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "function_pointers.hpp"
#include "group_barriers.hpp"
#include "lexer.hpp"
#include "matrix.hpp"
#include "opcode_table.hpp"
#include "opcodes.hpp"
#include "parameter_places.hpp"
#include "warpipe/isa/texture_read.hpp"
#include "warpipe/ptx/entries.hpp"

namespace warpipe::ptx {
namespace {

using Kind = Type::Kind;
using Flow = isa::Instruction::Flow;
using isa::Input;
using isa::LaneOp;

constexpr Type kPointer{Kind::Unsigned, 64};

isa::RegisterRange one(std::uint32_t reg) { return {reg, 1}; }

/// A routine on its way into the neutral form.
class Decoder {
 public:
  Decoder(const Routine& routine, Reading reading)
      : routine_(routine),
        executes_(reading == Reading::ForExecution),
        offsets_(parameter_offsets(routine.parameters)),
        places_(routine),
        is_read_(routine.registers.size(), false) {
    // Variables without a size lie behind all others; a name declared twice means the later variable.
    for (const bool sized : {true, false})
      for (std::uint32_t i = 0; i < routine.variables.size(); ++i)
        if ((routine.variables[i].elements > 0) == sized) region_of_[routine.variables[i].name] = i;
    for (const auto& read : routine.instructions)
      for (const auto reg : read_registers(read)) is_read_[reg] = true;
  }

  isa::Program run(std::int64_t lanes) {
    isa::Program program;
    program.name = routine_.name;
    program.file = routine_.file;
    program.labels = routine_.labels;
    program.sources = routine_.sources;
    program.lanes = lanes;
    program.limits = isa::kCudaLimits;
    program.shares_pairs = true;
    program.instruction_bytes = 16;  // from compute capability 7.0 on
    for (const auto& [name, type] : routine_.registers)
      program.registers.push_back(
          {name, type.kind == Kind::Predicate ? isa::File::LanePredicate : isa::File::Lane, type.bits});
    for (const auto& of : routine_.variables)
      program.regions.push_back(
          {of.name, of.space, of.type, of.alignment, of.elements, of.known, of.values, source_name(of.name)});
    for (auto& region : program.regions)
      for (std::uint32_t i = 0; i < routine_.parameters.size(); ++i)
        if (region.space == StateSpace::Constant && routine_.parameters[i].name == region.name) region.parameter = i;
    add_parameters(program);
    for (std::uint32_t i = 0; i < routine_.instructions.size(); ++i) program.instructions.push_back(instruction(i));
    let_copies_arrive(program);
    if (!executes_ && reads_grid_workspace(program)) isa::add_grid_workspace(program);
    return program;
  }

 private:
  /// A field of a structure among the parameters: a parameter of its own, behind those of the text.
  struct Field {
    std::string name;  ///< "shape+8"
    std::uint32_t structure = 0;
    std::int64_t offset = 0;
    Type type;
    bool is_pointer = false;  ///< the field stands for the tensor described by a structure
  };

  /// Adds the parameters of the text, and behind them a parameter for each field of a structure.
  void add_parameters(isa::Program& program) {
    for (std::size_t i = 0; i < offsets_.size(); ++i) {
      const auto& of = routine_.parameters[i];
      program.parameters.push_back({of.name, of.type, of.elements, of.is_pointer, declaration(of), offsets_[i]});
    }
    if (executes_) return;
    find_tensors();
    find_fields();
    for (const auto& field : fields_)
      program.parameters.push_back(
          {field.name, field.type, 1, field.is_pointer, "." + to_string(field.type) + " " + field.name, {}, true});
  }

  /// Replaces a tensor map among the parameters by the tensor, as if it were a pointer to the tensor.
  void find_tensors() {
    for (const auto& read : routine_.instructions) {
      if (!is_bulk_copy(read) || !read.has("tensor")) continue;
      const auto place = places_.of(global_side(read));
      if (place.parameter == isa::kNoParameter || !place.exact || field_at(place, kPointer) != isa::kNoParameter)
        continue;
      fields_.push_back({routine_.parameters[place.parameter].name + "+" + std::to_string(place.offset),
                         place.parameter, place.offset, kPointer, true});
    }
  }

  void find_fields() {
    for (const auto& read : routine_.instructions) {
      if (!is_parameter_load(read)) continue;
      const auto place = places_.of(read.operands.back());
      if (place.parameter == isa::kNoParameter || !place.exact || routine_.parameters[place.parameter].elements == 1)
        continue;
      const auto type = read.type();
      if (field_at(place, type) != isa::kNoParameter) continue;
      auto name = routine_.parameters[place.parameter].name + "+" + std::to_string(place.offset);
      if (std::ranges::find(fields_, name, &Field::name) != fields_.end()) name += "." + to_string(type);
      fields_.push_back({std::move(name), place.parameter, place.offset, type});
    }
  }

  /// The number of the parameter for a field; kNoParameter without one.
  std::uint32_t field_at(const ParameterPlace& place, Type type) const {
    const auto found = std::ranges::find_if(fields_, [&](const Field& field) {
      return field.structure == place.parameter && field.offset == place.offset && field.type.bits == type.bits;
    });
    if (found == fields_.end() || !place.exact) return isa::kNoParameter;
    return static_cast<std::uint32_t>(routine_.parameters.size() + static_cast<std::size_t>(found - fields_.begin()));
  }

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
    if (made.flow == Flow::Table && read.has("call")) made.first_index = kFirstFunction;
    for (const auto reg : read_registers(read)) made.reads.push_back(one(reg));
    for (const auto reg : written_registers(read)) made.writes.push_back(one(reg));
    if (accesses(read)) made.access = access(read);
    if (is_bulk_copy(read)) made.access = bulk_access(index);
    if (is_lane_copy(read)) made.access = lane_copy(read);
    if (const auto matrix = matrix_access(read)) made.access = tile(*matrix);
    if (const auto product = matrix_product(read)) made.transactions = static_cast<int>(pieces_of(*product));
    made.timing = timing_of(read);
    if (const auto words = barrier_words(read)) made.barrier = barrier_use(*words);
    made.fails = ends_in_error(read);
    made.rare = read.rare;
    made.others = others_behind(read);
    if (made.barrier && made.barrier->awaits && written_operands(read) > 0)
      made.assignments.push_back(success(read));
    else if (written_operands(read) > 0 && routine_.carries && (read.carry_in || read.carry_out))
      made.assignments = assignments_with_carry(read, *routine_.carries);
    else if (written_operands(read) > 0)
      made.assignments.push_back(assignment(read));
    made.flops = flops_of(read);
    if (reaches_texture(read)) isa::reach_texture(texture_read(read), made);
    made.line = read.line;
    made.source = read.source;
    made.name = read.name;
    made.text = to_string(routine_, read);
    if (executes_)
      complete(
          read, [this](const Operand& operand, Type type) { return input(operand, type); }, made);
    return made;
  }

  /// A machine loads parameters from where they lie.
  bool accesses(const Instruction& read) const { return is_access(read) || (executes_ && is_parameter_load(read)); }

  /// PTX tells neither the filter nor the size of a texel: a read with coordinates between texels is taken as linear,
  /// and a texel as 4 bytes for each channel read. tld4 brings four texels of a channel.
  isa::TextureRead texture_read(const Instruction& read) const {
    isa::TextureRead made;
    made.surface = read.opcode() == "suld" || read.opcode() == "sust" || read.opcode() == "sured";
    made.linear = read.opcode() == "tex" && read.type().kind == Kind::Float;
    made.solid = read.has("3d");
    if (read.opcode() == "tld4") return made;
    auto words = (read.type().bits * read.vector_length() + 31) / 32;
    if (!made.surface) words = channels_read(read);
    made.words = words > 2 ? 4 : std::max(1, words);
    return made;
  }

  /// The number of results of a texture up to the last one read.
  int channels_read(const Instruction& read) const {
    int channels = 0, number = 0;
    for (const auto& part : read.operands.front().parts)
      if (++number; part.kind == Operand::Kind::Register && is_read_[part.reg]) channels = number;
    return channels;
  }

  /// The read of cp.async; its write to shared memory takes no turn of its own.
  isa::Access lane_copy(const Instruction& read) const {
    isa::Access made;
    made.kind = isa::Access::Kind::Copy;
    made.space = StateSpace::Global;
    made.bytes = static_cast<int>(std::clamp<std::uint64_t>(read.operands[2].bits, 1, 16));
    made.past_unit = read.has("cg");
    made.base = base_of(read.operands[1]);
    made.offset = read.operands[1].offset;
    return made;
  }

  isa::Access tile(const MatrixAccess& matrix) const {
    constexpr std::int64_t kLanes = 32, kMostBytes = 64;
    isa::Access made;
    made.kind = matrix.store ? isa::Access::Kind::Store : isa::Access::Kind::Matrix;
    made.space = matrix.space;
    made.base = base_of(*matrix.address);
    made.offset = matrix.address->offset;
    if (matrix.of_lanes) {
      made.bytes = static_cast<int>(matrix.row_bytes);
      made.lanes = static_cast<int>(matrix.rows);
      return made;
    }
    const auto bytes =
        std::clamp(matrix.rows * matrix.row_bytes / kLanes, std::int64_t{1}, std::min(kMostBytes, matrix.row_bytes));
    made.bytes = static_cast<int>(bytes);
    isa::Access::Tile lanes{static_cast<int>(matrix.row_bytes / bytes), {}, matrix.element_bytes};
    lanes.pitch.bits = static_cast<std::uint64_t>(matrix.row_bytes / matrix.element_bytes);
    if (matrix.pitch != nullptr) lanes.pitch = input(*matrix.pitch, {});
    made.tile = lanes;
    return made;
  }

  isa::BarrierUse barrier_use(const BarrierWords& words) const {
    isa::BarrierUse made{words.arrives, words.awaits, words.named, {}, 0, {}};
    made.place = words.place->kind == Operand::Kind::Address ? base_of(*words.place) : input(*words.place, {});
    if (words.place->kind == Operand::Kind::Address) made.offset = words.place->offset;
    if (words.parity != nullptr) made.parity = input(*words.parity, {});
    return made;
  }

  /// A wait is over when it issues: whoever asks is told so.
  static isa::Assignment success(const Instruction& read) {
    isa::Assignment made;
    made.operation.op = LaneOp::Move;
    made.operation.type = made.operation.result = {Kind::Predicate, 1};
    Input yes;
    yes.bits = 1;
    made.inputs.push_back(yes);
    made.outputs.push_back({one(read.operands.front().reg)});
    return made;
  }

  static bool reads_grid_workspace(const isa::Program& program) {
    const auto is_workspace = [](const Input& input) {
      return input.kind == Input::Kind::Special && input.special.name == isa::Special::Name::GridWorkspace;
    };
    return std::ranges::any_of(program.instructions, [&](const isa::Instruction& one) {
      return std::ranges::any_of(one.assignments, [&](const isa::Assignment& assignment) {
        return std::ranges::any_of(assignment.inputs, is_workspace);
      });
    });
  }

  /// The mbarrier of a cp.async.mbarrier.arrive receives the copies since the last instruction of this kind.
  void let_copies_arrive(isa::Program& program) const {
    for (std::uint32_t i = 0; i < routine_.instructions.size(); ++i) {
      const auto& read = routine_.instructions[i];
      if (read.opcode() != "cp" || !read.has("mbarrier") || read.operands.empty()) continue;
      const auto use = barrier_use({true, false, false, &read.operands.front(), nullptr});
      for (auto copy = i; copy-- > 0 && !routine_.instructions[copy].has("mbarrier");)
        if (routine_.instructions[copy].opcode() == "cp" && program.instructions[copy].access)
          program.instructions[copy].barrier = use;
    }
  }

  /// The access of a copy engine, in equal parts for the lanes of a warp; its size is a guess where the text gives
  /// none. A tensor is laid out with its rows 32 KiB apart and its planes 128 MiB: equal coordinates mean equal bytes,
  /// different coordinates different bytes.
  isa::Access bulk_access(std::uint32_t index) const {
    constexpr std::int64_t kGuess = 8192, kLanes = 32, kElements = 64, kOnes = 1;
    constexpr std::array<std::int64_t, 5> kApart{0, 1 << 15, 1 << 27, 1LL << 31, 1LL << 35};
    const auto& read = routine_.instructions[index];
    const auto& place = global_side(read);
    isa::Access made;
    made.kind = &place == &read.operands[0] ? isa::Access::Kind::Store : isa::Access::Kind::Copy;
    made.space = StateSpace::Global;
    made.bulk = made.past_unit = true;
    const auto bytes = std::max(kLanes, bytes_of_bulk_copy(routine_, index).value_or(kGuess));
    made.bytes = static_cast<int>(std::min<std::int64_t>(bytes / kLanes, 1 << 16));
    made.base = base_of(place);
    made.offset = place.offset;
    const auto tensor = read.has("tensor") ? field_at(places_.of(place), kPointer) : isa::kNoParameter;
    if (tensor != isa::kNoParameter) {
      made.base = {};
      made.base.kind = Input::Kind::Parameter;
      made.base.index = tensor;
      made.offset = 0;
    }
    std::size_t axis = 0;
    for (const auto& coordinates : place.parts)
      for (const auto& coordinate : coordinates.parts)
        if (axis < kApart.size())
          made.terms.push_back({input(coordinate, {}), std::max(kOnes, axis == 0 ? bytes / kElements : kApart[axis])}),
              ++axis;
    return made;
  }

  static Flow flow_of(const Instruction& read) { return ends_in_error(read) ? Flow::Exit : row_of(read).flow; }

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
        made.special = special_of(operand.name, executes_ ? Reading::ForExecution : Reading::ForImport);
        break;
      case Operand::Kind::Symbol:
      case Operand::Kind::Address: {
        if (executes_)
          for (std::size_t i = 0; i < offsets_.size(); ++i)
            if (routine_.parameters[i].name == operand.name) {
              made.bits = static_cast<std::uint64_t>(offsets_[i] + operand.offset);
              return made;
            }
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
    if (retries(read))
      made.meeting = Access::Meeting::Retry;
    else if (counts_lanes(read))
      made.meeting = Access::Meeting::Together;
    made.combines = made.kind == Access::Kind::Atomic && combines_lanes(read);
    made.adds_floats = made.kind == Access::Kind::Atomic && read.has("add") && read.type().kind == Kind::Float;
    made.past_unit = made.kind == Access::Kind::Load && goes_past_unit(read);
    made.offset = address->offset;
    made.base = base_of(*address);
    if (made.base.kind == Input::Kind::Missing)
      fail(read, "an address names a variable", "found \"" + address->name + "\"");
    const auto stored = address + 1;
    if (opcode != "st" || stored == read.operands.end()) return made;
    if (stored->kind != Operand::Kind::Vector) made.stored.push_back(input(*stored, made.element));
    for (const auto& part : stored->parts) made.stored.push_back(input(part, made.element));
    return made;
  }

  /// Whether a load reads data that other units may write, or is told to keep nothing near.
  /// @source ptxas 13.0 makes LDG.E.STRONG.GPU of ld.cg, as of ld.relaxed.gpu, and .SYS of ld.cv and ld.volatile
  static bool goes_past_unit(const Instruction& load) {
    const bool ordered = load.has("relaxed") || load.has("acquire");
    return load.has("cg") || load.has("cv") || load.has("volatile") || load.has("mmio") ||
           load.has("L1::no_allocate") || (ordered && !load.has("cta"));
  }

  bool is_result_read(const Instruction& atomic) const {
    const auto& result = atomic.operands.front();
    return result.kind == Operand::Kind::Register && is_read_[result.reg];
  }

  /// Whether it is ATOMS.POPC.INC in machine code, which adds the number of lanes to each word in one pass.
  /// @source ptxas 13.0: of 1, with an unused result, from sm_80 on; ATOMS.ADD on sm_75
  bool counts_lanes(const Instruction& read) const {
    const auto& number = read.operands.back();
    if (read.space() != StateSpace::Shared || !read.has("add") || read.type().bits != 32) return false;
    if (read.type().kind == Kind::Float || number.kind != Operand::Kind::Immediate || number.bits != 1) return false;
    return routine_.architecture >= 80 && !is_result_read(read);
  }

  /// Whether ptxas lets one lane go for all where they go to one address.
  /// @source machine code of ptxas 13.0 for sm_75, sm_80 and sm_90: of add, min, max, and, or, xor, inc and exch with
  ///         32 and 64 bits, constant and loaded numbers, used and unused results; the cases with a vote
  bool combines_lanes(const Instruction& read) const {
    const auto type = read.type();
    if (type.kind == Kind::Float || read.vector_length() > 1) return false;
    const auto& number = read.operands.back();
    if (read.has("add")) return type.bits == 32 || number.kind == Operand::Kind::Immediate;
    const auto is = [&](const char* word) { return read.has(word); };
    return type.bits == 32 && !is_result_read(read) &&
           std::ranges::any_of(std::array{"min", "max", "and", "or", "xor"}, is);
  }

  Input base_of(Operand address) const {
    Input base;
    if (address.has_register) {
      base.kind = Input::Kind::Register;
      base.registers = one(address.reg);
    } else if (!address.name.empty()) {
      address.offset = 0;
      base = input(address, {});
    }
    return base;
  }

  isa::Assignment assignment(const Instruction& read) const {
    isa::Assignment made;
    made.operation = operation_of(read, executes_ ? Reading::ForExecution : Reading::ForImport);
    const auto write = [&](const Operand& operand) {
      const bool somewhere = operand.kind == Operand::Kind::Register;
      made.outputs.push_back({somewhere ? one(operand.reg) : isa::RegisterRange{0, 0}});
    };
    const auto& first = read.operands.front();
    if (first.kind != Operand::Kind::Vector) write(first);
    for (const auto& part : first.parts) write(part);
    if (accesses(read)) return made;
    if (is_parameter_load(read)) return parameter(read, std::move(made));
    for (auto i = written_operands(read); i < read.operands.size(); ++i) {
      const auto& operand = read.operands[i];
      const auto type = type_of_input(read, made.operation, made.inputs.size());
      if (operand.kind != Operand::Kind::Vector) made.inputs.push_back(input(operand, type));
      for (const auto& part : operand.parts) made.inputs.push_back(input(part, {}));
    }
    return made;
  }

  /// d = a + b + flag, with the new flag; for a multiply-add, the product first. The flag is kept aside until d is
  /// written, and d until no operand is still to be read.
  std::vector<isa::Assignment> assignments_with_carry(const Instruction& read,
                                                      const std::array<std::uint32_t, 3>& carries) const {
    const auto whole = assignment(read);
    const auto reg = [](std::uint32_t index) {
      Input input;
      input.kind = Input::Kind::Register;
      input.registers = one(index);
      return input;
    };
    auto sum = whole.operation, product = whole.operation;
    auto terms = whole.inputs;
    std::vector<isa::Assignment> made;
    const auto& opcode = read.opcode();
    if (terms.size() == 3) {
      product.op = read.has("hi") ? LaneOp::MultiplyHigh : LaneOp::Multiply;
      made.push_back({product, {terms[0], terms[1]}, {{one(carries[2])}}});
      terms = {reg(carries[2]), terms[2]};
    }
    if (terms.size() != 2) fail(read, "an instruction with a carry has two operands, or three", "found others");
    if (read.carry_in) terms.push_back(reg(carries[0]));
    const bool subtracts = opcode.starts_with("sub");
    auto flag = sum;
    sum.op = subtracts ? LaneOp::Subtract : LaneOp::Add;
    flag.op = subtracts ? LaneOp::Borrow : LaneOp::Carry;
    flag.result = {Kind::Predicate, 1};
    if (read.carry_out) made.push_back({flag, terms, {{one(carries[1])}}});
    made.push_back({sum, terms, whole.outputs});
    if (!read.carry_out) return made;
    auto keep = flag;
    keep.op = LaneOp::Move;
    keep.type = flag.result;
    made.push_back({keep, {reg(carries[1])}, {{one(carries[0])}}});
    return made;
  }

  /// A parameter as a whole, or a field of a parameter, is a number, known or not; a part of a number is not.
  isa::Assignment parameter(const Instruction& read, isa::Assignment made) const {
    const auto place = places_.of(read.operands.back());
    const auto field = field_at(place, read.type());
    Input input;
    input.kind = Input::Kind::Parameter;
    input.index = field != isa::kNoParameter ? field : place.parameter;
    input.part = made.outputs.size() != 1 || (field == isa::kNoParameter && !(place.exact && place.offset == 0));
    made.inputs = {input};
    made.operation = {};
    made.operation.op = LaneOp::Move;
    made.operation.type = made.operation.result = {Kind::Bits, 64};
    return made;
  }

  const Routine& routine_;
  const bool executes_;
  const std::vector<std::int64_t> offsets_;  ///< of parameters
  ParameterPlaces places_;
  std::vector<bool> is_read_;  ///< by register
  std::map<std::string, std::uint32_t, std::less<>> region_of_;
  std::vector<Field> fields_;
};

}  // namespace

isa::Program decode(const Routine& routine, std::int64_t lanes, Reading reading) {
  return Decoder(routine, reading).run(lanes);
}

}  // namespace warpipe::ptx
