#include "program_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "copy_engine.hpp"
#include "fixed_values.hpp"
#include "kernel_memory.hpp"
#include "lane_maker.hpp"
#include "matrix.hpp"
#include "modifiers.hpp"
#include "register_banks.hpp"
#include "rows.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/isa/symbols.hpp"

namespace warpipe::sass {
namespace {

using isa::Input;
using isa::LaneOp;
using Flow = isa::Instruction::Flow;

constexpr std::size_t kMostInstances = 1024, kMostInstructions = 1'000'000;
constexpr int kDeepestCall = 16;
constexpr std::uint64_t kMostTargets = 1024;
constexpr std::uint8_t kProducts = kScoreboards;  ///< the counter of products of four warps
constexpr std::uint64_t kBytes = 16;              // of an instruction
/// Of an address in the shared memory of a cluster; above it stands the group.
constexpr std::uint64_t kPlaceInGroup = 0xffffff;
constexpr int kParityPlace = 31;  ///< the bit of a phase's parity
/// The bytes of a copy by an engine where the code does not tell them.
constexpr std::int64_t kGuessedCopy = 8192;
constexpr std::int64_t kLanes = 32, kMostEngineBytes = 1 << 16;  // bytes of a lane
/// The distances of rows of a tensor, of its planes, and so on, as taken here.
constexpr std::array<std::int64_t, 5> kTensorSteps{0, 1 << 15, 1 << 27, 1LL << 31, 1LL << 35};
constexpr std::int64_t kRowElements = 64;
constexpr std::string_view kSystemCalls = "__cuda_syscall_";  ///< how their names begin

bool is_branch(const Decoded& one) { return is(one, "BRA") || is(one, "BRA.U"); }
/// Taken by warps with their lanes apart: lanes that go the same way meet as early as they can, so no warp takes it.
bool is_for_divergence(const Decoded& one) { return is_branch(one) && one.word.bits(32, 2) == 2; }
bool ends(const Decoded& one) { return is(one, "EXIT") || is(one, "KILL") || is(one, "BPT"); }

bool is_any_call(const Decoded& one) { return is(one, "CALL.REL") || is(one, "CALL.ABS"); }

bool is_table(const Decoded& one) { return is(one, "BRX") || is(one, "BRXU"); }

/// The condition of a jump beside its guard.
Operand condition_of(const Decoded& one) {
  for (const auto& source : one.sources)
    if (source.kind == Operand::Kind::Predicate || source.kind == Operand::Kind::UniformPredicate) return source;
  Operand always;
  always.kind = Operand::Kind::Predicate;
  always.number = kTrue;
  return always;
}

bool never(const Decoded& one) { return is_false(one.guard) || is_false(condition_of(one)) || is_for_divergence(one); }
bool always(const Decoded& one) { return is_true(one.guard) && is_true(condition_of(one)) && !never(one); }

/// A piece of code executed for a single call.
struct Instance {
  std::uint64_t entry = 0;
  std::size_t parent = 0;
  std::uint64_t back = 0;  ///< the address to return to
  int depth = 0;
};

class Reader {
 public:
  Reader(const Module& module, const Kernel& kernel)
      : module_(module), kernel_(kernel), memory_(module, kernel, made_.program) {
    auto& program = made_.program;
    program.name = kernel.symbol;
    program.file = module.file;
    program.shares_pairs = true;
    program.instruction_bytes = kBytes;
    program.limits = isa::kCudaLimits;
    program.registers = registers_of_programs();
    program.sources = module.sources;
    for (std::uint64_t address = 0; address + kBytes <= kernel.code.size(); address += kBytes)
      code_.push_back(decode(word_at(kernel.code, address), address, module.architecture));
    register_reads_ = register_reads(code_);
    for (auto& one : code_) {
      if (is_any_call(one)) link(one);
      if (is(one, "LDGDEPBAR") && one.control.write_barrier < kScoreboards) copies_.insert(one.control.write_barrier);
      if (is(one, "UTMACMDFLUSH") && one.control.read_barrier < kScoreboards) stores_.insert(one.control.read_barrier);
    }
  }

  ReadKernel run() {
    instances_.push_back({0, 0, 0, 0});
    for (std::size_t i = 0; i < instances_.size(); ++i) emit(i);
    for (const auto& [index, instance, address] : jumps_)
      made_.program.instructions[index].targets.push_back(positions_[instance].at(address));
    for (const auto& [index, instance, address] : jumps_)
      if (const auto target = positions_[instance].at(address); target < made_.program.instructions.size())
        made_.program.labels.emplace(
            target, fmt::format("L_{:x}{}", address, instance == 0 ? "" : fmt::format("_{}", instance)));
    return std::move(made_);
  }

