#include "decode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "copy_engine.hpp"
#include "matrix.hpp"
#include "modifiers.hpp"
#include "rows.hpp"

namespace warpipe::sass {
namespace {

using Kind = Operand::Kind;

constexpr int kSplitBranches = 90, kWideUniform = 100, kWideComparisons = 120;  // first architectures
constexpr std::array<int, 9> kArchitectures{75, 80, 86, 87, 89, 90, 100, 103, 120};

// Of a surface, bytes as stored.
constexpr unsigned kRawSurfaceLoad = 0x199, kRawSurfaceStore = 0x19d;

/// The number of registers that a texture or surface fills, or that are stored.
int channels_of(const Decoded& decoded) {
  const auto opcode = decoded.row->opcode;
  if (opcode != kRawSurfaceLoad && opcode != kRawSurfaceStore) return std::popcount(decoded.word.bits(72, 4));
  return std::max(1, kBytesOfTypes[decoded.word.bits(73, 3)] / 4);
}

class Decoder {
 public:
  Decoder(const Word& word, std::uint64_t address, int architecture) : word_(word), architecture_(architecture) {
    made_.word = word;
    made_.address = address;
    made_.control = control_of(word);
    form_ = static_cast<unsigned>(word.bits(9, 3));
  }

  Decoded run() {
    made_.row = find_row(static_cast<unsigned>(word_.bits(0, 9)), form_, architecture_);
    made_.guard = predicate(12, 15, has_uniform_guard());
    if (made_.row == nullptr) {
      made_.name = fmt::format("0x{:03x}", made_.opcode12());
      return made_;
    }
    operands();
    made_.name = name_with_modifiers(made_, architecture_);
    return std::move(made_);
  }

 private:
  bool has_uniform_guard() const {
    if (made_.row == nullptr) return false;
    const auto layout = made_.row->layout;
    return layout == Layout::Uniform || (layout == Layout::Constant && made_.row->words[0] == 'u') ||
           std::strchr(made_.row->predicates, 'g') != nullptr;
  }

  /// Whether the instruction makes an mbarrier: uniform registers alone describe it.
  bool is_exchange() const { return made_.row->layout == Layout::Barrier && made_.row->opcode == 0x1b2; }

  void operands() {
    const auto& row = *made_.row;
    switch (row.layout) {
      case Layout::Alu:
      case Layout::Uniform:
        alu(row.layout == Layout::Uniform);
        break;
      case Layout::Load:
      case Layout::Store:
      case Layout::Atomic:
      case Layout::Compare:
      case Layout::Copy:
        memory();
        break;
      case Layout::Matrix:
        matrix();
        break;
      case Layout::Texture:
        texture();
        break;
      case Layout::Shuffle:
        shuffle();
        break;
      case Layout::Special:
        result(words_of_result());
        break;
      case Layout::Constant:
        constant_load();
        break;
      case Layout::Barrier:
        barrier();
        break;
      case Layout::Engine:
        engine();
        break;
      case Layout::Branch:
        made_.target = target();
        break;
      case Layout::Return:
        made_.sources.push_back(made_.row->opcode == 0x158 ? uniform_register(24, 2) : lane_register(24, 2));
        if (!is(made_, "CALL.ABS")) made_.target = target();
        break;
      case Layout::Fields:
        if (row.words[0] != '-') result(words_of_result());
        for (const char* slot = row.slots; *slot != 0; ++slot)
          made_.sources.push_back(lane_register(24, matches_two(made_) ? 2 : 1));
        // The number of a BAR, its count of threads, or both in a register.
        if (is(made_, "BAR") && form_ != 5) made_.sources.push_back(lane_register(32));
        break;
    }
    predicates();
  }

  bool has_uniform_result() const {
    return made_.row->layout == Layout::Uniform || std::strpbrk(made_.row->words, "uv") != nullptr;
  }

  int words_of_result() const {
    const char words = made_.row->words[0];
    if (words == 'm' || words == 'u') return std::max(1, kBytesOfTypes[word_.bits(73, 3)] / 4);
    if (words == 'v') return 1;
    if (words == 'w') return word_.bit(80) ? 2 : 1;
    return words - '0';
  }

