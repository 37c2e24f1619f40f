#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/isa/program.hpp"

/// Functions of atomics, told by their names in PTX, machine code and assembly of AMD: atom.cas, ATOMG.E.EXCH,
/// global_atomic_cmpswap, ds_wrxchg_rtn_b32.

namespace warpipe::isa {

inline bool names_one_of(const Instruction& atomic, std::initializer_list<std::string_view> parts) {
  const std::string name = lower_case(atomic.name);
  return std::ranges::any_of(parts, [&](std::string_view part) { return name.find(part) != std::string::npos; });
}

inline bool is_compare_and_swap(const Instruction& atomic) {
  return names_one_of(atomic, {"cas", "cmpswap", "cmpst", "cmpstore"});
}
inline bool is_exchange(const Instruction& atomic) {
  return !is_compare_and_swap(atomic) && names_one_of(atomic, {"exch", "swap", "xchg"});
}
inline bool is_addition(const Instruction& atomic) { return names_one_of(atomic, {"add", "inc"}); }

}  // namespace warpipe::isa