 private:
  [[noreturn]] void fail(std::uint64_t address, std::string rule, std::string found, std::string advice) const {
    throw InputError(
        Diagnostic{place_of(module_, kernel_, address), std::move(rule), std::move(found), std::move(advice)});
  }

  const Decoded& at(std::uint64_t address, std::uint64_t from) const {
    if (address % kBytes != 0 || address / kBytes >= code_.size())
      fail(from, "code goes on within its kernel", fmt::format("found a way to {:#x}", address),
           "the file is damaged: compile it again");
    return code_[address / kBytes];
  }

  static bool by_register(const Decoded& one) { return one.row->layout == Layout::Return; }

  /// Calls of code outside the kernel, or of an address in a register.
  bool calls_elsewhere(const Decoded& one) const {
    if (!is_any_call(one) || linked_.contains(one.address)) return false;
    return is(one, "CALL.ABS") || by_register(one) || relocation_of(one) != nullptr;
  }

  /// Some calls never return: they are jumps.
  bool is_call(const Decoded& one) { return is_any_call(one) && !calls_elsewhere(one) && returns(one.target); }
  bool is_jump(const Decoded& one) {
    return is_branch(one) || (is_any_call(one) && !calls_elsewhere(one) && !is_call(one));
  }

  /// Links a call left to the loader to its function, where the function's code stands behind the kernel's own.
  void link(Decoded& call) {
    const auto* relocation = by_register(call) ? nullptr : relocation_of(call);
    if (relocation == nullptr) return;
    const auto found = std::ranges::find_if(
        kernel_.functions, [&](const auto& function) { return function.second == relocation->symbol; });
    if (found == kernel_.functions.end()) return;
    call.target = found->first;
    linked_.insert(call.address);
  }

  /// Of a division, a root or an angle.
  bool is_slow_path(std::uint64_t entry) const {
    const auto found = kernel_.functions.find(entry);
    return found != kernel_.functions.end() && isa::serves_rare_numbers(found->second);
  }

  bool returns(std::uint64_t entry) {
    const auto [place, is_new] = returns_.emplace(entry, false);
    if (!is_new) return place->second;  // recursion is found later
    for (const auto address : reachable(entry)) {
      const auto& one = code_[address / kBytes];
      if (is(one, "RET.REL") && !never(one)) return returns_[entry] = true;
    }
    return false;
  }

  /// The relocation of an instruction; null without one.
  const Relocation* relocation_of(const Decoded& one) const {
    const auto found = std::ranges::find_if(kernel_.relocations, [&](const Relocation& relocation) {
      return relocation.offset / kBytes == one.address / kBytes;
    });
    return found == kernel_.relocations.end() ? nullptr : &*found;
  }

  /// Where control may go from an instruction, calls as if they had returned.
  std::vector<std::uint64_t> ways(const Decoded& one) {
    std::vector<std::uint64_t> next;
    const bool goes_on = !always(one) && !is_table(one);
    const bool jumps = is_jump(one);
    if (jumps && !never(one)) next.push_back(one.target);
    if (is_table(one))
      for (const auto& [value, target] : table_of(one)) next.push_back(target);
    const bool leaves = jumps || ends(one) || is(one, "RET.REL");
    if ((leaves || is_table(one)) ? goes_on : true) next.push_back(one.address + kBytes);
    return next;
  }

  std::set<std::uint64_t> reachable(std::uint64_t entry) {
    std::set<std::uint64_t> seen;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> waiting{{entry, entry}};
    while (!waiting.empty()) {
      const auto [address, from] = waiting.back();
      waiting.pop_back();
      const auto& one = at(address, from);
      if (!seen.insert(address).second) continue;
      for (const auto next : ways(one)) waiting.emplace_back(next, address);
    }
    return seen;
  }

  void emit(std::size_t instance) {
    if (positions_.size() <= instance) positions_.resize(instance + 1);
    for (const auto address : reachable(instances_[instance].entry)) {
      if (made_.program.instructions.size() > kMostInstructions)
        fail(address, "a kernel has at most 10^6 instructions with its calls inlined", "found more", "");
      positions_[instance][address] = static_cast<std::uint32_t>(made_.program.instructions.size());
      instruction(code_[address / kBytes], instance);
    }
  }