  void result(int words) {
    Operand made;
    made.kind = has_uniform_result() ? Kind::Uniform : Kind::Register;
    made.number = static_cast<unsigned>(word_.bits(16, 8));
    if (made.kind == Kind::Uniform && made.number == zero_uniform(architecture_)) made.number = kZeroRegister;
    made.words = words;
    made_.results.push_back(made);
  }

  Operand lane_register(int place, int words = 1) const {
    Operand made;
    made.number = static_cast<unsigned>(word_.bits(place, 8));
    made.words = words;
    made.reuse = is_reused(word_, place);
    return made;
  }

  Operand uniform_register(int place, int words = 1) const {
    auto made = lane_register(place, words);
    made.kind = Kind::Uniform;
    made.reuse = false;
    // The upper bits of the field say other things where there are fewer.
    if (architecture_ < kWideUniform) made.number &= zero_uniform(architecture_);
    if (made.number == zero_uniform(architecture_)) made.number = kZeroRegister;
    return made;
  }

  Operand predicate(int place, int negated, bool uniform = false) const {
    Operand made;
    made.kind = uniform ? Kind::UniformPredicate : Kind::Predicate;
    made.number = static_cast<unsigned>(word_.bits(place, 3));
    made.negated = negated > 0 && word_.bit(negated);
    return made;
  }

  Operand constant() const {
    Operand made;
    made.bits = word_.bits(38, 16);
    made.kind = Kind::Constant;
    made.bank = static_cast<unsigned>(word_.bits(54, 5));
    if (!word_.bit(91)) return made;
    made.kind = Kind::IndirectConstant;
    made.number = static_cast<unsigned>(word_.bits(32, 6));
    return made;
  }

  /// The operand in bits 32 to 63, of any slot.
  Operand middle(bool uniform) const {
    if (form_ == 2 || form_ == 4) {
      Operand made;
      made.kind = Kind::Immediate;
      made.bits = word_.bits(32, 32);
      return made;
    }
    auto made = form_ == 3 || form_ == 5              ? constant()
                : uniform || form_ == 6 || form_ == 7 ? uniform_register(32)
                                                      : lane_register(32);
    made.absolute = word_.bit(62);
    made.negated = word_.bit(63);
    return made;
  }

  Operand slot(char name, bool uniform) const {
    if (name == 'W') {
      Operand made;
      made.kind = Kind::Immediate;
      made.bits = word_.bits(24, 64);
      return made;
    }
    if (name == 'A') {
      auto made = uniform ? uniform_register(24) : lane_register(24);
      made.negated = word_.bit(72);
      made.absolute = word_.bit(73);
      return made;
    }
    const bool swapped = form_ == 2 || form_ == 3 || form_ == 7;
    if ((name == 'B') != swapped) return middle(uniform);
    auto made = uniform ? uniform_register(64) : lane_register(64);
    made.absolute = word_.bit(74);
    made.negated = word_.bit(75);
    return made;
  }

  void alu(bool uniform) {
    const auto& row = *made_.row;
    const bool moves_two = architecture_ >= kWideUniform && std::strcmp(row.name, "MOV") == 0 && word_.bit(80);
    if (row.words[0] != '-') result(moves_two ? 2 : words_of_result());
    const char* words = moves_two ? "2" : compares_two(made_, architecture_) ? "22" : row.words + 1;
    for (const char* name = row.slots; *name != 0; ++name) {
      const char place = *name != '+' ? *name : form_ == 2 || form_ == 3 || form_ == 7 ? 'C' : 'B';
      auto made = slot(place, uniform);
      const bool has_sign = std::strchr(row.signs, *name) != nullptr && made.kind != Kind::Immediate;
      made.negated = made.negated && has_sign;
      made.absolute = made.absolute && has_sign && std::strchr(row.signs, '|') != nullptr;
      made.words = *words != 0 ? *words++ - '0' : 1;
      made_.sources.push_back(made);
    }
  }

