#pragma once

#include <span>
#include <string_view>

namespace warpipe {

/// What takes longer than its sort on the devices that have a row for it: "imad.wide", else as "imad".
struct SpecialForm {
  std::string_view op, row;
};

std::span<const SpecialForm> special_forms();

}  // namespace warpipe
