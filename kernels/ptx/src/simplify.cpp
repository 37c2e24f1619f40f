#include "simplify.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "chosen_ops.hpp"
#include "opcode_table.hpp"
#include "opcodes.hpp"
#include "stored_loads.hpp"

namespace warpipe::ptx {
namespace {

using Kind = Type::Kind;
using Indices = std::vector<std::uint32_t>;

/// An operand to read, and its possible writers.
struct Source {
  const Operand* operand;
  Indices writers;  ///< of a register, or of the base of an address
  bool constant = false;
  std::uint32_t reg = 0;  ///< where it is not constant
};

void merge(Indices& all, const Indices& more) {
  all.insert(all.end(), more.begin(), more.end());
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

/// The first compute capability with I2FP.
/// @source  kernels/sass/src/rows.cpp
constexpr int kPackedConversions = 86;

bool is_launch_size(const Operand& operand) {
  return operand.kind == Operand::Kind::Special &&
         (operand.name.starts_with("%ntid") || operand.name.starts_with("%nctaid") || operand.name == "WARP_SZ");
}

class Lowering {
 public:
  Lowering(const Routine& routine, const isa::ControlFlow& flow, const isa::ReachingDefinitions& definitions,
           const Predication& predication, const LoweringOptions& options)
      : routine_(routine),
        flow_(flow),
        definitions_(definitions),
        predication_(predication),
        options_(options),
        count_(routine.instructions.size()),
        writers_(routine.registers.size(), 0) {}

  Lowered run() {
    result_.instructions.resize(count_);
    sources_.resize(count_);
    constant_.assign(count_, false);
    passes_.assign(count_, false);
    auto ops = choose_ops(routine_, options_, result_);
    for (std::uint32_t i = 0; i < count_; ++i) result_.instructions[i].ops = std::move(ops[i]);
    for (std::uint32_t i = 0; i < count_; ++i) read_sources(i);
    for (const auto& instruction : routine_.instructions)
      for (const auto reg : written_registers(instruction)) ++writers_[reg];
    if (on("constants")) find_constants();
    remove_free();
    if (options_.capability >= kPackedConversions)
      for (std::uint32_t i = 0; i < count_; ++i) convert_in_whole(i);
    count_uses();
    for (std::uint32_t i = 0; i < count_; ++i) fuse(i);
    if (on("offsets"))
      for (std::uint32_t i = 0; i < count_; ++i) fold_offset(i);
    if (on("scaled-addresses"))
      for (std::uint32_t i = 0; i < count_; ++i) fold_scale(i);
    for (std::uint32_t i = 0; i < count_; ++i) join_alike(i);
    remove_jumps();
    if (on("dead-code")) remove_dead();
    for (std::uint32_t i = 0; i < count_; ++i) find_producers(i);
    for (std::uint32_t i = 0; i < count_; ++i) result_.instructions[i].reads = registers_read(i);
    for (const auto& [load, store] : stored_loads(routine_, flow_))
      if (!result_.instructions[load].gone) merge(result_.instructions[load].after, {store});
    return std::move(result_);
  }

 private:
  bool on(std::string_view rule) const { return !options_.without.contains(rule); }
  const Instruction& at(std::uint32_t i) const { return routine_.instructions[i]; }

  void remove(std::uint32_t i, const char* rule) {
    if (result_.instructions[i].gone) return;
    result_.instructions[i].gone = true;
    result_.instructions[i].rule = rule;
    ++result_.removed[rule];
  }

  void read_sources(std::uint32_t i) {
    const auto add = [&](const Operand& operand, const auto& self) -> void {
      for (const auto& part : operand.parts) self(part, self);
      const bool reads =
          operand.kind == Operand::Kind::Register || (operand.kind == Operand::Kind::Address && operand.has_register);
      if (operand.kind == Operand::Kind::Vector || operand.kind == Operand::Kind::Sink) return;
      sources_[i].push_back({&operand, reads ? definitions_.writers(i, operand.reg) : Indices{}, !reads, operand.reg});
    };
    const auto& instruction = at(i);
    if (instruction.guard) add(*instruction.guard, add);
    for (auto k = written_operands(instruction); k < instruction.operands.size(); ++k)
      add(instruction.operands[k], add);
    if (instruction.carry_in)
      sources_[i].push_back({&instruction.operands.front(), definitions_.writers(i, *instruction.carry_in), false,
                             *instruction.carry_in});
    // A write under a guard keeps the old value, which must be known, too.
    if (instruction.guard && written_operands(instruction) == 1)
      for (const auto reg : written_registers(instruction))
        sources_[i].push_back({&instruction.operands.front(), definitions_.writers(i, reg), false, reg});
  }

  /// Calculations whose inputs are all numbers or addresses of variables.
  void find_constants() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t i = 0; i < count_; ++i) {
        if (constant_[i] || at(i).guard || !row_of(at(i)).has(kFolds)) continue;
        bool all = true;
        for (const auto& source : sources_[i]) all = all && is_constant(source);
        if (!all) continue;
        constant_[i] = changed = true;
      }
    }
  }