  void memory() {
    const auto& row = *made_.row;
    const auto layout = row.layout;
    const char space = row.slots[0];
    const bool far = space == 'G' || space == 'N', loads = layout == Layout::Load;
    made_.has_place = true;
    made_.bytes = bytes_of_access(made_, architecture_);
    auto& place = made_.place;
    place.offset = displacement();
    place.base = lane_register(24, far && has_wide_base() ? 2 : 1);
    if (space == 'S') place.scale = scale_of_place();
    const bool has_uniform = far ? has_descriptor() : word_.bit(91);
    if (has_uniform) {
      const auto uniform = uniform_register(loads ? 32 : 64, far ? 2 : 1);
      if (uniform.number != kZeroRegister) place.uniform.push_back(uniform);
    }
    const int words = std::max(1, made_.bytes / 4);
    if (row.words[0] != '-') result(words);
    if (layout == Layout::Store || layout == Layout::Atomic || layout == Layout::Compare)
      if (row.words[1] != '-' && !counts_lanes()) made_.sources.push_back(lane_register(32, words));
    if (layout == Layout::Compare) made_.sources.push_back(lane_register(64, words));
    if (layout == Layout::Copy) made_.sources.push_back(lane_register(16));
  }

  /// Of an address. Copies have one in each memory, and atomics a flag beside it from Blackwell on.
  std::int64_t displacement() const {
    const auto layout = made_.row->layout;
    if (layout == Layout::Copy) return word_.whole(32, 12);
    const bool is_atomic = layout == Layout::Atomic || layout == Layout::Compare;
    return word_.whole(40, is_atomic && architecture_ >= 100 ? 23 : 24);
  }

  void barrier() {
    made_.has_place = true;
    auto& place = made_.place;
    place.offset = word_.whole(40, 24);
    place.base = is_exchange() ? uniform_register(24) : lane_register(24);
    if (is_exchange()) {
      made_.sources.push_back(uniform_register(32, 2));
      return;
    }
    if (const auto uniform = uniform_register(64); word_.bit(91) && uniform.number != kZeroRegister)
      place.uniform.push_back(uniform);
    made_.sources.push_back(lane_register(32));
  }

  void engine() {
    const auto copy = engine_fields(made_);
    made_.sources.push_back(uniform_register(24, copy.left));
    made_.sources.push_back(uniform_register(32, copy.right));
    if (copy.axes == 0) made_.sources.push_back(uniform_register(64));
  }

  /// Whether it is ATOMS.POPC.INC, which adds 1 for each lane.
  bool counts_lanes() const { return made_.row->layout == Layout::Atomic && made_.row->slots[0] == 'S' && form_ == 7; }

  unsigned scale_of_place() const {
    const auto shift = word_.bits(78, 2);
    const bool has_scale = made_.row->words[2] == 's';
    return has_scale && shift != 0 ? 1U << (shift + 1) : 1U;
  }

  /// Beside a uniform register of 64 bits, a lane's number may have 32. A bit tells; atomics use this bit for the
  /// operation, and copies have another bit.
  bool has_wide_base() const {
    const auto layout = made_.row->layout;
    if (layout == Layout::Copy) return true;
    const bool says = layout == Layout::Load || layout == Layout::Store || made_.row->words[0] == '-';
    return says && word_.bit(91) ? word_.bit(90) : word_.bit(72);
  }

  /// Whether a global access names a uniform register with a descriptor, rather than one to add.
  bool has_descriptor() const {
    if (made_.row->layout == Layout::Load) return form_ == 4 || form_ == 6;
    return word_.bit(91) || form_ == 7;
  }

  void matrix() {
    const auto product = *matrix_product(made_);
    result(product.sums);
    if (product.of_group) {
      made_.sources.push_back(uniform_register(24, 4));  // where the matrices lie
    } else {
      made_.sources.push_back(lane_register(24, product.left));
      made_.sources.push_back(lane_register(32, product.right));
    }
    made_.sources.push_back(lane_register(64, product.sums));
  }

  /// Up to two channels go to a first range of registers, the rest to a second.
  void texture() {
    const auto channels = channels_of(made_);
    if (made_.row->opcode == kRawSurfaceLoad) {
      result(channels);
    } else if (made_.row->words[0] != '-') {
      result(std::clamp(channels, 1, 2));
      auto second = lane_register(64, std::max(1, channels - 2));
      if (channels > 2) made_.results.push_back(second);
    }
    made_.sources.push_back(lane_register(24));
    made_.sources.push_back(lane_register(32));
  }

  void shuffle() {
    result(1);
    made_.sources.push_back(lane_register(24));
    const auto whole = [&](int first, int count) {
      Operand made;
      made.kind = Kind::Immediate;
      made.bits = word_.bits(first, count);
      return made;
    };
    made_.sources.push_back(form_ == 4 || form_ == 7 ? whole(53, 5) : lane_register(32));
    made_.sources.push_back(form_ == 2 || form_ == 7 ? whole(40, 13) : lane_register(64));
  }