  std::size_t call(std::uint64_t entry, std::size_t parent, std::uint64_t back, std::uint64_t from) {
    const auto depth = instances_[parent].depth + 1;
    if (depth > kDeepestCall || instances_.size() >= kMostInstances)
      fail(from, fmt::format("calls are at most {} deep, and {} in all", kDeepestCall, kMostInstances), "found more",
           "functions that call themselves are not read");
    instances_.push_back({entry, parent, back, depth});
    ++made_.calls;
    return instances_.size() - 1;
  }

  isa::Instruction begin(const Decoded& one) const {
    isa::Instruction made;
    made.line = line_of(one.address);
    if (const auto source = source_at(kernel_, one.address)) made.source = *source;
    made.name = one.name;
    made.text = text_of(one, module_.architecture);
    made.register_reads = register_reads_[one.address / kBytes];
    made.stall = static_cast<int>(one.control.stall);
    return made;
  }

  void push(isa::Instruction made, const Decoded& one) {
    made_.program.instructions.push_back(std::move(made));
    made_.decoded.push_back(one);
  }

  std::uint32_t next_index() const { return static_cast<std::uint32_t>(made_.program.instructions.size()); }

  void read_operands(const Decoded& one, isa::Instruction& made) const {
    const auto read = [&](const Operand& operand) {
      if (const auto range = registers_of(operand); range.count > 0) made.reads.push_back(range);
    };
    read(one.guard);
    for (const auto& source : one.sources) read(source);
    if (one.has_place) {
      read(one.place.base);
      for (const auto& uniform : one.place.uniform) read(uniform);
    }
    for (const auto& result : one.results)
      if (const auto range = registers_of(result); range.count > 0) made.writes.push_back(range);
  }

  /// Gives each argument loaded by an instruction an instruction of its own, so that analyses tell them apart: all but
  /// the first stand before it and issue nothing.
  void part_arguments(const Decoded& one, isa::Instruction& made) {
    const auto is_copy = [](const isa::Assignment& of) {
      return of.operation.op == LaneOp::Move && of.inputs.size() == 1 &&
             of.inputs.front().kind == Input::Kind::Parameter;
    };
    if (made.access || made.assignments.size() < 2 || !std::ranges::all_of(made.assignments, is_copy)) return;
    for (auto i = made.assignments.size(); i-- > 0;) {
      made.writes = {made.assignments[i].outputs.front().registers};
      if (i == 0) break;
      auto part = begin(one);
      part.per_lane = made.per_lane;
      part.guard = made.guard;
      part.reads = made.reads;
      part.writes = made.writes;
      part.assignments = {made.assignments[i]};
      push(std::move(part), one);
    }
    made.assignments.resize(1);
  }

  static bool is_per_lane(const Decoded& one) {
    if (one.row == nullptr || one.row->layout == Layout::Uniform) return one.row == nullptr;
    if (one.row->layout == Layout::Engine || is(one, "SYNCS.EXCH") || is(one, "USETMAXREG")) return false;
    if (is(one, "VOTEU") || is(one, "REDUX")) return true;
    if (is(one, "R2UR") && !is_nothing(one.results.back())) return true;
    return std::strpbrk(one.row->words, "uv") == nullptr;
  }

  void instruction(const Decoded& one, std::size_t instance) {
    auto made = begin(one);
    read_operands(one, made);
    made.per_lane = is_per_lane(one);
    timing(one, made);
    if (!is_known(one)) return unknown(one, std::move(made));
    if (calls_elsewhere(one)) return outside_call(one, std::move(made));
    const auto copy = engine_copy(one);
    const auto tensor = copy && !copy->size ? tensor_of(one, *copy) : std::nullopt;
    const bool is_copy = one.row->layout == Layout::Engine;
    if (is_copy && (!copy || (!copy->size && !tensor))) return unknown(one, std::move(made));
    made.flops = one.row->flops;
    LaneMaker maker(one, module_.architecture, memory_, made);
    if (!is_true(one.guard)) made.guard = maker.truth(one.guard);
    if (!is_false(one.guard)) {
      if (one.has_place && one.row->layout != Layout::Barrier) access(one, maker);
      if (copy) engine_access(one, *copy, tensor, maker);
      if (is(one, "SYNCS.ARRIVE") || is(one, "SYNCS.PHASECHK")) group_barrier(one, made);
      if (copy && copy->barrier) group_barrier(one, made, *copy->barrier);
      if (one.row->lanes != nullptr) one.row->lanes(maker);
    }
    if (one.row->layout == Layout::Constant) part_arguments(one, made);
    // Where assignments were made they stand for the instruction; else its results are lost.
    if (made.assignments.empty() && !made.writes.empty()) lose(one, made);
    if (made.ops.empty()) made.ops = ops_of(one);
    if (one.row->layout == Layout::Texture) {
      isa::reach_texture(texture_read(one), made);
      ++made_.textures;
    }
    if (const auto product = matrix_product(one)) {
      made.transactions = product->pieces();
      made.flops = product->flops();
      made_.guesses_shapes = made_.guesses_shapes || product->guessed;
    }
    flow(one, std::move(made), instance);
  }