  bool is_constant(const Source& source) const {
    if (source.constant) return source.operand->kind != Operand::Kind::Special;
    return source.writers.size() == 1 && constant_[source.writers.front()];
  }

  bool keeps_bits(const Instruction& instruction) const {
    const auto& opcode = instruction.opcode();
    if (opcode == "mov")
      return instruction.operands.size() == 2 && instruction.operands[1].kind != Operand::Kind::Special &&
             !packs_halves(instruction);
    if (opcode == "cvta") return true;
    if (opcode != "cvt" || instruction.types.size() != 2) return false;
    const auto to = instruction.types[0], from = instruction.types[1];
    if (to.kind == Kind::Float || from.kind == Kind::Float || instruction.has("sat")) return false;
    return to.bits == from.bits || (to.bits < from.bits && to.bits == 32) ||
           (to.bits > from.bits && from.kind != Kind::Signed && from.bits == 32);
  }

  bool is_argument(const Instruction& instruction) const {
    if (instruction.opcode() == "ld" && instruction.space() == StateSpace::Parameter) return true;
    return instruction.opcode() == "mov" && instruction.operands.size() == 2 && is_launch_size(instruction.operands[1]);
  }

  bool turns_sign(const Instruction& instruction) const {
    return (instruction.opcode() == "neg" || instruction.opcode() == "abs") && instruction.type().kind == Kind::Float;
  }

  /// A number put into a register before later values, as a sum begins with zero: it takes an instruction.
  bool is_start(std::uint32_t i) const {
    const auto written = written_registers(at(i));
    return constant_[i] && at(i).opcode() == "mov" && written.size() == 1 && writers_[written.front()] > 1;
  }

  /// Removes instructions without a cost; a reader of their result waits for their inputs.
  void remove_free() {
    for (std::uint32_t i = 0; i < count_; ++i) {
      const auto& instruction = at(i);
      const bool fixed_place =
          instruction.opcode() == "ld" && instruction.space() == StateSpace::Constant &&
          std::ranges::all_of(sources_[i], [&](const Source& source) { return is_constant(source); });
      const char* rule = nullptr;
      if (is_argument(instruction) && on("arguments"))
        rule = "arguments";
      else if (on("starting-values") && is_start(i))
        continue;
      else if (keeps_bits(instruction) && on("copies"))
        rule = "copies";
      else if ((constant_[i] || fixed_place) && on("constants"))
        rule = "constants";
      else if (turns_sign(instruction) && on("modifiers"))
        rule = "modifiers";
      if (rule == nullptr) continue;
      passes_[i] = true;
      remove(i, rule);
    }
  }

