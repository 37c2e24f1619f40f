// Makes steps of a program's instructions.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <type_traits>
#include <utility>

#include "group.hpp"
#include "prepared.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/isa/control_flow.hpp"

namespace warpipe::machine {
namespace {

using isa::Access;
using isa::Input;
using isa::Instruction;
using isa::LaneOp;
using isa::LaneOperation;
using isa::Rounding;
using isa::Space;
using isa::Type;
using Kind = Type::Kind;
using Flow = Instruction::Flow;
using Name = isa::Special::Name;

constexpr Type kWord{Kind::Unsigned, 32}, kWide{Kind::Unsigned, 64}, kTruth{Kind::Predicate, 1};
constexpr std::uint32_t kTemporaries = 24;
constexpr std::uint32_t kSharedNumberBytes = kMostLanes * 8;

std::uint64_t aligned(std::uint64_t bytes, std::uint64_t to) { return (bytes + to - 1) / to * to; }

bool is_float(Type type) { return type.kind == Kind::Float; }
bool is_half(const LaneOperation& operation) {
  const bool converts = operation.op == LaneOp::Convert;
  return (is_float(operation.type) && operation.type.bits == 16) || operation.parts > 1 ||
         (converts && is_float(operation.result) && operation.result.bits == 16) ||
         operation.format != isa::Format::Standard || operation.result_format != isa::Format::Standard;
}

/// How many bits of an input an operation reads.
int bits_of_input(const LaneOperation& operation, std::size_t input) {
  const int bits = operation.type.bits;
  switch (operation.op) {
    case LaneOp::MultiplyAddWide:
      return input == 2 ? operation.result.bits : bits;
    case LaneOp::MultiplyAddHigh:
      return input == 2 ? operation.result.bits : bits;
    case LaneOp::ShiftLeft:
    case LaneOp::ShiftRight:
    case LaneOp::ExtractBits:
      return input > 0 ? 32 : bits;
    case LaneOp::InsertBits:
      return input > 1 ? 32 : bits;
    case LaneOp::Select:
      return input == 2 ? 1 : bits;
    case LaneOp::SelectBySign:
      return input == 2 ? bits : operation.result.bits;
    case LaneOp::Compare:
      return input == 2 ? 1 : bits;
    case LaneOp::Carry:
    case LaneOp::Borrow:
      return input == 2 ? 32 : bits;
    case LaneOp::Logic3:
      return 32;
    case LaneOp::ToGeneric:
    case LaneOp::FromGeneric:
    case LaneOp::IsInWindow:
      return 64;
    default:
      return bits == 0 ? 64 : bits;
  }
}

class Preparer {
 public:
  Preparer(const isa::Program& program, const Variables& variables)
      : variables_(variables), functions_(lane_functions()) {
    code_.program = program;
  }

  Code run() {
    place_regions();
    cut_blocks();
    std::vector<BlockOfSlots> order;
    for (const auto& block : code_.blocks) {
      auto& made = order.emplace_back();
      made.first = block.first;
      made.last = block.last;
      made.successors = block.targets;
      if (block.next != kNoBlock) made.successors.push_back(block.next);
      std::erase(made.successors, kNoBlock);
    }
    slots_ = place_registers(program(), order);
    temporaries_ = static_cast<std::uint32_t>(aligned(slots_.bytes, kAlignment));
    specials_ = temporaries_ + kTemporaries * cell_bytes(true);
    for (const auto& parameter : program().parameters)
      if (parameter.offset)
        code_.argument_bytes = std::max<std::uint64_t>(
            code_.argument_bytes,
            static_cast<std::uint64_t>(*parameter.offset + parameter.elements * (parameter.type.bits / 8)));
    for (auto& block : code_.blocks) fill(block);
    code_.kept_bytes = slots_.bytes;
    code_.zeroed = slots_.unset;
    // Not a power of two apart, so that registers of several warps stay in the caches.
    code_.register_bytes = specials_ + code_.specials.size() * cell_bytes(false) + kAlignment;
    return std::move(code_);
  }

 private:
  const isa::Program& program() const { return code_.program; }
  std::uint32_t lanes() const { return static_cast<std::uint32_t>(program().lanes); }
  std::uint32_t halves() const { return lanes() / static_cast<std::uint32_t>(kLanes); }
  std::uint32_t cell_bytes(bool wide) const { return lanes() * (wide ? 8 : 4); }

  // ---- memory

  void place_regions() {
    for (const auto& region : program().regions) {
      const auto to = static_cast<std::uint64_t>(std::max<std::int64_t>(1, region.alignment));
      const auto bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, region.bytes()));
      std::uint64_t address = 0;
      if (region.space == Space::Shared) {
        // Variables without a size begin behind all others.
        address = aligned(code_.shared_bytes, region.elements == 0 ? std::max<std::uint64_t>(to, 16) : to);
        if (region.elements > 0) code_.shared_bytes = address + bytes;
      } else if (region.space == Space::Local) {
        address = aligned(code_.local_bytes, to);
        code_.local_bytes = address + bytes;
      } else if (const auto found = variables_.find(region.name)) {
        address = found->begin;
      }
      regions_.push_back(address);
    }
    code_.local_bytes = aligned(code_.local_bytes, 16);
  }

  // ---- blocks

  static bool ends_block(const Instruction& instruction) {
    return isa::is_jump(instruction) || instruction.flow == Flow::Barrier;
  }