  /// An unknown opcode: the register in its usual place counts as written.
  void unknown(const Decoded& one, isa::Instruction made) {
    Operand result;
    result.number = static_cast<unsigned>(one.word.bits(16, 8));
    if (one.row != nullptr) lose(one, made);
    if (const auto range = registers_of(result); range.count > 0 && one.row == nullptr) {
      made.writes.push_back(range);
      isa::Assignment lost;
      lost.outputs = {{range}};
      made.assignments.push_back(lost);
    }
    if (!is_true(one.guard)) {
      LaneMaker maker(one, module_.architecture, memory_, made);
      made.guard = maker.truth(one.guard);
    }
    made_.unknown.push_back(next_index());
    push(std::move(made), one);
  }

  static void lose(const Decoded& one, isa::Instruction& made) {
    isa::Assignment lost;
    for (const auto& result : one.results)
      if (const auto range = registers_of(result); range.count > 0)
        for (std::uint32_t i = 0; i < range.count; ++i) lost.outputs.push_back({{range.first + i, 1}});
    if (!lost.outputs.empty()) made.assignments.push_back(lost);
  }

  void timing(const Decoded& one, isa::Instruction& made) const {
    const auto& control = one.control;
    auto& timing = made.timing;
    for (std::uint8_t board = 0; board < kScoreboards; ++board)
      if (((control.waits >> board) & 1) != 0) timing.waits.push_back({board, 0});
    const auto board = static_cast<std::uint8_t>(control.write_barrier);
    if (is(one, "LDGSTS"))
      for (const auto copies : copies_) timing.joins.push_back(static_cast<std::uint8_t>(copies));
    if (is(one, "LDGDEPBAR")) {
      if (board < kScoreboards) timing.commits.push_back(board);
    } else if (board < kScoreboards) {
      timing.raises.push_back(board);
    }
    if (const auto copy = engine_copy(one); copy && copy->stores)
      for (const auto stores : stores_) timing.joins.push_back(static_cast<std::uint8_t>(stores));
    if (is(one, "UTMACMDFLUSH") && control.read_barrier < kScoreboards)
      timing.commits.push_back(static_cast<std::uint8_t>(control.read_barrier));
    if (const auto product = matrix_product(one); product && product->of_group) {
      timing.joins.push_back(kProducts);
      if (one.word.bits(84, 3) == 0) timing.commits.push_back(kProducts);
    }
    if (is(one, "WARPGROUP") && one.word.bit(80))
      timing.waits.push_back({kProducts, static_cast<std::uint32_t>(one.word.bits(38, 6)) + 1});
    if (!is(one, "DEPBAR")) return;
    const auto waited = static_cast<std::uint8_t>(one.word.bits(44, 3));
    const auto pending = static_cast<std::uint32_t>(one.word.bits(38, 6));
    // The open group counts, too.
    if (waited < kScoreboards)
      timing.waits.push_back({waited, pending + (copies_.contains(waited) || stores_.contains(waited) ? 1U : 0U)});
  }

  /// LDG.STRONG.GPU and .SYS, LDGSTS.BYPASS.
  /// @source ld.cg, ld.relaxed.gpu, ld.cv, ld.volatile and cp.async.cg beside plain accesses, by ptxas 13.0 for sm_80
  ///         and sm_90
  bool goes_past_unit(const Decoded& one) const {
    constexpr std::uint64_t kStrongGpu = 7, kStrongSystem = 10;
    constexpr int kFirst = 80;  // before, all loads have .SYS, which is 7 there
    if (module_.architecture < kFirst) return false;
    if (is(one, "LDGSTS")) return !one.word.bit(81);
    if (one.row->layout != Layout::Load || one.row->slots[0] != 'G') return false;
    const auto order = one.word.bits(77, 4);
    return order == kStrongGpu || order == kStrongSystem;
  }

