#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "survey/address_form.hpp"

namespace warpipe::isa {

/// Earlier iterations of a loop of the program, in a kernel's expressions: a constant, plus a counter and a start.
struct LoopText {
  static constexpr std::int64_t kMany = std::int64_t{1} << 31;
  std::int64_t constant = 0;
  std::string counter;                       ///< the name of a loop; empty where the kernel goes round once
  std::string start;                         ///< a number that differs by warp or kind of group; empty: none
  Range counts{0, kMany}, starts{0, kMany};  ///< ranges of these two
};

/// Writes a form as an expression, as a person would: "4 * (1024 * (16 * group_y + thread_y) + k)". Where inactive
/// lanes would reach more, their address is -1: "(thread_x <= 9) * (4 * thread_x + 1) - 1".
/// @param width  of the access: taken out where all can be divided by it
/// @param loops  around the access, the outermost first
/// @return       nothing where the grammar of expressions has no words for it
std::optional<std::string> address_text(Forms& forms, const AddressForm& form, std::int64_t width,
                                        const Dimensions& block, const std::vector<LoopText>& loops);

}  // namespace warpipe::isa