  void count_uses() {
    uses_.assign(count_, 0);
    for (std::uint32_t i = 0; i < count_; ++i)
      for (const auto& source : sources_[i])
        for (const auto writer : source.writers) ++uses_[writer];
  }

  /// The single instruction that wrote a source, through copies.
  std::optional<std::uint32_t> only_writer(const Source& source) const {
    const Source* place = &source;
    for (int hop = 0; hop < 16; ++hop) {
      if (place->constant || place->writers.size() != 1) return std::nullopt;
      const auto writer = place->writers.front();
      if (!passes_[writer] || !keeps_bits(at(writer)) || sources_[writer].size() != 1) return writer;
      place = &sources_[writer].front();
    }
    return std::nullopt;
  }

  /// Converts a number of 32 bits to a float in the pipeline of whole numbers (I2FP), a byte in the pipeline of special
  /// functions (I2F.U8).
  void convert_in_whole(std::uint32_t i) {
    const auto& instruction = at(i);
    if (instruction.opcode() != "cvt" || !instruction.has("rn") || sources_[i].empty()) return;
    const auto from = instruction.type(), to = instruction.first_type();
    if (from.kind == Kind::Float || from.bits != 32 || to.kind != Kind::Float || to.bits != 32) return;
    if (!is_byte(sources_[i].back())) result_.instructions[i].ops = {"iadd"};
  }

  bool is_byte(const Source& source) const {
    constexpr std::uint64_t kByte = 255;
    const auto writer = only_writer(source);
    if (!writer) return false;
    const auto& instruction = at(*writer);
    if (instruction.opcode() == "and")
      return std::ranges::any_of(instruction.operands, [](const Operand& operand) {
        return operand.kind == Operand::Kind::Immediate && operand.bits == kByte;
      });
    return (instruction.opcode() == "ld" || instruction.opcode() == "cvt") && instruction.type().bits == 8;
  }

  bool is_whole(const Instruction& instruction, int bits) const {
    return instruction.type().kind != Kind::Float && instruction.type().bits == bits && !instruction.guard;
  }

  /// A 32-bit number times a size, as 64 bits: mul.wide, or a widened number shifted.
  std::optional<std::uint32_t> wide_product(const Source& source) const {
    const auto writer = only_writer(source);
    if (!writer || constant_[*writer]) return std::nullopt;
    const auto& product = at(*writer);
    if (product.opcode() == "mul" && product.has("wide") && is_whole(product, 32)) return writer;
    if (product.opcode() != "shl" || !is_whole(product, 64) || !is_constant(sources_[*writer].back()))
      return std::nullopt;
    const auto widened = only_writer(sources_[*writer].front());
    if (!widened || at(*widened).opcode() != "cvt" || at(*widened).type().bits != 32) return std::nullopt;
    return writer;
  }

  /// The factors of a wide product: the number before its widening.
  std::vector<Source> parts_of_product(std::uint32_t product) const {
    if (at(product).opcode() != "shl") return sources_[product];
    if (const auto widened = only_writer(sources_[product].front())) return sources_[*widened];
    return sources_[product];
  }

