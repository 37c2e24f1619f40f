#include "terminal/flags.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "command_line/option_table.hpp"

namespace warpipe::app {
namespace {

/// @param text  between two backquotes
/// @return      "--units all" for "units = all"; empty if it does not begin with a field
std::string flag_with_value(std::string_view text) {
  const auto end = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), text.size());
  const auto field = text.substr(0, end);
  const auto flag = flag_of(field);
  if (flag == field) return {};
  auto value = text.substr(end);
  constexpr std::string_view kIs = " = ";
  if (value.starts_with(kIs)) value.remove_prefix(kIs.size() - 1);
  return flag + std::string(value);
}

}  // namespace

std::string flag_of(std::string_view field) {
  if (field.empty()) return {};
  const auto option = std::ranges::find(all_options(), field, [](const Option& each) { return each.traits.field; });
  if (option == all_options().end()) return std::string(field);
  return fmt::format("--{}", option->traits.means.empty() ? option->name : option->traits.means);
}

std::string with_flags(std::string_view message) {
  std::string shown;
  for (;;) {
    const auto open = message.find('`');
    const auto close = open == std::string_view::npos ? open : message.find('`', open + 1);
    if (close == std::string_view::npos) return shown.append(message);
    const auto flag = flag_with_value(message.substr(open + 1, close - open - 1));
    shown.append(message.substr(0, open));
    shown.append(flag.empty() ? message.substr(open, close - open + 1) : flag);
    message.remove_prefix(close + 1);
  }
}

}  // namespace warpipe::app
