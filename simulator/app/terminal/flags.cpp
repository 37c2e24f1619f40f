#include "terminal/flags.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace warpipe::app {
namespace {

/// The only place that knows which flag of the command line sets which field of the libraries' options.
constexpr std::array<std::pair<std::string_view, std::string_view>, 53> kFlags{{
    {"addresses", "--address"},
    {"arguments", "--arg"},
    {"arrays", "--array"},
    {"assume", "--assume"},
    {"bandwidth", "--bandwidth"},
    {"base", "BASE"},
    {"block", "--block"},
    {"clock", "--clock"},
    {"compiler", "--compiler"},
    {"compiler_flags", "--compiler-flags"},
    {"compiler_timeout", "--compiler-timeout"},
    {"concurrent_groups", "--concurrent-groups"},
    {"conflict_degree", "--conflict-degree"},
    {"csv", "--csv"},
    {"data", "--data"},
    {"device", "--device"},
    {"dynamic_shared_memory", "--dynamic-shared-memory"},
    {"entry", "--entry"},
    {"fit", "--fit"},
    {"grid", "--grid"},
    {"group_size", "--group-size"},
    {"groups", "--groups"},
    {"hold_out", "--hold-out"},
    {"html", "--html"},
    {"ignore_limits", "--ignore-limits"},
    {"kernel", "--kernel"},
    {"kernel_map", "--kernel-map"},
    {"l2_bytes", "--l2-bytes"},
    {"max_instructions", "--max-instructions"},
    {"parameters", "--param"},
    {"policy", "--policy"},
    {"rank", "--rank"},
    {"registers", "--registers"},
    {"scale", "--scale"},
    {"set", "--set"},
    {"set_device", "--set-device"},
    {"skipping", "--skipping"},
    {"step", "--step"},
    {"taken", "--taken"},
    {"transactions", "--transactions"},
    {"trips", "--trip"},
    {"tunables", "--tunable"},
    {"units", "--units"},
    {"unknown", "--unknown"},
    {"vary", "--vary"},
    {"view", "--view"},
    {"where", "--where"},
    {"warp_size", "--warp-size"},
    {"window", "--window"},
    {"window_groups", "--window-groups"},
    {"window_warps", "--window-warps"},
    {"without", "--without"},
    {"json", "--json"},
}};

/// @param text  what stands between two backquotes
/// @return      "--units all" for "units = all"; empty if it does not begin with a field
std::string flag_with_value(std::string_view text) {
  const auto end = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), text.size());
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
  const auto found = std::ranges::find(kFlags, field, &std::pair<std::string_view, std::string_view>::first);
  return std::string(found == kFlags.end() ? field : found->second);
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