  void fuse(std::uint32_t i) {
    const auto& instruction = at(i);
    if (result_.instructions[i].gone || (instruction.opcode() != "add" && instruction.opcode() != "sub") ||
        sources_[i].size() != 2)
      return;
    const bool adds = instruction.opcode() == "add";
    for (std::size_t side = 0; side < 2; ++side) {
      const auto& factor = sources_[i][side];
      if (on("wide-addresses") && adds && is_whole(instruction, 64))
        if (const auto product = wide_product(factor))
          return join(i, side, parts_of_product(*product), {"imad"}, "wide-addresses", *product);
      const auto writer = only_writer(factor);
      if (!writer || at(*writer).guard || result_.instructions[*writer].gone) continue;
      const auto& product = at(*writer);
      const bool alone = uses_[*writer] == 1;
      if (on("multiply-add") && adds && is_whole(instruction, 32) && is_whole(product, 32)) {
        if (product.opcode() == "mul" && product.has("lo") && alone)
          return join(i, side, sources_[*writer], {"imad"}, "multiply-add", *writer);
        if (product.opcode() == "shl" && is_constant(sources_[*writer].back()) && alone) {
          if (is_scale(*writer)) scaled_.insert(i);
          return join(i, side, sources_[*writer], {"iadd"}, "multiply-add", *writer);
        }
      }
      const bool floats = instruction.type().kind == Kind::Float && product.type() == instruction.type();
      // .rn forbids contraction.
      if (on("contraction") && floats && product.opcode() == "mul" && alone && !product.has("rn") &&
          !instruction.has("rn"))
        return join(i, side, sources_[*writer], {fused(result_.instructions[i].ops.front())}, "contraction", *writer);
    }
  }

  /// The multiply-add of a float's sum.
  static std::string fused(const std::string& sum) { return sum == "dadd" ? "dfma" : sum == "fadd" ? "ffma" : sum; }

  void join(std::uint32_t i, std::size_t side, std::vector<Source> parts, std::vector<std::string> ops,
            const char* rule, std::uint32_t product) {
    sources_[i].erase(sources_[i].begin() + static_cast<std::ptrdiff_t>(side));
    sources_[i].insert(sources_[i].end(), parts.begin(), parts.end());
    result_.instructions[i].ops = std::move(ops);
    result_.instructions[i].joined = true;
    if (--uses_[product] == 0) remove(product, rule);
  }

  /// Replaces the base of an access by the other side of a sum with a number.
  void fold_offset(std::uint32_t i) {
    if (!is_access(at(i))) return;
    for (auto& source : sources_[i]) {
      if (source.operand->kind != Operand::Kind::Address) continue;
      for (int hop = 0; hop < 8; ++hop) {
        const auto sum = only_writer(source);
        if (!sum || constant_[*sum] || at(*sum).guard || (at(*sum).opcode() != "add" && at(*sum).opcode() != "sub"))
          break;
        if (sources_[*sum].size() != 2 || result_.instructions[*sum].gone) break;
        const bool first = is_constant(sources_[*sum][0]), second = is_constant(sources_[*sum][1]);
        if (first == second || (first && at(*sum).opcode() == "sub")) break;
        const auto& other = sources_[*sum][first ? 1 : 0];
        source.writers = other.writers;
        source.reg = other.reg;
        if (--uses_[*sum] == 0) remove(*sum, "offsets");
      }
    }
  }

  /// The shift by 2 to 4 places behind an address of shared memory, with or without an array's start, which is a
  /// number: the access scales it.
  std::optional<std::uint32_t> scaling(const Source& base) const {
    const auto writer = only_writer(base);
    if (!writer || constant_[*writer] || at(*writer).guard || result_.instructions[*writer].gone) return std::nullopt;
    const auto& sources = sources_[*writer];
    const bool sum = at(*writer).opcode() == "add" && scaled_.contains(*writer);
    if (!sum && !is_scale(*writer)) return std::nullopt;
    return std::ranges::count_if(sources, [&](const Source& one) { return !is_constant(one); }) == 1 ? writer
                                                                                                     : std::nullopt;
  }

  bool is_scale(std::uint32_t i) const {
    const auto& shift = at(i);
    return shift.opcode() == "shl" && is_whole(shift, 32) && shift.operands.size() == 3 &&
           shift.operands[2].kind == Operand::Kind::Immediate && shift.operands[2].bits >= 2 &&
           shift.operands[2].bits <= 4;
  }