  void constant_load() {
    result(words_of_result());
    made_.bytes = kBytesOfTypes[word_.bits(73, 3)];
    auto from = constant();
    from.words = std::max(1, made_.bytes / 4);
    const bool uniform = has_uniform_result();
    if (uniform && architecture_ >= kWideUniform) from.bits = word_.bits(37, 17);
    if (made_.row->opcode == 0x0bb) from.kind = Kind::Constant;
    if (from.kind == Kind::IndirectConstant) {
      from.kind = Kind::Constant;
      // From sm_100 on the bit says something else of LDCU with a bank.
      if (!(uniform && made_.opcode12() == 0x7ac)) from.kind = Kind::IndirectConstant;
      from.number = static_cast<unsigned>(word_.bits(24, 8));
    }
    made_.sources.push_back(from);
    if (!uniform) made_.sources.push_back(lane_register(from.kind == Kind::IndirectConstant ? 64 : 24));
    const bool indexed = architecture_ >= kWideUniform || made_.row->opcode == 0x0bb;
    if (uniform && indexed && made_.sources.front().kind == Kind::Constant)
      made_.sources.push_back(uniform_register(24));
  }

  void predicates() {
    const bool uniform = made_.row->layout == Layout::Uniform;
    const bool uniform_truth = uniform || is(made_, "VOTEU");
    for (const char* what = made_.row->predicates; *what != 0; ++what) {
      if (*what == 'B' && word_.bits(77, 2) != 2) return;
      if (*what == 'X' && !word_.bit(74)) return;
      if (*what == 'E' && !word_.bit(72)) return;
      if (*what == 'p') made_.results.push_back(predicate(81, -1, uniform_truth));
      if (*what == 'q') made_.results.push_back(predicate(84, -1, uniform));
      if (*what == 'u') made_.results.push_back(predicate(81, -1, true));
      if (*what == 'P') made_.sources.push_back(predicate(87, 90, uniform));
      if (*what == 'Q') made_.sources.push_back(predicate(77, 80, uniform));
      if (*what == 'R') made_.sources.push_back(predicate(68, 71, uniform));
      if (*what == 'S') made_.sources.push_back(predicate(68, 71, word_.bit(67)));
      if (*what == 'U') made_.sources.push_back(predicate(24, 27, true));
    }
  }

  std::uint64_t target() const {
    const bool call = is(made_, "BSSY");
    std::int64_t words = call ? word_.whole(34, 30) : word_.whole(34, 48);
    if (!call && architecture_ >= kSplitBranches)
      words = static_cast<std::int64_t>((word_.bits(34, 48) << 8 | word_.bits(16, 8)) << 8) >> 8;
    return made_.address + 16 + static_cast<std::uint64_t>(words * 4);
  }