  void cut_blocks() {
    const auto count = static_cast<std::uint32_t>(program().instructions.size());
    std::vector<bool> begins(count + 1, false);
    begins[0] = true;
    for (std::uint32_t i = 0; i < count; ++i) {
      for (const auto target : program().instructions[i].targets) begins[target] = true;
      if (ends_block(program().instructions[i])) begins[i + 1] = true;
    }
    std::vector<std::uint32_t> starts;
    for (std::uint32_t i = 0; i < count; ++i)
      if (begins[i]) starts.push_back(i);
    std::ranges::stable_sort(starts, {}, [ranks = ranks()](std::uint32_t start) { return ranks[start]; });
    std::map<std::uint32_t, std::uint32_t> block_at;
    for (std::uint32_t i = 0; i < starts.size(); ++i) block_at[starts[i]] = i;
    const auto at = [&](std::uint32_t instruction) {
      return instruction < count ? block_at.at(instruction) : kNoBlock;
    };
    for (const auto start : starts) {
      auto last = start + 1;
      while (last < count && !begins[last]) ++last;
      auto& block = code_.blocks.emplace_back();
      block.first = start;
      block.last = last;
      const auto& end = program().instructions[last - 1];
      for (const auto target : end.targets) block.targets.push_back(at(target));
      block.next = at(last);
      block.fails = end.fails;
      block.end = end.flow == Flow::Jump      ? Block::End::Jump
                  : end.flow == Flow::Table   ? Block::End::Table
                  : end.flow == Flow::Exit    ? Block::End::Exit
                  : end.flow == Flow::Barrier ? Block::End::Barrier
                                              : Block::End::Next;
      if (block.end == Block::End::Exit && !end.guard) block.next = kNoBlock;
      if ((block.end == Block::End::Jump || block.end == Block::End::Table) && !end.guard) block.next = kNoBlock;
    }
  }

  /// By instruction: the place of its block in an order in which all jumps but those of loops go forward; the text's
  /// order where none exists.
  std::vector<std::uint32_t> ranks() const {
    const auto count = program().instructions.size();
    std::vector<std::uint32_t> rank(count, 0);
    try {
      const auto flow = isa::analyse_control_flow(program());
      std::uint32_t next = 0;
      std::vector<std::uint32_t> of_block(flow.blocks.size(), UINT32_MAX);
      number(flow.regions, of_block, next);
      for (std::size_t i = 0; i < count; ++i) rank[i] = of_block[flow.block_of[i]];
    } catch (const InputError&) {
      for (std::uint32_t i = 0; i < count; ++i) rank[i] = i;
    }
    return rank;
  }

  static void number(const std::vector<isa::Region>& regions, std::vector<std::uint32_t>& of_block,
                     std::uint32_t& next) {
    for (const auto& region : regions) {
      if (const auto* block = std::get_if<std::uint32_t>(&region.node))
        of_block[*block] = next++;
      else
        number(std::get<isa::NaturalLoop>(region.node).body, of_block, next);
    }
  }

  void fill(Block& block) {
    block.first_step = static_cast<std::uint32_t>(code_.steps.size());
    for (auto i = block.first; i < block.last; ++i) {
      instruction_ = i;
      temporary_ = 0;
      const auto& instruction = program().instructions[i];
      try {
        block.end != Block::End::Next&& i + 1 == block.last ? finish(block, instruction) : emit(instruction);
      } catch (const NotKnown&) {
        throw Fault(Fault::Kind::NotSupported,
                    fmt::format("{}: \"{}\" is not executed", isa::at_line(program().file, instruction.line),
                                instruction.text));
      }
    }
    block.last_step = static_cast<std::uint32_t>(code_.steps.size());
  }

  void finish(Block& block, const Instruction& end) {
    if (is_assertion(end)) emit(end);
    if (end.guard) {
      block.guarded = true;
      auto guard = *end.guard;
      block.negated = std::exchange(guard.negated, false);
      block.guard = input(guard, 1);
    }
    if (block.end == Block::End::Table) {
      block.index = input(*end.index, 64);
      block.first_index = end.first_index;
    }
    if (block.end != Block::End::Barrier) return;
    auto& meeting = block.meeting;
    meeting.number = constant(0, false);
    if (!end.barrier) return;
    meeting.awaits = end.barrier->awaits;
    meeting.number = input(end.barrier->place, 32);
    if (end.barrier->threads) {
      meeting.counted = true;
      meeting.threads = input(*end.barrier->threads, 32);
    }
    if (end.assignments.empty()) return;
    meeting.reduction = end.assignments.front().operation.op;
    meeting.truth = input(end.assignments.front().inputs.front(), 1);
    meeting.result = place(end.assignments.front().outputs.front().registers.first);
  }

  // ---- numbers

  Step& step(Function function) {
    auto& made = code_.steps.emplace_back();
    made.function = function;
    made.instruction = instruction_;
    return made;
  }

  /// A step for each 32 lanes.
  template <class... Operands>
  void steps(Function function, std::pair<Operand, bool> out, const Operands&... in) {
    for (std::uint32_t half = 0; half < halves(); ++half) {
      auto& made = step(function);
      made.first_lane = half * static_cast<std::uint32_t>(kLanes);
      made.out = out.first + part(half, out.second);
      std::size_t i = 0;
      ((made.in[i++] = in.first + part(half, in.second)), ...);
    }
  }
  static std::uint32_t part(std::uint32_t half, bool wide) {
    return half * static_cast<std::uint32_t>(kLanes) * (wide ? 8 : 4);
  }
  static std::pair<Operand, bool> cells(Operand operand, bool wide) { return {operand, wide}; }
  static std::pair<Operand, bool> cells(Operand operand, int bits) { return {operand, is_wide(bits)}; }

  Operand temporary() {
    if (temporary_ == kTemporaries) temporary_ = 0;  // of long lists none is needed so long
    return temporaries_ + temporary_++ * cell_bytes(true);
  }

  Operand place(std::uint32_t reg) const { return slots_.offset[reg]; }
  int bits_of(std::uint32_t reg) const { return program().registers[reg].bits; }

  Operand shared_number(const SharedNumber& number) {
    auto& all = code_.shared_numbers;
    const auto found = std::ranges::find(all, number);
    const auto index = static_cast<std::uint32_t>(found - all.begin());
    if (found == all.end()) all.push_back(number);
    return index * kSharedNumberBytes + 1;
  }
  Operand constant(std::uint64_t value, bool wide) {
    return shared_number({SharedNumber::From::Constant, wide, wide ? value : isa::truncated(value, 32), 0});
  }