  void fold_scale(std::uint32_t i) {
    if (!is_access(at(i)) || at(i).space() != StateSpace::Shared) return;
    for (auto& source : sources_[i]) {
      if (source.operand->kind != Operand::Kind::Address) continue;
      const auto shift = scaling(source);
      if (!shift) continue;
      const auto index = std::ranges::find_if(sources_[*shift], [&](const Source& one) { return !is_constant(one); });
      source.writers = index->writers;
      source.reg = index->reg;
      if (--uses_[*shift] == 0) remove(*shift, "scaled-addresses");
    }
  }

  /// Joins sums of three numbers, any function of three, and comparisons combined with a truth into one instruction.
  void join_alike(std::uint32_t i) {
    const auto& outer = at(i);
    const char* rule = outer.type().kind == Kind::Predicate ? "predicate-logic" : "three-inputs";
    if (result_.instructions[i].gone || outer.guard || constant_[i] || !on(rule)) return;
    for (std::size_t side = 0; side < sources_[i].size(); ++side) {
      const auto writer = only_writer(sources_[i][side]);
      if (!writer || constant_[*writer] || at(*writer).guard || result_.instructions[*writer].gone ||
          uses_[*writer] != 1 || flow_.block_of[*writer] != flow_.block_of[i])
        continue;
      const bool joins = rule == std::string_view("three-inputs") ? are_alike(i, *writer) : is_joined(i, *writer);
      if (!joins) continue;
      auto ops = result_.instructions[*writer].ops;
      join(i, side, sources_[*writer], std::move(ops), rule, *writer);
      return;
    }
  }

  static bool is_sum(const Instruction& one) { return one.opcode() == "add" || one.opcode() == "sub"; }
  static bool is_logic(const Instruction& one) {
    return one.opcode() == "and" || one.opcode() == "or" || one.opcode() == "xor" || one.opcode() == "not";
  }

  /// Two sums, or two logic functions, of at most three numbers together.
  bool are_alike(std::uint32_t outer, std::uint32_t inner) const {
    const auto &one = at(outer), &other = at(inner);
    const auto bits = one.type().bits;
    if (!((is_sum(one) && is_sum(other)) || (is_logic(one) && is_logic(other)))) return false;
    return (bits == 32 || bits == 64) && is_whole(one, bits) && is_whole(other, bits) && !writes_carry(one) &&
           !writes_carry(other) && result_.instructions[outer].ops == result_.instructions[inner].ops &&
           sources_[outer].size() + sources_[inner].size() <= 4;
  }

  /// A comparison of two numbers whose truth goes into a function of truths.
  bool is_joined(std::uint32_t outer, std::uint32_t inner) const {
    return is_logic(at(outer)) && at(inner).opcode() == "setp" && sources_[inner].size() == 2;
  }

  /// Removes jumps to the next instruction, and branches that became predicates.
  void remove_jumps() {
    for (std::uint32_t i = 0; i < count_; ++i)
      if (predication_.removed[i]) remove(i, "predication");
    Indices layout;
    collect(flow_.regions, layout);
    for (std::size_t place = 0; place < layout.size(); ++place) {
      const auto last = flow_.blocks[layout[place]].last - 1;
      const auto& successors = flow_.blocks[layout[place]].successors;
      if (!is_plain_jump(at(last)) || at(last).has("ret") || successors.size() != 1) continue;
      if (place + 1 < layout.size() && layout[place + 1] == successors.front())
        remove(last, "jumps to what comes next");
    }
  }

  static void collect(const std::vector<isa::Region>& regions, Indices& layout) {
    for (const auto& region : regions) {
      if (const auto* block = std::get_if<std::uint32_t>(&region.node)) layout.push_back(*block);
      if (const auto* loop = std::get_if<isa::NaturalLoop>(&region.node)) collect(loop->body, layout);
    }
  }

  /// Whether an instruction has an effect beyond its registers.
  static bool acts(const Instruction& instruction) {
    return written_operands(instruction) == 0 || instruction.opcode() == "atom" || instruction.opcode() == "mbarrier" ||
           instruction.has("volatile") || instruction.has("sync");
  }