  void access(const Decoded& one, LaneMaker& maker) const {
    using Access = isa::Access;
    const auto layout = one.row->layout;
    const char space = one.row->slots[0];
    auto& made = maker.made;
    Access access;
    access.kind = layout == Layout::Load    ? Access::Kind::Load
                  : layout == Layout::Store ? Access::Kind::Store
                  : layout == Layout::Copy  ? Access::Kind::Copy
                                            : Access::Kind::Atomic;
    access.space = space == 'G'   ? isa::Space::Global
                   : space == 'S' ? isa::Space::Shared
                   : space == 'L' ? isa::Space::Local
                                  : isa::Space::Generic;
    if (one.name.starts_with("ATOMS.POPC")) access.meeting = Access::Meeting::Together;
    access.base = maker.raw(one.place.base);
    if (!one.place.uniform.empty() && !has_descriptor(one)) access.uniform_base = maker.raw(one.place.uniform.front());
    access.scale = one.place.scale;
    access.offset = one.place.offset - (space == 'S' ? memory_.shared_base() : 0);
    access.bytes = one.bytes;
    const bool narrow = one.bytes < 4;
    access.element = {narrow && one.word.bit(73) ? Type::Kind::Signed : Type::Kind::Bits, narrow ? 8 * one.bytes : 32};
    if (is(one, "LDSM")) {
      access.kind = Access::Kind::Matrix;
      access.lanes = 8 * one.bytes / 4;
      access.bytes = 16;
    }
    access.past_unit = goes_past_unit(one);
    access.adds_floats = is_float_atomic(one, module_.architecture);
    if (layout == Layout::Store || layout == Layout::Atomic) stored(one, maker, access);
    if (!one.results.empty()) loaded(one, made);
    made.access = access;
  }

  /// A call of a function without code in the file. Printing is left out, and so are calls of the system in place of
  /// missing hardware; a failure ends the thread; further functions are unknown.
  void outside_call(Decoded one, isa::Instruction made) {
    const auto name = function_of(one);
    if (name == "__assertfail") {
      made.fails = true;
      made.ops = ops_of(one);
      return never(one) ? push(std::move(made), one) : leave(one, std::move(made));
    }
    if (name == "vprintf" || name.starts_with(kSystemCalls)) {
      made.ops = ops_of(one);
      ++made_.left_out[name];
      return push(std::move(made), one);
    }
    if (!name.empty()) one.name += "." + name;
    made.name = one.name;
    unknown(one, std::move(made));
  }

  /// The function reached by a call: its address is put there by a loader, or loaded from constants before into the
  /// register of the call. Empty: unknown.
  std::string function_of(const Decoded& call) const {
    const auto* relocation = relocation_of(call);
    if (!by_register(call)) return relocation == nullptr ? "" : relocation->symbol;
    const auto at = nearest_writer(code_, call.address / kBytes, call.sources.front());
    if (!at || !is(code_[*at], "LDC")) return "";
    const auto& sources = code_[*at].sources;
    const auto& bank = sources.front();
    const auto index = fixed_value(code_, *at, sources.back(), memory_.parameters_word());
    if (bank.kind != Operand::Kind::Constant || !index || index->of_parameters) return "";
    return memory_.function_at(bank.bank, bank.bits + static_cast<std::uint64_t>(index->number));
  }

  std::optional<Input> tensor_of(const Decoded& one, const EngineCopy& copy) {
    const auto word = memory_.parameters_word();
    const auto map = fixed_value(code_, one.address / kBytes, copy.global, word);
    if (word == 0 || !map || !map->of_parameters) return std::nullopt;
    return memory_.tensor_at(map->number);
  }

  /// The share of each copy of a tensor in the bytes expected by an mbarrier; a guess where the code does not tell.
  std::int64_t engine_bytes(const Decoded& one, const EngineCopy& copy) const {
    const auto index = one.address / kBytes;
    const auto number = [&](std::uint64_t at, const Operand& operand) -> std::optional<std::int64_t> {
      const auto found = fixed_value(code_, at, operand, memory_.parameters_word());
      if (!found || found->of_parameters || found->number <= 0) return std::nullopt;
      return found->number;
    };
    if (copy.size) return number(index, *copy.size).value_or(kGuessedCopy / kPieceOfSize) * kPieceOfSize;
    if (copy.stores) return kGuessedCopy;
    auto first = index;
    while (first > 0 && !expects_bytes(code_[first])) --first;
    if (!expects_bytes(code_[first])) return kGuessedCopy;
    std::int64_t copies = 0;
    for (auto at = first + 1; at < code_.size() && !expects_bytes(code_[at]); ++at)
      copies += is(code_[at], "UTMALDG") ? 1 : 0;
    return number(first, code_[first].sources.front()).value_or(kGuessedCopy * copies) / copies;
  }

