#pragma once

#include <span>
#include <string_view>

namespace warpipe {

/// An op slower than the rest of its sort on devices with a row for it: "imad.wide", on other devices as "imad".
struct SpecialForm {
  std::string_view op, row;
};

std::span<const SpecialForm> special_forms();

}  // namespace warpipe