  void remove_dead() {
    std::vector<bool> alive(count_, false);
    Indices waiting;
    const auto keep = [&](std::uint32_t i) {
      if (alive[i]) return;
      alive[i] = true;
      waiting.push_back(i);
    };
    for (std::uint32_t i = 0; i < count_; ++i)
      if (acts(at(i)) && (!result_.instructions[i].gone || predication_.removed[i])) keep(i);
    while (!waiting.empty()) {
      const auto i = waiting.back();
      waiting.pop_back();
      for (const auto& source : sources_[i])
        for (const auto writer : source.writers) keep(writer);
    }
    for (std::uint32_t i = 0; i < count_; ++i)
      if (!alive[i] && !result_.instructions[i].ops.empty()) remove(i, "dead-code");
  }

  /// Finds the issued producers of an instruction, through removed ones.
  void find_producers(std::uint32_t i) {
    if (result_.instructions[i].gone) return;
    std::set<std::uint32_t> seen;
    Indices waiting, found;
    for (const auto& source : sources_[i]) waiting.insert(waiting.end(), source.writers.begin(), source.writers.end());
    add_predicate(i, waiting);
    while (!waiting.empty()) {
      const auto writer = waiting.back();
      waiting.pop_back();
      if (!seen.insert(writer).second) continue;
      if (!result_.instructions[writer].gone && !result_.instructions[writer].ops.empty()) {
        found.push_back(writer);
        continue;
      }
      for (const auto& source : sources_[writer])
        waiting.insert(waiting.end(), source.writers.begin(), source.writers.end());
    }
    merge(result_.instructions[i].after, found);
  }

  /// The registers with the inputs of an instruction, through removed instructions. Where an input of a removed
  /// instruction has changed since, the value is in the register written by the removed instruction.
  Indices registers_read(std::uint32_t i) const {
    Indices result;
    const auto add = [&](const Source& source, int hops, const auto& self) -> bool {
      if (source.constant) return true;
      if (source.writers.empty() || definitions_.writers(i, source.reg) != source.writers) return false;
      const auto writer = source.writers.front();
      if (source.writers.size() == 1 && writers_[source.reg] == 1 && result_.instructions[writer].gone && hops < 16) {
        if (constant_[writer] || is_argument(at(writer))) return true;
        const auto before = result.size();
        if (std::ranges::all_of(sources_[writer], [&](const Source& one) { return self(one, hops + 1, self); }))
          return true;
        result.resize(before);
      }
      result.push_back(source.reg);
      return true;
    };
    for (const auto& source : sources_[i])
      if (!add(source, 0, add)) result.push_back(source.reg);
    std::ranges::sort(result);
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

  /// In a side under a predicate, every instruction waits for the predicate.
  void add_predicate(std::uint32_t i, Indices& writers) const {
    const auto branch = predication_.branch_of[flow_.block_of[i]];
    if (branch == isa::kNoBlock) return;
    for (const auto& source : sources_[flow_.blocks[branch].last - 1])
      writers.insert(writers.end(), source.writers.begin(), source.writers.end());
  }

  const Routine& routine_;
  const isa::ControlFlow& flow_;
  const isa::ReachingDefinitions& definitions_;
  const Predication& predication_;
  const LoweringOptions& options_;
  std::size_t count_;
  Lowered result_;
  std::vector<std::vector<Source>> sources_;
  std::vector<bool> constant_, passes_;
  std::set<std::uint32_t> scaled_;  ///< sums with a product with 4, 8 or 16
  std::vector<std::size_t> uses_;
  std::vector<std::size_t> writers_;  ///< by register: instructions that write it
};

}  // namespace

Lowered lower_routine(const Routine& routine, const isa::ControlFlow& flow, const isa::ReachingDefinitions& definitions,
                      const Predication& predication, const LoweringOptions& options) {
  return Lowering(routine, flow, definitions, predication, options).run();
}

}  // namespace warpipe::ptx