  /// The access of a copy engine, in equal parts for the lanes of a warp.
  void engine_access(const Decoded& one, const EngineCopy& copy, const std::optional<Input>& tensor, LaneMaker& maker) {
    constexpr std::int64_t kOnes = 1;
    isa::Access access;
    access.kind = copy.stores ? isa::Access::Kind::Store : isa::Access::Kind::Copy;
    access.space = isa::Space::Global;
    access.bulk = access.past_unit = true;
    const auto bytes = std::max(kLanes, engine_bytes(one, copy));
    access.bytes = static_cast<int>(std::min(bytes / kLanes, kMostEngineBytes));
    access.base = tensor ? *tensor : maker.raw(copy.global);
    for (std::size_t axis = 0; axis < copy.coordinates.size() && axis < kTensorSteps.size(); ++axis)
      access.terms.push_back(
          {maker.raw(copy.coordinates[axis]), std::max(kOnes, axis == 0 ? bytes / kRowElements : kTensorSteps[axis])});
    maker.made.access = access;
  }

  /// Adds an instruction, which issues nothing, for the place of an mbarrier in its group and the awaited parity:
  /// mbarriers of other groups of a cluster count as the group's own.
  void group_barrier(const Decoded& one, isa::Instruction& made, std::optional<Operand> address = std::nullopt) {
    isa::BarrierUse use;
    use.awaits = is(one, "SYNCS.PHASECHK");
    use.arrives = address || arrives(one);
    if (!use.awaits && !use.arrives) return;
    auto before = begin(one);
    before.per_lane = made.per_lane;
    before.reads = made.reads;
    LaneMaker maker(one, module_.architecture, memory_, before);
    std::vector<Input> terms;
    if (address) terms = {maker.raw(*address)};
    if (!address) terms = {maker.raw(one.place.base)};
    if (!address && !one.place.uniform.empty()) terms.push_back(maker.raw(one.place.uniform.front()));
    const auto whole = terms.size() == 1 ? terms[0] : maker.make(LaneOp::Add, kU32, kU32, terms);
    use.place = maker.make(LaneOp::And, kU32, kU32, {whole, LaneMaker::number(kPlaceInGroup)});
    if (!address) use.offset = one.place.offset;
    made.reads.push_back(use.place.registers);
    if (use.awaits) {
      use.parity =
          maker.make(LaneOp::ShiftRight, kU32, kU32, {maker.raw(one.sources.front()), LaneMaker::number(kParityPlace)});
      made.reads.push_back(use.parity->registers);
    }
    made.barrier = use;
    made.others = isa::Instruction::Others::OfGroup;
    push(std::move(before), one);
  }

  /// Whether the uniform register beside a whole address says how to go there, as a policy of caches, and not where.
  bool has_descriptor(const Decoded& one) const {
    const char space = one.row->slots[0];
    return (space == 'G' || space == 'N') && module_.architecture >= 80 && one.place.base.words == 2 &&
           one.place.base.number != kZeroRegister;
  }

  static void stored(const Decoded& one, LaneMaker& maker, isa::Access& access) {
    if (one.sources.empty()) {
      access.stored = {LaneMaker::number(1)};
      return;
    }
    auto from = one.sources.front();
    const auto words = from.words;
    from.words = 1;
    for (int i = 0; i < words; ++i) {
      access.stored.push_back(maker.raw(from));
      if (!is_nothing(from)) ++from.number;
    }
  }

  static void loaded(const Decoded& one, isa::Instruction& made) {
    isa::Assignment load;
    load.operation.op = LaneOp::Load;
    const auto range = registers_of(one.results.front());
    for (std::uint32_t i = 0; i < range.count; ++i) load.outputs.push_back({{range.first + i, 1}});
    if (!load.outputs.empty()) made.assignments.push_back(load);
  }

  void flow(const Decoded& one, isa::Instruction made, std::size_t instance) {
    if (is(one, "BAR")) return barrier(one, std::move(made));
    if (is(one, "UCGABAR_WAIT")) {
      made.flow = Flow::Barrier;
      made.others = isa::Instruction::Others::OfGroup;
    }
    if (is_jump(one)) return jump(one, std::move(made), instance, one.target);
    if (ends(one)) {
      made.fails = is(one, "BPT");
      return never(one) ? push(std::move(made), one) : leave(one, std::move(made));
    }
    if (is_call(one)) {
      const auto back = one.address + kBytes;
      made.rare = is_slow_path(one.target);
      const auto callee = call(one.target, instance, back, one.address);
      return jump(one, std::move(made), callee, one.target);
    }
    if (is(one, "RET.REL")) {
      if (instance == 0) fail(one.address, "a return belongs to a call", "found one in the kernel itself", "");
      return jump(one, std::move(made), instances_[instance].parent, instances_[instance].back);
    }
    if (is_table(one)) return table(one, std::move(made), instance);
    push(std::move(made), one);
  }