  Operand special(const isa::Special& special, bool wide) {
    using From = SharedNumber::From;
    switch (special.name) {
      case Name::GroupSize:
        return shared_number({From::GroupSize, wide, special.axis, 0});
      case Name::GridSize:
        return shared_number({From::GridSize, wide, special.axis, 0});
      case Name::DynamicSharedBytes:
        return shared_number({From::DynamicSharedBytes, wide, 0, 0});
      case Name::LanesPerWarp:
        return constant(lanes(), wide);
      case Name::UnitCount:
        return shared_number({From::UnitCount, wide, 0, 0});
      case Name::GridWorkspace:
        return shared_number({From::GridWorkspace, wide, special.axis, 0});
      case Name::Other:
        return constant(0, wide);
      case Name::Clock:
      case Name::Nanoseconds: {
        const auto time = temporary();
        steps(read_clock, cells(time, true));
        code_.steps.back().number = special.name == Name::Clock ? 4 : 2;
        return wide ? time : resized(time, kWide, kWord);
      }
      default:
        break;
    }
    const auto same = std::ranges::find_if(code_.specials, [&](const SpecialSlot& slot) {
      return slot.special.name == special.name && slot.special.axis == special.axis;
    });
    const auto offset = same != code_.specials.end()
                            ? same->offset
                            : specials_ + static_cast<std::uint32_t>(code_.specials.size()) * cell_bytes(false);
    if (same == code_.specials.end()) code_.specials.push_back({special, offset});
    return wide ? resized(offset, kWord, kWide) : offset;
  }

  Operand resized(Operand from, Type type, Type to) {
    const auto made = temporary();
    steps(functions_.resize(type, to), cells(made, to.bits), cells(from, type.bits));
    return made;
  }

  /// Where an input's numbers are, in cells for so many bits.
  Operand input(const Input& input, int bits) {
    const bool wide = is_wide(bits);
    switch (input.kind) {
      case Input::Kind::Constant:
        return constant(isa::truncated(input.bits, wide ? 64 : bits), wide);
      case Input::Kind::Region:
        return constant(regions_[input.index] + input.bits, wide);
      case Input::Kind::Special:
        return special(input.special, wide);
      case Input::Kind::Register:
        return register_input(input, wide);
      case Input::Kind::Parameter: {
        if (input.index == isa::kNoParameter || input.part) throw NotKnown{};
        const auto& parameter = program().parameters[input.index];
        if (!parameter.offset) throw NotKnown{};
        return shared_number({SharedNumber::From::Argument, wide, static_cast<std::uint64_t>(*parameter.offset),
                              static_cast<std::uint32_t>(std::max(1, parameter.type.bits / 8))});
      }
      default:
        throw NotKnown{};
    }
  }

  Operand register_input(const Input& input, bool wide) {
    const auto& range = input.registers;
    if (range.count == 0) return constant(0, wide);
    if (range.count > 2 || input.bit_of_lane) throw NotKnown{};
    auto found = place(range.first);
    bool is_now_wide = is_wide(bits_of(range.first));
    if (range.count == 2 && wide) {
      if (is_now_wide || is_wide(bits_of(range.first + 1))) throw NotKnown{};
      const auto joined = temporary();
      steps(functions_.join64, cells(joined, true), cells(found, false), cells(place(range.first + 1), false));
      found = joined;
      is_now_wide = true;
    }
    const bool of_lanes = isa::is_per_lane(program().registers[range.first].file);
    if (input.lane || (uniform_ && of_lanes)) {
      const auto same = temporary();
      steps(is_now_wide ? broadcast64 : broadcast32, cells(same, is_now_wide), cells(found, is_now_wide));
      for (std::uint32_t half = 0; half < halves(); ++half) {
        auto& made = code_.steps[code_.steps.size() - 1 - half];
        made.number = input.lane ? *input.lane : kMostLanes;
        made.in[0] = found;
      }
      found = same;
    }
    if (is_now_wide != wide) found = resized(found, is_now_wide ? kWide : kWord, wide ? kWide : kWord);
    if (input.negated) {
      const auto truth = temporary();
      steps(functions_.is_zero, cells(truth, false), cells(found, false));
      found = truth;
    }
    return found;
  }

  struct NotKnown {};  ///< thrown where an input cannot be had

  /// The place of a result, and the steps to bring it into its registers.
  class Result {
   public:
    /// @param type  of the written number; a signed type is widened by its sign
    Result(Preparer& of, const isa::Output& output, Type type) : of_(of), output_(output), type_(type) {
      const auto& range = output.registers;
      const int bits = range.count == 0 ? 0 : of.bits_of(range.first);
      const bool fits =
          type.bits == bits || (type.bits < bits && is_wide(type.bits) == is_wide(bits) && type.kind != Kind::Signed);
      direct_ = range.count == 1 && fits;
      at_ = direct_ ? of.place(range.first) : of.temporary();
    }
    Operand place() const { return at_; }
    bool wide() const { return is_wide(type_.bits); }
    AccessMore::Cells cells() const { return {at_, wide()}; }
    void bring() {
      const auto& range = output_.registers;
      if (direct_ || range.count == 0) return;
      const auto kind = type_.kind == Kind::Signed ? Kind::Signed : Kind::Unsigned;
      const Type from{kind, type_.bits == 1 ? 32 : type_.bits};
      if (range.count == 1) {
        const int bits = of_.bits_of(range.first);
        of_.steps(of_.functions_.resize(from, {Kind::Bits, bits == 1 ? 32 : bits}),
                  Preparer::cells(of_.place(range.first), bits), Preparer::cells(at_, wide()));
        return;
      }
      const auto whole = wide() ? at_ : of_.resized(at_, from, kWide);
      of_.steps(of_.functions_.split64, Preparer::cells(of_.place(range.first), false), Preparer::cells(whole, true),
                Preparer::cells(of_.place(range.first + 1), false));
    }

