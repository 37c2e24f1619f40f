#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "survey/address_form.hpp"

namespace warpipe::isa {

/// How often a loop of the program has gone round, as a kernel's expressions say it: a constant plus what is named.
struct LoopText {
  static constexpr std::int64_t kMany = std::int64_t{1} << 31;
  std::int64_t constant = 0;
  std::string counter;                       ///< the name of a loop; empty where the kernel goes round once
  std::string start;                         ///< what differs by warp or kind of group; empty: nothing
  Range counts{0, kMany}, starts{0, kMany};  ///< what these two can be
};

/// Writes a form as an expression, as a person would: "4 * (1024 * (16 * group_y + thread_y) + k)". Where others than
/// the lanes that take part would reach more, the address of these is -1: "(thread_x <= 9) * (4 * thread_x + 1) - 1".
/// @param width  of the access: taken out where all can be divided by it
/// @param loops  around the access, the outermost first
/// @return       nothing where the grammar of expressions has no words for it
std::optional<std::string> address_text(Forms& forms, const AddressForm& form, std::int64_t width,
                                        const Dimensions& block, const std::vector<LoopText>& loops);

}  // namespace warpipe::isa