  /// Joins the guard of a jump with its condition, in an instruction before it that issues nothing.
  void set_condition(const Decoded& one, isa::Instruction& made) {
    const auto condition = condition_of(one);
    if (is_true(condition)) return;
    isa::Instruction before = begin(one);
    LaneMaker maker(one, module_.architecture, memory_, before);
    if (is_true(one.guard)) {
      made.guard = maker.truth(condition);
      return;
    }
    before.reads = made.reads;
    const auto both = maker.make(LaneOp::And, kTruth, kTruth, {maker.truth(one.guard), maker.truth(condition)});
    made.reads.push_back(both.registers);
    made.guard = both;
    push(std::move(before), one);
  }

  void jump(const Decoded& one, isa::Instruction made, std::size_t instance, std::uint64_t target) {
    if (never(one)) return push(std::move(made), one);
    set_condition(one, made);
    made.flow = Flow::Jump;
    made.assignments.clear();
    jumps_.push_back({next_index(), instance, target});
    push(std::move(made), one);
  }

  void leave(const Decoded& one, isa::Instruction made) {
    set_condition(one, made);
    made.flow = Flow::Exit;
    push(std::move(made), one);
  }

  /// The number of a barrier in the lower bits of a register, in an instruction before it that issues nothing.
  Input number_of_barrier(const Decoded& one, isa::Instruction& made) {
    constexpr std::uint64_t kNumber = 0xf;
    auto before = begin(one);
    before.reads = made.reads;
    LaneMaker maker(one, module_.architecture, memory_, before);
    auto place = maker.make(LaneOp::And, kU32, kU32, {maker.raw(one.sources.front()), LaneMaker::number(kNumber)});
    made.reads.push_back(place.registers);
    push(std::move(before), one);
    return place;
  }

  /// A barrier of the whole group, or one with a number, at which some warps arrive and some wait.
  void barrier(const Decoded& one, isa::Instruction made) {
    enum Form { BothInRegister = 1, NumberInRegister = 2, CountInRegister = 4, NoneInRegister = 5 };
    const auto form = one.word.bits(9, 3), mode = one.word.bits(77, 2), number = one.word.bits(54, 4);
    const bool has_count = form == BothInRegister || form == CountInRegister || one.word.bits(42, 12) != 0;
    const bool arrives_only = mode == 1, is_first = form == NoneInRegister && number == 0;
    made.others = isa::Instruction::Others::OfGroup;
    if (!arrives_only && (is_first || !has_count)) {
      made.flow = Flow::Barrier;
    } else {
      isa::BarrierUse use;
      use.arrives = true;
      use.awaits = !arrives_only;
      use.named = true;
      use.place.bits = number;
      if (form == BothInRegister || form == NumberInRegister) use.place = number_of_barrier(one, made);
      made.barrier = use;
      made.ops = arrives_only ? std::vector<std::string>{"arrive"} : std::vector<std::string>{"arrive", "wait"};
    }
    if (!made.writes.empty()) {
      made.assignments.clear();
      lose(one, made);
    }
    push(std::move(made), one);
  }

  /// The values of a jump table's register and where they lead: words of the constants from where the register was
  /// loaded from on.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> table_of(const Decoded& jump) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> table;
    const auto& from = jump.sources.front();
    for (auto at = jump.address / kBytes; at-- > 0;) {
      const auto& one = code_[at];
      const bool writes = std::ranges::any_of(
          one.results, [&](const Operand& result) { return result.kind == from.kind && result.number == from.number; });
      if (!writes) continue;
      if (!is(one, "LDC") && !is(one, "LDCU") && !is(one, "ULDC")) break;
      const auto bank = kernel_.constants.find(one.sources.front().bank);
      if (bank == kernel_.constants.end()) break;
      const auto& bytes = bank->second;
      std::set<std::uint64_t> seen;
      for (auto offset = one.sources.front().bits; offset + 4 <= bytes.size() && table.size() < kMostTargets;
           offset += 4) {
        std::uint64_t value = 0;
        for (int i = 3; i >= 0; --i)
          value = (value << 8) | static_cast<std::uint8_t>(bytes[offset + static_cast<std::uint64_t>(i)]);
        const auto target = jump.target + value;
        if (target % kBytes != 0 || target / kBytes >= code_.size()) break;
        if (seen.insert(value).second) table.emplace_back(value, target);
      }
      break;
    }
    if (table.empty())
      fail(jump.address, "a jump table is loaded from constants before its jump", "found none",
           "indirect branches are not read");
    return table;
  }