   private:
    Preparer& of_;
    const isa::Output& output_;
    Type type_;
    bool direct_ = false;
    Operand at_ = 0;
  };

  // ---- instructions

  void emit(const Instruction& instruction) {
    if (instruction.assignments.empty() && !instruction.access) return;
    uniform_ = !instruction.per_lane;
    if (uniform_) step(begin_uniform);
    if (instruction.guard) {
      auto guard = *instruction.guard;
      const bool turned = std::exchange(guard.negated, false);
      const auto truth = input(guard, 1);
      auto& made = step(functions_.begin_guard);
      made.in[0] = truth;
      made.first_lane = lanes();
      made.number = turned ? 1 : 0;
    }
    const auto before = code_.steps.size();
    try {
      emit_plain(instruction);
    } catch (const NotKnown&) {
      code_.steps.resize(before);
      step(refuse);
    }
    if (instruction.guard || uniform_) step(functions_.end_guard);
    uniform_ = false;
  }

  void emit_plain(const Instruction& instruction) {
    const auto op = instruction.assignments.empty() ? LaneOp::Load : instruction.assignments.front().operation.op;
    if (op == LaneOp::MatrixLoad || op == LaneOp::MatrixStore) return emit_matrices(instruction);
    if (op == LaneOp::FragmentLoad || op == LaneOp::FragmentStore) return emit_fragment(instruction);
    if (instruction.access) return emit_access(instruction);
    if (instruction.name == "call vprintf") return listed(instruction.assignments.front(), print);
    if (instruction.name == "call malloc") {
      code_.has_heap = true;
      return listed(instruction.assignments.front(), allocate);
    }
    if (instruction.name == "call free") return listed(instruction.assignments.front(), free_allocated);
    if (is_assertion(instruction)) return listed(instruction.assignments.front(), print_assertion);
    for (const auto& assignment : instruction.assignments) assign(assignment);
  }

  OperationMore& operation_more(const LaneOperation& operation) {
    auto& more = code_.operations.emplace_back();
    more.operation = operation;
    more.lanes = lanes();
    return more;
  }

  void assign(const isa::Assignment& assignment) {
    const auto& operation = assignment.operation;
    if (operation.op == LaneOp::Unknown) throw NotKnown{};
    for (const auto& output : assignment.outputs)
      if (output.bit_of_lane) throw NotKnown{};
    if (operation.op == LaneOp::MatrixProduct || operation.op == LaneOp::MatrixTranspose)
      return listed(assignment, operation.op == LaneOp::MatrixProduct ? multiply_matrices : transpose_matrix);
    if (operation.op == LaneOp::FragmentProduct) {
      if (lanes() != kLanes) throw NotKnown{};
      return listed(assignment, multiply_fragments);
    }
    if (operation.op == LaneOp::CopyBulk) return listed(assignment, copy_bulk);
    if (operation.op >= LaneOp::TextureLoad && operation.op <= LaneOp::SurfaceStore)
      return listed(assignment, reach_texels);
    if (shuffles_words(assignment)) return;
    if (isa::is_across_lanes(operation.op)) return listed(assignment, evaluate_across);
    if (operation.op == LaneOp::Move && assignment.inputs.size() > 1) return pack(assignment);
    if (operation.op == LaneOp::Move && assignment.outputs.size() > 1) return cut(assignment);
    if (operation.op == LaneOp::ToGeneric || operation.op == LaneOp::FromGeneric) return change_window(assignment);
    if (operation.op == LaneOp::Compare && operation.result.kind == Kind::Predicate) return compare(assignment);
    const bool half = operation.op != LaneOp::Move && is_half(operation);
    if (half ? !halves_at_once(assignment) : !vectorised(assignment)) lane_by_lane(assignment);
  }

  /// A shuffle of numbers of 32 bits.
  /// @return false where it is none
  bool shuffles_words(const isa::Assignment& assignment) {
    const auto function = functions_.find_shuffle(assignment.operation.op);
    const auto is_word = [&](const isa::RegisterRange& range) {
      return range.count == 1 && !is_wide(bits_of(range.first));
    };
    const auto& outputs = assignment.outputs;
    if (function == nullptr || lanes() != kLanes || assignment.inputs.size() < 3 || outputs.empty()) return false;
    for (const auto& output : outputs)
      if (output.registers.count != 0 && !is_word(output.registers)) return false;
    for (std::size_t i = 0; i < 3; ++i)
      if (assignment.inputs[i].kind == Input::Kind::Register && !is_word(assignment.inputs[i].registers)) return false;
    std::array<Operand, 3> in{};
    for (std::size_t i = 0; i < 3; ++i) in[i] = input(assignment.inputs[i], 32);
    const auto place_of = [&](const isa::Output& output) {
      return output.registers.count == 0 ? temporary() : place(output.registers.first);
    };
    const auto out = place_of(outputs.front());
    steps(function, cells(out, false), cells(in[0], false), cells(in[1], false), cells(in[2], false));
    if (outputs.size() > 1) code_.steps.back().in[3] = place_of(outputs[1]) + 1;
    return true;
  }

  /// Numbers of registers as they are, for functions with loops of their own over them.
  void listed(const isa::Assignment& assignment, Function function) {
    auto& more = operation_more(assignment.operation);
    for (std::size_t i = 0; i < assignment.inputs.size(); ++i) {
      const auto& from = assignment.inputs[i];
      const bool wide = from.kind == Input::Kind::Register && from.registers.count > 0 &&
                        (from.registers.count > 1 || is_wide(bits_of(from.registers.first)));
      more.inputs.push_back({input(from, wide ? 64 : 32), wide});
    }
    std::vector<Result> results;
    results.reserve(assignment.outputs.size());
    for (const auto& output : assignment.outputs) {
      const bool wide =
          output.registers.count > 1 || (output.registers.count == 1 && is_wide(bits_of(output.registers.first)));
      const int bits = output.registers.count == 1 ? bits_of(output.registers.first) : wide ? 64 : 32;
      more.outputs.push_back(results.emplace_back(*this, output, Type{Kind::Unsigned, bits}).cells());
    }
    step(function).more = &more;
    for (auto& result : results) result.bring();
  }