  const Word& word_;
  int architecture_;
  unsigned form_ = 0;
  Decoded made_;
};

std::string text_of(const Operand& operand) {
  std::string text;
  const bool nothing = operand.number == kZeroRegister;
  switch (operand.kind) {
    case Kind::Register:
      text = nothing ? "RZ" : fmt::format("R{}{}", operand.number, operand.reuse ? ".reuse" : "");
      break;
    case Kind::Uniform:
      text = nothing ? "URZ" : fmt::format("UR{}", operand.number);
      break;
    case Kind::Predicate:
      text = operand.number == kTrue ? "PT" : fmt::format("P{}", operand.number);
      break;
    case Kind::UniformPredicate:
      text = operand.number == kTrue ? "UPT" : fmt::format("UP{}", operand.number);
      break;
    case Kind::Immediate:
      text = fmt::format("{:#x}", operand.bits);
      break;
    case Kind::Constant:
      text = fmt::format("c[{:#x}][{:#x}]", operand.bank, operand.bits);
      break;
    case Kind::IndirectConstant:
      text = fmt::format("cx[UR{}][{:#x}]", operand.number, operand.bits);
      break;
  }
  if (operand.absolute) text = "|" + text + "|";
  const bool truth = operand.kind == Kind::Predicate || operand.kind == Kind::UniformPredicate;
  return operand.negated ? (truth ? "!" : "-") + text : text;
}

std::string text_of(const MemoryPlace& place) {
  std::string text = "[";
  if (place.base.number != kZeroRegister || place.uniform.empty()) text += text_of(place.base);
  if (place.base.words == 2) text += ".64";
  if (place.scale > 1) text += fmt::format(".X{}", place.scale);
  for (const auto& uniform : place.uniform) text += (text.size() > 1 ? "+" : "") + text_of(uniform);
  if (place.offset != 0)
    text += fmt::format("{}{:#x}", place.offset < 0 ? "-" : "+", place.offset < 0 ? -place.offset : place.offset);
  return text + "]";
}

bool is_shown(const Operand& operand) {
  return operand.kind == Kind::Register || operand.kind == Kind::Uniform || operand.number != kTrue;
}

}  // namespace

unsigned zero_uniform(int architecture) { return architecture >= kWideUniform ? 255 : 63; }

bool is_known_architecture(int architecture) {
  return std::ranges::find(kArchitectures, architecture) != kArchitectures.end();
}

std::int64_t reserved_shared_memory(int architecture) {
  constexpr int kFirstWithSome = 90;
  return architecture >= kFirstWithSome ? 1024 : 0;
}

isa::TextureRead texture_read(const Decoded& decoded) {
  constexpr std::uint64_t kSolid = 2;  // of dimensions
  isa::TextureRead made;
  made.surface = is(decoded, "SULD") || is(decoded, "SUST");
  made.linear = is(decoded, "TEX");
  made.solid = !made.surface && decoded.word.bits(61, 3) == kSolid;
  const auto channels = is(decoded, "TLD4") ? 1 : channels_of(decoded);
  made.words = channels > 2 ? 4 : std::max(1, channels);
  return made;
}

bool is(const Decoded& decoded, const char* name) {
  return decoded.row != nullptr && std::strcmp(decoded.row->name, name) == 0;
}

bool is_true(const Operand& predicate) { return predicate.number == kTrue && !predicate.negated; }
bool is_false(const Operand& predicate) { return predicate.number == kTrue && predicate.negated; }

bool is_nothing(const Operand& operand) {
  if (operand.kind == Kind::Register || operand.kind == Kind::Uniform) return operand.number == kZeroRegister;
  if (operand.kind == Kind::Predicate || operand.kind == Kind::UniformPredicate) return operand.number == kTrue;
  return false;
}

bool compares_two(const Decoded& decoded, int architecture) {
  const auto opcode = decoded.row->opcode;
  return architecture >= kWideComparisons && (opcode == 0x00c || opcode == 0x08c) && decoded.word.bit(80);
}

bool matches_two(const Decoded& decoded) { return decoded.row->opcode == 0x1a1 && decoded.word.bit(73); }

bool is_known(const Decoded& decoded) { return decoded.row != nullptr && decoded.row->op[0] != '?'; }

Decoded decode(const Word& word, std::uint64_t address, int architecture) {
  return Decoder(word, address, architecture).run();
}

std::string text_of(const Decoded& decoded, int) {
  std::string text;
  if (!is_true(decoded.guard)) text = "@" + text_of(decoded.guard) + " ";
  text += decoded.name;
  std::vector<std::string> parts;
  for (const auto& one : decoded.results)
    if (is_shown(one)) parts.push_back(text_of(one));
  const bool stores = decoded.row != nullptr && decoded.row->layout != Layout::Load;
  if (decoded.has_place && stores) parts.push_back(text_of(decoded.place));
  for (const auto& one : decoded.sources)
    if (!is_true(one) || one.kind == Kind::Register || one.kind == Kind::Uniform || one.kind == Kind::Immediate)
      parts.push_back(text_of(one));
  if (decoded.has_place && !stores) parts.push_back(text_of(decoded.place));
  if (decoded.target != 0) parts.push_back(fmt::format("{:#x}", decoded.target));
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? " " : ", ") + parts[i];
  return text;
}

std::string text_of(const Control& control) {
  std::string waits;
  for (unsigned i = 0; i < kScoreboards; ++i)
    waits += ((control.waits >> i) & 1) != 0 ? static_cast<char>('0' + i) : '-';
  const auto board = [](unsigned one) { return one < kScoreboards ? static_cast<char>('0' + one) : '-'; };
  return fmt::format("[{}:R{}:W{}:{}:S{:02}]", waits, board(control.read_barrier), board(control.write_barrier),
                     control.yield ? 'Y' : '-', control.stall);
}

}  // namespace warpipe::sass
