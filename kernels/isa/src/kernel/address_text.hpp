#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "survey/address_form.hpp"

namespace warpipe::isa {

/// How often a loop of the program has gone round, as a kernel's expressions say it: a constant plus what is named.
struct LoopText {
  std::int64_t constant = 0;
  std::string counter;  ///< the name of a loop; empty where the kernel goes round once
  std::string start;    ///< what differs by warp or kind of group; empty: nothing
};

/// Writes a form as an expression, as a person would: "4 * (1024 * (16 * group_y + thread_y) + k)".
/// @param width  of the access: taken out where all can be divided by it
/// @param loops  around the access, the outermost first
std::string address_text(const AddressForm& form, std::int64_t width, const Dimensions& block,
                         const std::vector<LoopText>& loops);

}  // namespace warpipe::isa