  void lane_by_lane(const isa::Assignment& assignment) {
    const auto& operation = assignment.operation;
    each_lane(assignment, operation.op != LaneOp::Move && is_half(operation) ? evaluate_halves : evaluate_lanes);
  }

  /// An operation evaluated for each lane in turn.
  void each_lane(const isa::Assignment& assignment, Function function) {
    const auto& operation = assignment.operation;
    std::vector<std::pair<Operand, bool>> in;
    for (std::size_t i = 0; i < assignment.inputs.size(); ++i) {
      const int bits = is_half(operation) && i < 2 ? std::max(16 * operation.parts, operation.type.bits)
                                                   : bits_of_input(operation, i);
      in.emplace_back(input(assignment.inputs[i], bits), is_wide(bits));
    }
    std::vector<Result> results;
    results.reserve(assignment.outputs.size());
    const bool half = function == evaluate_halves;
    for (const auto& output : assignment.outputs) {
      Type type{Kind::Unsigned, half ? std::max(1, operation.result.bits * operation.parts) : 64};
      if (half && operation.result.kind == Kind::Predicate) type = kTruth;
      results.emplace_back(*this, output, type);
    }
    for (std::uint32_t half_warp = 0; half_warp < halves(); ++half_warp) {
      auto& more = operation_more(operation);
      for (const auto& [place, wide] : in) more.inputs.push_back({place + part(half_warp, wide), wide});
      for (const auto& result : results)
        more.outputs.push_back({result.place() + part(half_warp, result.wide()), result.wide()});
      auto& made = step(function);
      made.first_lane = half_warp * static_cast<std::uint32_t>(kLanes);
      made.more = &more;
    }
    for (auto& result : results) result.bring();
  }

  /// Packs several registers into a number, the first as the lowest part.
  void pack(const isa::Assignment& assignment) {
    const auto count = static_cast<int>(assignment.inputs.size());
    const int whole = assignment.operation.type.bits, bits = whole / count;
    const bool wide = is_wide(whole);
    Result result(*this, assignment.outputs.front(), {Kind::Unsigned, whole});
    std::vector<Operand> in;
    for (const auto& part : assignment.inputs) in.push_back(input(part, bits));
    if (count == 2 && bits == 32) {
      const auto joined = temporary();  // of all lanes, active or not
      steps(functions_.join64, cells(joined, true), cells(in[0], false), cells(in[1], false));
      move(result.place(), joined, 64);
      return result.bring();
    }
    const Type type{Kind::Unsigned, wide ? 64 : 32};
    Operand sum = 0;
    for (int i = 0; i < count; ++i) {
      auto next = is_wide(bits) == wide ? in[static_cast<std::size_t>(i)]
                                        : resized(in[static_cast<std::size_t>(i)], kWord, kWide);
      if (i > 0) {
        const auto moved = temporary();
        steps(find(LaneOp::ShiftLeft, type), cells(moved, wide), cells(next, wide),
              cells(constant(static_cast<std::uint64_t>(i * bits), false), false));
        next = temporary();
        steps(find(LaneOp::Or, type), cells(next, wide), cells(sum, wide), cells(moved, wide));
      }
      sum = next;
    }
    move(result.place(), sum, whole);
    result.bring();
  }

  void move(Operand to, Operand from, int bits) {
    const bool wide = is_wide(bits);
    steps(find(LaneOp::Move, wide ? kWide : kWord), cells(to, wide), cells(from, wide));
  }

  Function find(LaneOp op, Type type) const {
    LaneOperation operation;
    operation.op = op;
    operation.type = operation.result = type;
    return functions_.find(operation, isa::inputs_of(op));
  }

  /// Cuts a number into several registers.
  void cut(const isa::Assignment& assignment) {
    const auto count = static_cast<int>(assignment.outputs.size());
    const int whole = assignment.operation.type.bits, bits = whole / count;
    const bool wide = is_wide(whole);
    const Type type{Kind::Unsigned, wide ? 64 : 32};
    const auto from = input(assignment.inputs.front(), whole);
    for (int i = 0; i < count; ++i) {
      const auto& output = assignment.outputs[static_cast<std::size_t>(i)];
      if (output.registers.count == 0) continue;
      auto moved = from;
      if (i > 0) {
        moved = temporary();
        steps(find(LaneOp::ShiftRight, type), cells(moved, wide), cells(from, wide),
              cells(constant(static_cast<std::uint64_t>(i * bits), false), false));
      }
      Result result(*this, output, {Kind::Unsigned, bits});
      steps(functions_.resize(type, {Kind::Bits, bits}), cells(result.place(), bits), cells(moved, wide));
      result.bring();
    }
  }

  /// Addresses of global and constant memory are the host's; shared and thread-private memory lie in windows.
  void change_window(const isa::Assignment& assignment) {
    const auto& operation = assignment.operation;
    auto from = input(assignment.inputs.front(), 64);
    Result result(*this, assignment.outputs.front(), {Kind::Unsigned, std::max(32, operation.result.bits)});
    const auto window = operation.window == isa::kConstantWindow && !is_parameter(operation) ? 0 : operation.window;
    auto changed = from;
    if (window != 0) {
      changed = temporary();
      const bool to = operation.op == LaneOp::ToGeneric;
      steps(find(to ? LaneOp::Or : LaneOp::And, kWide), cells(changed, true), cells(from, true),
            cells(constant(to ? window : ~isa::kWindowMask, true), true));
    }
    if (!result.wide()) changed = resized(changed, kWide, kWord);
    move(result.place(), changed, result.wide() ? 64 : 32);
    result.bring();
  }
  /// Parameters have no address of the host; constants have.
  bool is_parameter(const LaneOperation& /*operation*/) const {
    return program().instructions[instruction_].name.find("param") != std::string::npos;
  }

