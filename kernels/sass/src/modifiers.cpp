#include "modifiers.hpp"

#include <fmt/format.h>

#include <array>
#include <map>

#include "rows.hpp"

namespace warpipe::sass {
namespace {

constexpr std::array kNamesOfTypes{".U8", ".S8", ".U16", ".S16", "", ".64", ".128", ".U.128"};
constexpr std::array kWholeComparisons{".F", ".LT", ".EQ", ".LE", ".GT", ".NE", ".GE", ".T"};
constexpr std::array kFloatComparisons{".F",   ".LT",  ".EQ",  ".LE",  ".GT",  ".NE",  ".GE",  ".NUM",
                                       ".NAN", ".LTU", ".EQU", ".LEU", ".GTU", ".NEU", ".GEU", ".T"};
constexpr std::array kJoinNames{".AND", ".OR", ".XOR", ""};
constexpr std::array kFunctions{".COS", ".SIN", ".EX2", ".LG2", ".RCP", ".RSQ", ".RCP64H", ".RSQ64H", ".SQRT", ".TANH"};
constexpr std::array kAtomics{".ADD", ".MIN", ".MAX", ".INC", ".DEC", ".AND", ".OR", ".XOR", ".EXCH"};

std::string of_shift(const Word& word) {
  static constexpr std::array kTypes{".S64", ".U64", ".S32", ".U32"};
  return std::string(word.bit(76) ? ".R" : ".L") + (word.bit(75) ? ".W" : "") + kTypes[word.bits(73, 2)] +
         (word.bit(80) ? ".HI" : "");
}

std::string of_float_arithmetic(const Word& word) {
  static constexpr std::array kRoundings{"", ".RM", ".RP", ".RZ"};
  return std::string(word.bit(80) ? ".FTZ" : "") + kRoundings[word.bits(78, 2)] + (word.bit(77) ? ".SAT" : "");
}

std::string of_alu(const Decoded& decoded, int architecture) {
  const auto& word = decoded.word;
  const std::string_view name = decoded.row->name;
  const auto ends = [&](std::string_view what) { return name == what || name == "U" + std::string(what); };
  if (ends("ISETP"))
    return std::string(kWholeComparisons[word.bits(76, 3)]) +
           (compares_two(decoded, architecture) ? (word.bit(73) ? ".S64" : ".U64")
            : word.bit(73)                      ? ""
                                                : ".U32") +
           kJoinNames[word.bits(74, 2)] + (word.bit(72) ? ".EX" : "");
  if (name == "FSETP" || name == "DSETP")
    return std::string(kFloatComparisons[word.bits(76, 4)]) + (word.bit(80) ? ".FTZ" : "") +
           kJoinNames[word.bits(74, 2)];
  if (ends("IADD3")) return word.bit(74) ? ".X" : "";
  if (ends("IMAD") || ends("IMAD.WIDE") || ends("IMAD.HI"))
    return std::string(word.bit(73) ? "" : ".U32") + (word.bit(74) ? ".X" : "");
  if (ends("LEA"))
    return std::string(word.bit(80) ? ".HI" : "") + (word.bit(74) ? ".X" : "") + (word.bit(73) ? ".SX32" : "");
  if (ends("SHF")) return of_shift(word);
  if (ends("LOP3")) return fmt::format(".LUT({:#x})", word.bits(72, 8));
  if (name == "MUFU") return word.bits(74, 4) < kFunctions.size() ? kFunctions[word.bits(74, 4)] : ".?";
  if (name == "FADD" || name == "FMUL" || name == "FFMA") return of_float_arithmetic(word);
  if (name == "IMNMX") return word.bit(73) ? "" : ".U32";
  if (name == "VIMNMX") return word.bit(72) ? "" : ".U32";
  if (name == "I2FP") return word.bit(72) ? ".F32.S32" : ".F32.U32";
  if (name == "I2F")
    return fmt::format(".F{}.{}{}", 8 << word.bits(75, 2), word.bit(74) ? "S" : "U", 8 << word.bits(84, 2));
  if (name == "F2I")
    return fmt::format(".{}{}.F{}", word.bit(72) ? "S" : "U", 8 << word.bits(75, 2), 8 << word.bits(84, 2));
  if (name == "F2F" || name == "FRND") return fmt::format(".F{}.F{}", 8 << word.bits(75, 2), 8 << word.bits(84, 2));
  return "";
}

std::string of_access(const Decoded& decoded) {
  const auto& word = decoded.word;
  std::string text;
  if (decoded.row->slots[0] == 'G' && word.bit(72)) text += ".E";
  if (decoded.row->layout == Layout::Atomic) {
    if (decoded.sources.empty()) return text + ".POPC.INC";
    const auto code = word.bits(87, decoded.row->words[0] == '-' ? 3 : 4);
    text += code < kAtomics.size() ? kAtomics[code] : "";
    return text + (decoded.bytes == 8 ? ".64" : "");
  }
  if (decoded.row->layout == Layout::Compare) return text + (decoded.bytes == 8 ? ".64" : "");
  if (is(decoded, "LDSM")) {
    static constexpr std::array kForms{"M88", "MT88", "M816", "M832"};
    return fmt::format(".16.{}.{}", kForms[word.bits(78, 2)], decoded.bytes / 4);
  }
  return text + kNamesOfTypes[word.bits(73, 3)];
}

}  // namespace

std::string special_register_name(unsigned number) {
  static const std::map<unsigned, std::string_view> kNames{
      {0x00, "LANEID"},  {0x02, "VIRTID"},  {0x20, "TID"},     {0x21, "TID.X"},    {0x22, "TID.Y"},  {0x23, "TID.Z"},
      {0x25, "CTAID.X"}, {0x26, "CTAID.Y"}, {0x27, "CTAID.Z"}, {0x38, "EQMASK"},   {0x39, "LTMASK"}, {0x3a, "LEMASK"},
      {0x3b, "GTMASK"},  {0x3c, "GEMASK"},  {0x50, "CLOCKLO"}, {0x88, "CGACTAID"}, {0xff, "SRZ"}};
  const auto found = kNames.find(number);
  return found == kNames.end() ? fmt::format("SR{:#x}", number) : "SR_" + std::string(found->second);
}

std::string name_with_modifiers(const Decoded& decoded, int architecture) {
  const auto& word = decoded.word;
  std::string name = decoded.row->name;
  switch (decoded.row->layout) {
    case Layout::Alu:
    case Layout::Uniform:
      return name + of_alu(decoded, architecture);
    case Layout::Load:
    case Layout::Store:
    case Layout::Atomic:
    case Layout::Compare:
    case Layout::Copy:
      return name + of_access(decoded);
    case Layout::Special:
      return name + (decoded.row->words[0] == 'w' && word.bit(80) ? ".64" : "") + "." +
             special_register_name(static_cast<unsigned>(word.bits(72, 8)));
    case Layout::Constant:
      return name + kNamesOfTypes[word.bits(73, 3)];
    case Layout::Shuffle: {
      static constexpr std::array kModes{".IDX", ".UP", ".DOWN", ".BFLY"};
      return name + kModes[word.bits(58, 2)];
    }
    default:
      break;
  }
  static constexpr std::array kVotes{".ALL", ".ANY", ".EQ", ""};
  static constexpr std::array kBarriers{".SYNC", ".ARV", ".RED", ".SCAN"};
  if (is(decoded, "VOTE") || is(decoded, "VOTEU")) return name + kVotes[word.bits(72, 2)];
  if (is(decoded, "MATCH")) return name + (word.bit(79) ? ".ANY" : ".ALL") + (matches_two(decoded) ? ".U64" : "");
  if (is(decoded, "BAR")) return name + kBarriers[word.bits(77, 2)];
  if (is(decoded, "DEPBAR")) return name + fmt::format(".LE SB{}, {:#x}", word.bits(44, 3), word.bits(38, 6));
  return name;
}

int bytes_of_access(const Decoded& decoded, int architecture) {
  const auto& word = decoded.word;
  if (is(decoded, "LDSM")) return 4 << std::min<std::uint64_t>(2, word.bits(72, 2));
  if (decoded.row->layout != Layout::Atomic && decoded.row->layout != Layout::Compare)
    return kBytesOfTypes[word.bits(73, 3)];
  // From sm_90 on another opcode has the floats.
  if (architecture >= 90) {
    const auto type = word.bits(73, 4);
    if (is(decoded, "REDG") || decoded.row->opcode == 0x1a3) {
      static constexpr std::array kFloats{4, 8, 16, 4, 8, 16, 4, 4, 4, 4, 8, 16, 4, 8, 16, 8};
      return kFloats[type];
    }
    return type == 2 || type == 3 ? 8 : type == 4 ? 16 : 4;
  }
  const auto type = word.bits(73, 3);
  return type == 2 || type == 5 || type == 6 ? 8 : 4;
}

bool is_float_atomic(const Decoded& decoded, int architecture) {
  if (decoded.row->layout != Layout::Atomic || decoded.row->slots[0] == 'S') return false;
  if (architecture >= 90) return is(decoded, "REDG") || decoded.row->opcode == 0x1a3;
  const auto type = decoded.word.bits(73, 3);
  return type == 3 || type == 4 || type == 6;
}

}  // namespace warpipe::sass
