#pragma once

#include <array>
#include <string_view>

#include "warpipe/isa/import_options.hpp"

namespace warpipe::ptx {

/// A rule by which ptxas simplifies PTX, and its effect.
struct Rule {
  std::string_view name;
  std::string_view meaning;
};

/// Each rule may be switched off. The real rules of ptxas are not published: these follow from its output.
inline constexpr std::array<Rule, 19> kRules{{
    {"arguments", "parameters of the kernel and sizes of the launch are operands, not loads"},
    {"copies", "mov, cvta and conversions that keep the bits cost nothing"},
    {"constants", "what depends on numbers alone costs nothing; nor do constants at fixed places"},
    {"starting-values", "but a number that a register holds before it holds others takes an instruction"},
    {"modifiers", "the sign of a float's operand is turned on the way"},
    {"offsets", "a number added to an address goes into the access"},
    {"wide-addresses", "a 64-bit address plus an index times a size is one multiply-add"},
    {"multiply-add", "a whole product, or one with a power of two, that is added is one instruction"},
    {"three-inputs", "sums of three whole numbers and logic of three inputs are one instruction"},
    {"predicate-logic", "a comparison is joined with another truth on the way"},
    {"scaled-addresses", "an access to shared memory takes an index times 4, 8 or 16 as its address"},
    {"contraction", "a float's product that is added once is one fused multiply-add"},
    {"predication", "short sides of branches run under a predicate; the branch is gone"},
    {"guarded-accesses", "so do sides that reach memory, where no data decides"},
    {"stores", "stores of both sides of a branch to one address are one store of what is selected"},
    {"dead-code", "what nobody reads is left out"},
    {"balanced-sums", "sums and shifts left are multiply-adds where that pipeline has less to do"},
    {"wide-loads", "loads of neighbouring words of shared or constant memory are one wide load"},
    {"early-loads", "loads rise to where their addresses are known, eight registers ahead of a use"},
}};

using isa::kEveryClass;
using isa::kSkip;
using isa::LoweringOptions;

}  // namespace warpipe::ptx