  void join(Operand to, Operand truth, isa::Join join, Operand other) {
    const auto function = join == isa::Join::And  ? functions_.combine_and
                          : join == isa::Join::Or ? functions_.combine_or
                                                  : functions_.combine_xor;
    steps(function, cells(to, false), cells(truth, false), cells(other, false));
  }

  void compare(const isa::Assignment& assignment) {
    auto operation = assignment.operation;
    if (operation.flush && is_float(operation.type)) operation.flush = false;
    const bool half = is_half(operation);
    const auto function = (half ? functions_.find_half : functions_.find)(operation, 2);
    if (function == nullptr || (half && assignment.operation.flush)) return lane_by_lane(assignment);
    const int bits = operation.type.bits;
    std::array<Operand, 2> in{};
    for (std::size_t i = 0; i < 2; ++i) in[i] = flushed(input(assignment.inputs[i], bits), assignment.operation);
    const bool joins = operation.join != isa::Join::None && assignment.inputs.size() > 2;
    const bool plain = assignment.outputs.size() == 1 && !joins && !operation.opposite;
    const auto other = joins ? input(assignment.inputs[2], 1) : 0;
    Result first(*this, assignment.outputs.front(), kTruth);
    auto truth = plain ? first.place() : temporary();
    steps(function, cells(truth, false), cells(in[0], bits), cells(in[1], bits));
    if (!plain) {
      auto turned = temporary();
      steps(functions_.is_zero, cells(turned, false), cells(truth, false));
      if (operation.opposite) std::swap(truth, turned);
      // The second result may take a register of an input, so both are made before.
      std::optional<Result> second;
      if (assignment.outputs.size() > 1) second.emplace(*this, assignment.outputs[1], kTruth);
      const auto kept = joins ? temporary() : other;
      if (joins) move(kept, other, 32);
      joins ? join(first.place(), truth, operation.join, kept) : move(first.place(), truth, 32);
      if (second) {
        joins ? join(second->place(), turned, operation.join, kept) : move(second->place(), turned, 32);
        second->bring();
      }
    }
    first.bring();
  }

  /// Flushes floats below the normal ones to zero where the operation demands it.
  Operand flushed(Operand in, const LaneOperation& operation) {
    if (!operation.flush || !is_float(operation.type)) return in;
    const auto made = temporary();
    const int bits = operation.type.bits;
    steps(bits == 32 ? functions_.flush32 : functions_.flush64, cells(made, bits), cells(in, bits));
    return made;
  }

  /// Floats of 16 bits.
  /// @return false where no function over lanes does it
  bool halves_at_once(const isa::Assignment& assignment) {
    const auto& operation = assignment.operation;
    if (assignment.outputs.size() != 1 || assignment.inputs.size() > 3) return false;
    if (operation.op == LaneOp::Compare && (assignment.inputs.size() != 2 || operation.result.kind == Kind::Predicate))
      return false;
    if (operation.to_float != Rounding::Nearest || operation.saturate || operation.flush) return false;
    if (operation.parts > 1 && !is_float(operation.type)) return false;
    const auto function = functions_.find_half(operation, assignment.inputs.size());
    if (function == nullptr) return false;
    std::vector<std::pair<Operand, bool>> in;
    for (const auto& from : assignment.inputs) {
      const int bits = std::max(16 * operation.parts, operation.type.bits);
      in.emplace_back(input(from, bits), is_wide(bits));
    }
    in.resize(3);
    auto type = operation.result;
    if (is_float(type)) type = {Kind::Unsigned, type.bits * (type.bits <= 16 ? operation.parts : 1)};
    Result result(*this, assignment.outputs.front(), type);
    steps(function, {result.place(), result.wide()}, in[0], in[1], in[2]);
    result.bring();
    return true;
  }

  /// The function of an operation with its rounding of floats.
  /// @return null without one
  Function function_of(const LaneOperation& operation, std::size_t inputs) const {
    if (operation.to_float == Rounding::Nearest) return functions_.find(operation, inputs);
    static constexpr std::array kRounded{LaneOp::Add,    LaneOp::Subtract,   LaneOp::Multiply,  LaneOp::MultiplyAdd,
                                         LaneOp::Divide, LaneOp::SquareRoot, LaneOp::Reciprocal};
    const bool narrows = operation.op == LaneOp::Convert && is_float(operation.type) && is_float(operation.result) &&
                         operation.rounding == Rounding::None;
    if (!is_float(operation.type) || (!narrows && std::ranges::find(kRounded, operation.op) == kRounded.end()))
      return nullptr;
    return functions_.find(operation, inputs) == nullptr ? nullptr : functions_.rounded_as(operation.to_float);
  }

