#include "command_line/code_form.hpp"

#include <algorithm>
#include <array>

#include "terminal/interruptible.hpp"

namespace warpipe::app {

Form read_form(const Arguments& arguments, const GivenLaunch& given) {
  if (const auto form = arguments.value("form")) return *parse_form(*form);
  const auto is_of_ptx = [](const auto& label) { return label.first.starts_with('$'); };
  const bool has_options_of_ptx =
      std::ranges::any_of(std::array{"without", "unknown", "registers", "ptxas-log", "ptxas", "compare"},
                          [&](const char* option) { return arguments.has(option); });
  if (has_options_of_ptx || std::ranges::any_of(given.trips, is_of_ptx) || std::ranges::any_of(given.taken, is_of_ptx))
    return Form::Ptx;
  return form_of_environment();
}

code::Module read_module(const TextFile& file, const GivenLaunch& given, const Arguments& arguments,
                         const std::string& target) {
  return read_code(file, target, {.form = read_form(arguments, given), .guard = ended_by_signals});
}

}  // namespace warpipe::app