  /// A chain of branches; the first issues.
  void table(const Decoded& one, isa::Instruction made, std::size_t instance) {
    const auto entries = table_of(one);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto& [value, target] = entries[i];
      auto before = begin(one);
      before.reads = made.reads;
      LaneMaker maker(one, module_.architecture, memory_, before);
      auto index = one.sources.front();
      index.words = 1;
      const auto same = maker.temporary(1);
      maker.assign(LaneOp::Compare, kU32, kTruth, {maker.raw(index), LaneMaker::number(value)}, LaneMaker::to(same));
      auto branch = i == 0 ? made : begin(one);
      branch.reads.push_back(same.registers);
      branch.flow = Flow::Jump;
      branch.assignments.clear();
      if (i + 1 < entries.size()) {
        branch.guard = same;
        push(std::move(before), one);
      } else {
        branch.guard.reset();
      }
      jumps_.push_back({next_index(), instance, target});
      push(std::move(branch), one);
    }
  }

  struct PendingJump {
    std::uint32_t instruction = 0;
    std::size_t instance = 0;
    std::uint64_t address = 0;
  };

  const Module& module_;
  const Kernel& kernel_;
  ReadKernel made_;
  KernelMemory memory_;
  std::vector<Decoded> code_;
  std::vector<int> register_reads_;        ///< by instruction of code_
  std::map<std::uint64_t, bool> returns_;  ///< by address: whether code from there on returns
  std::set<std::uint64_t> linked_;         ///< by address: calls linked by a loader, to code in the file
  std::set<unsigned> copies_;              ///< scoreboards of asynchronous copies
  std::set<unsigned> stores_;              ///< scoreboards of copy engines' stores to global memory
  std::vector<Instance> instances_;
  std::vector<std::map<std::uint64_t, std::uint32_t>> positions_;
  std::vector<PendingJump> jumps_;
};

std::string with_width(std::string op, int bytes) {
  if (bytes > 8) return op + ".128";
  return bytes > 4 ? op + ".64" : op;
}

bool reads_constant(const Decoded& decoded) {
  return std::ranges::any_of(decoded.sources, [](const Operand& source) {
    return source.kind == Operand::Kind::Constant || source.kind == Operand::Kind::IndirectConstant;
  });
}

}  // namespace

std::vector<std::string> ops_of(const Decoded& decoded) {
  if (!is_known(decoded)) return {};
  if (const auto copy = engine_copy(decoded)) return {copy->stores ? "global.store" : "global.copy"};
  if (decoded.row->layout == Layout::Engine) return {};
  if (const auto product = matrix_product(decoded)) return {product->op};
  const std::string op = decoded.row->op;
  if (decoded.row->layout == Layout::Texture && op == "global.load") return {"texture.load", op};
  if (op.ends_with(".load") || op.ends_with(".store"))
    if (op != "constant.load") return {with_width(op, decoded.bytes)};
  if (op.empty()) {
    static constexpr std::array kFunctions{"cos", "sin", "exp2", "log2", "rcp", "rsqrt", "rcp", "rsqrt", "sqrt"};
    const auto code = decoded.word.bits(74, 4);
    return {code < kFunctions.size() ? kFunctions[code] : "exp2"};
  }
  if (op == "ffma" && reads_constant(decoded)) return {"ffma.constant"};
  return {op};
}

std::string place_of(const Module& module, const Kernel& kernel, std::uint64_t address) {
  return fmt::format("{}: {}+{:#x}", module.file, kernel.symbol, address);
}

std::optional<isa::SourceLine> source_at(const Kernel& kernel, std::uint64_t address) {
  const auto behind = kernel.lines.upper_bound(address);
  if (behind == kernel.lines.begin()) return std::nullopt;
  return std::prev(behind)->second;
}

ReadKernel read_kernel(const Module& module, const Kernel& kernel) {
  if (kernel.code.empty())
    throw InputError(Diagnostic{module.file, fmt::format("\"{}\" has code", kernel.symbol), "found none",
                                "the file is damaged: compile it again"});
  return Reader(module, kernel).run();
}

}  // namespace warpipe::sass