  /// @return false where no function over lanes does it
  bool vectorised(const isa::Assignment& assignment) {
    const auto& operation = assignment.operation;
    if (assignment.outputs.size() != 1 || assignment.inputs.size() > 4) return false;
    if (operation.gross || operation.opposite) return false;
    if (operation.op == LaneOp::Logic3 && operation.join != isa::Join::None) return false;
    const bool float_result = is_float(operation.result) && operation.op != LaneOp::SelectBySign;
    if (operation.saturate && !float_result) return false;
    if (operation.op == LaneOp::Compare) return false;
    const auto function = function_of(operation, assignment.inputs.size());
    if (function == nullptr) return false;
    std::array<std::pair<Operand, bool>, 4> in{};
    for (std::size_t i = 0; i < assignment.inputs.size(); ++i) {
      const int bits = bits_of_input(operation, i);
      auto from = input(assignment.inputs[i], bits);
      const bool number = is_float(operation.type) && operation.op != LaneOp::Select && operation.op != LaneOp::Move;
      in[i] = {number ? flushed(from, operation) : from, is_wide(bits)};
    }
    auto type = operation.result;
    if (type.bits == 0) type = operation.type;
    if (operation.op != LaneOp::Convert && type.kind == Kind::Signed) type.kind = Kind::Unsigned;
    Result result(*this, assignment.outputs.front(), type);
    const bool saturates = operation.saturate && float_result, flushes = operation.flush && float_result;
    const auto raw = saturates || flushes ? temporary() : result.place();
    const bool wide = result.wide();
    const bool carries = operation.op == LaneOp::Carry || operation.op == LaneOp::Borrow;
    if (carries && assignment.inputs.size() == 2) in[2] = {constant(0, false), false};
    steps(function, {raw, wide}, in[0], in[1], in[2], in[3]);
    if (operation.to_float != Rounding::Nearest)
      for (std::uint32_t half = 0; half < halves(); ++half)
        code_.steps[code_.steps.size() - 1 - half].number =
            reinterpret_cast<std::uintptr_t>(functions_.find(operation, assignment.inputs.size()));
    auto last = raw;
    if (saturates) {
      const auto next = flushes ? temporary() : result.place();
      steps(wide ? functions_.saturate64 : functions_.saturate32, {next, wide}, std::pair{last, wide});
      last = next;
    }
    if (flushes) steps(wide ? functions_.flush64 : functions_.flush32, {result.place(), wide}, std::pair{last, wide});
    result.bring();
    return true;
  }

  // ---- memory

  /// Addresses of lanes, in 64 bits.
  Operand addresses(const Input& base, const std::optional<Input>& uniform_base, std::uint32_t scale,
                    std::int64_t offset, bool& narrow) {
    const bool has_register = base.kind == Input::Kind::Register && base.registers.count > 0;
    narrow = has_register && base.registers.count == 1 && !is_wide(bits_of(base.registers.first)) && !uniform_base;
    const auto made = temporary();
    const auto number = static_cast<std::uint64_t>(offset);
    Operand from = 0;
    if (narrow && scale == 1) {
      from = input(base, 32);
      steps(functions_.widen_and_add, cells(made, true), cells(from, false));
    } else {
      from = input(base, 64);
      if (scale != 1) {
        const auto scaled = temporary();
        steps(find(LaneOp::Multiply, kWide), cells(scaled, true), cells(from, true),
              cells(constant(scale, true), true));
        from = scaled;
      }
      if (uniform_base) {
        const auto sum = temporary();
        steps(find(LaneOp::Add, kWide), cells(sum, true), cells(from, true), cells(input(*uniform_base, 64), true));
        from = sum;
      }
      steps(functions_.add_number64, cells(made, true), cells(from, true));
    }
    for (std::uint32_t half = 0; half < halves(); ++half) code_.steps[code_.steps.size() - 1 - half].number = number;
    return made;
  }

  /// A load of arguments at a known place: numbers shared by all lanes of the launch.
  /// @return false for any other load
  bool loads_arguments(const Instruction& instruction) {
    const auto& access = *instruction.access;
    const auto width = static_cast<std::uint64_t>(access.element.bits / 8);
    const auto first = access.base.bits + static_cast<std::uint64_t>(access.offset);
    std::size_t elements = 0;
    for (const auto& assignment : instruction.assignments) elements += assignment.outputs.size();
    if (access.kind != Access::Kind::Load || access.space != Space::Parameter || width == 0 || width > 8) return false;
    if (access.base.kind != Input::Kind::Constant || access.uniform_base || access.element.kind == Kind::Signed)
      return false;
    if (first + elements * width > code_.argument_bytes) return false;
    auto at = first;
    for (const auto& assignment : instruction.assignments)
      for (const auto& output : assignment.outputs) {
        const int bits = output.registers.count == 1 ? bits_of(output.registers.first) : 64;
        Result result(*this, output, Type{Kind::Unsigned, bits});
        const SharedNumber number{SharedNumber::From::Argument, result.wide(), at, static_cast<std::uint32_t>(width)};
        move(result.place(), shared_number(number), bits);
        result.bring();
        at += width;
      }
    return true;
  }

  /// Whether addresses are of 32 bits: of shared memory, but where they stand in a wider register.
  bool is_in_words(const Access& access) const {
    const auto& range = access.base.registers;
    const bool wide = access.base.kind == Input::Kind::Register && range.count > 0 &&
                      (range.count > 1 || is_wide(bits_of(range.first)));
    return access.space == Space::Shared && !wide;
  }

  /// The function of an access that fits a SimpleAccess, else null.
  Function simple_function(const Access& access, const AccessMore& more) const {
    constexpr std::size_t kMost = std::extent_v<decltype(more.places)>;
    const bool loads = access.kind == Access::Kind::Load;
    if ((!loads && access.kind != Access::Kind::Store) || access.uniform_base || access.scale != 1) return nullptr;
    if (more.cells.empty() || more.cells.size() > kMost) return nullptr;
    const bool wide = more.cells.front().wide, shared = is_in_words(access);
    const auto is_alike = [&](const AccessMore::Cells& cells) { return cells.wide == wide; };
    if (!std::ranges::all_of(more.cells, is_alike)) return nullptr;
    const bool global =
        access.space == Space::Global || access.space == Space::Generic || access.space == Space::Constant;
    const bool narrow = access.base.kind == Input::Kind::Register && access.base.registers.count == 1 &&
                        !is_wide(bits_of(access.base.registers.first));
    if (!shared && (!global || narrow)) return nullptr;
    return functions_.find_access(more.width, more.is_signed, wide, shared, !loads);
  }

