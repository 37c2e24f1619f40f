#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "target.hpp"
#include "warpipe/isa/program.hpp"

namespace warpipe::amdgcn {

/// The places of registers in a program. Scalar registers have the numbers of their encodings.
inline constexpr std::uint32_t kFlatScratch = 102, kVcc = 106, kM0 = 124, kExec = 126, kScc = 128;
/// Registers of an instruction's own, by their width (1, 32 and 64 bits): of lanes, and of the wave.
inline constexpr std::uint32_t kOwn = 129, kOwnOfAWidth = 32, kVectors = kOwn + 6 * kOwnOfAWidth;
inline constexpr std::uint32_t kMostVectors = 512;  ///< of a file

/// An operand of the text.
struct Operand {
  enum class Kind { Scalar, Vector, Accumulation, Number, Real, Symbol, Off };
  Kind kind = Kind::Off;
  std::uint32_t first = 0, count = 1;                       ///< of registers
  bool negated = false, absolute = false, widened = false;  ///< by its sign
  std::uint64_t bits = 0;                                   ///< of a Number, widened by its sign
  bool hex = false;                                         ///< written in digits of 16
  double real = 0;
  std::string symbol;  ///< "weights", of "weights@rel32@lo+4"
  std::string part;    ///< "rel32@lo"
  std::int64_t addend = 0;

  bool is_register() const { return kind == Kind::Scalar || kind == Kind::Vector || kind == Kind::Accumulation; }
};

/// @return nothing for text that is no operand, or for a register missing on the target
std::optional<Operand> parse_operand(std::string_view text, const Target& target);

/// The registers of a program, with as many vector registers as the text names.
class RegisterFile {
 public:
  RegisterFile(std::uint32_t vectors, std::uint32_t accumulation) : vectors_(vectors), accumulation_(accumulation) {}
  std::vector<isa::Register> all() const;
  /// @param words  as many, where an operand names fewer: a pair by its first register
  isa::RegisterRange range_of(const Operand& operand, std::uint32_t words) const;
  std::uint32_t vector(std::uint32_t number) const { return kVectors + number; }

 private:
  std::uint32_t vectors_, accumulation_;
};

}  // namespace warpipe::amdgcn