  void emit_access(const Instruction& instruction) {
    const auto& access = *instruction.access;
    if (access.kind == Access::Kind::Matrix || access.bulk || !access.terms.empty() || access.tile) throw NotKnown{};
    if (loads_arguments(instruction)) return;
    AccessMore more;
    more.access = &access;
    more.slow = access_memory;
    more.instruction = instruction_;
    more.space = access.space;
    more.number = static_cast<std::uint32_t>(code_.accesses.size());
    more.width = static_cast<std::uint32_t>(std::max(8, access.element.bits) / 8);
    if (more.width > 8) throw NotKnown{};
    more.is_signed = access.element.kind == Kind::Signed;
    std::vector<Result> results;
    if (access.kind == Access::Kind::Load) {
      for (const auto& assignment : instruction.assignments)
        for (const auto& output : assignment.outputs) {
          const bool somewhere = output.registers.count > 0;
          int bits = !somewhere || output.registers.count > 1 ? 64 : bits_of(output.registers.first);
          if (more.is_signed && bits < 32) bits = 32;  // is widened further than the register goes
          auto& result = results.emplace_back(*this, output, Type{Kind::Unsigned, bits});
          more.cells.push_back(result.cells());
        }
    }
    if (access.kind == Access::Kind::Store || access.kind == Access::Kind::Atomic) {
      if (access.stored.empty()) throw NotKnown{};
      for (const auto& stored : access.stored) {
        const int bits = static_cast<int>(more.width) * 8;
        more.cells.push_back({input(stored, bits), is_wide(bits)});
      }
    }
    if (access.kind == Access::Kind::Atomic) {
      more.atomic = atomic_function(access.atomic, access.space == Space::Shared);
      if (more.atomic == nullptr) throw NotKnown{};
      for (const auto& assignment : instruction.assignments)
        for (const auto& output : assignment.outputs) {
          if (output.registers.count == 0) continue;
          auto& result = results.emplace_back(*this, output, Type{Kind::Unsigned, static_cast<int>(more.width) * 8});
          more.old = result.cells();
          more.gives_old = true;
        }
    }
    more.bytes =
        access.kind == Access::Kind::Copy
            ? static_cast<std::uint32_t>(access.bytes)
            : more.width * static_cast<std::uint32_t>(access.kind == Access::Kind::Atomic ? 1 : more.cells.size());
    if (access.kind == Access::Kind::Copy) {
      if (!access.copied_to) throw NotKnown{};
      bool narrow = false;
      more.copied_to = addresses(*access.copied_to, {}, 1, access.copied_offset, narrow);
      more.copies_part = access.copied_bytes.has_value();
      if (access.copied_bytes) more.copied_bytes = input(*access.copied_bytes, 32);
    }
    const auto simple = simple_function(access, more);
    const auto base = simple == nullptr ? 0 : input(access.base, is_in_words(access) ? 32 : 64);
    const auto at = simple != nullptr
                        ? temporary()
                        : addresses(access.base, access.uniform_base, access.scale, access.offset, more.narrow);
    for (std::uint32_t half = 0; half < halves(); ++half) {
      auto& own = code_.accesses.emplace_back(more);
      own.number = static_cast<std::uint32_t>(code_.accesses.size() - 1);
      for (auto& cells : own.cells) cells.place += part(half, cells.wide);
      own.old.place += part(half, own.old.wide);
      own.copied_to += part(half, true);
      own.copied_bytes += part(half, false);
      own.elements = simple == nullptr ? 0 : static_cast<std::uint32_t>(own.cells.size());
      for (std::size_t i = 0; i < own.elements; ++i) own.places[i] = own.cells[i].place;
      auto& made = step(simple == nullptr ? access_memory : simple);
      made.first_lane = half * static_cast<std::uint32_t>(kLanes);
      made.in[0] = at + part(half, true);
      made.in[1] = base + part(half, !is_in_words(access));
      made.number = static_cast<std::uint64_t>(access.offset);
      made.more = static_cast<const SimpleAccess*>(&own);
    }
    for (auto& result : results) result.bring();
  }

  void emit_matrices(const Instruction& instruction) {
    if (!instruction.access || lanes() != kLanes) throw NotKnown{};
    const auto& assignment = instruction.assignments.front();
    bool narrow = false;
    const auto at = addresses(instruction.access->base, {}, 1, instruction.access->offset, narrow);
    listed(assignment, move_matrices);
    for (auto made = code_.steps.rbegin(); made != code_.steps.rend(); ++made)
      if (made->function == move_matrices) {
        made->in[0] = at;
        return;
      }
  }

  void emit_fragment(const Instruction& instruction) {
    if (!instruction.access || lanes() != kLanes) throw NotKnown{};
    const auto& access = *instruction.access;
    const auto& assignment = instruction.assignments.front();
    bool narrow = false;
    const auto at = addresses(access.base, {}, 1, access.offset, narrow);
    auto& more = code_.accesses.emplace_back();
    more.number = static_cast<std::uint32_t>(code_.accesses.size() - 1);
    more.access = &access;
    more.instruction = instruction_;
    more.space = access.space;
    more.width = more.bytes = static_cast<std::uint32_t>(assignment.operation.type.bits / 8);
    const auto before = code_.steps.size();
    listed(assignment, move_fragment);
    for (auto i = before; i < code_.steps.size(); ++i) {
      if (code_.steps[i].function != move_fragment) continue;
      code_.steps[i].in[0] = at;
      code_.steps[i].number = more.number;
    }
  }

  Code code_;
  const Variables& variables_;
  const LaneFunctions& functions_;
  Slots slots_;
  std::vector<std::uint64_t> regions_;  ///< their addresses
  std::uint32_t temporaries_ = 0, specials_ = 0, temporary_ = 0, instruction_ = 0;
  bool uniform_ = false;
};

}  // namespace

Code prepare(const isa::Program& program, const Variables& variables) { return Preparer(program, variables).run(); }

}  // namespace warpipe::machine
