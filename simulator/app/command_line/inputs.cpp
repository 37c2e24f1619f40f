#include "command_line/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "command_line/compiler.hpp"
#include "command_line/imported_kernel.hpp"
#include "command_line/options.hpp"
#include "command_line/verb.hpp"
#include "warpipe/kernels/read_kernel.hpp"

namespace warpipe::app {

ReadKernel read_kernel_and_import(const Arguments& arguments, const DataFiles& files, const Device* device) {
  const auto named = named_kernel(arguments.only("KERNEL"), files);
  const auto file = read_program(named.path, arguments, device);
  require_entry(named, file);
  check_import_options(arguments, file);
  if (!is_code(file)) return {read_kernel_json(file.text, file.name), {}, {}};
  const auto target = device == nullptr ? isa::Target() : target_of(*device, arguments);
  auto source = read_import_source(file, read_given_launch(arguments, named.entry), arguments, target);
  auto imported = import_kernel(source);
  return {std::move(imported.kernel), std::move(source), std::move(imported.report)};
}

Kernel read_kernel(const Arguments& arguments, const DataFiles& files, const Device* device) {
  auto read = read_kernel_and_import(arguments, files, device);
  warn_of_import(read_voice(arguments), read.report);
  return std::move(read.kernel);
}

void check_standard_input(const Arguments& arguments, const Verb& verb) {
  std::vector<std::string> readers;
  const auto forms = positional_forms(std::string(verb.usage));
  if (!forms.empty() && forms.front().choices.empty()) {
    const auto count = static_cast<std::size_t>(std::ranges::count(arguments.positional(), "-"));
    readers.resize(count, forms.front().text + " -");
  }
  for (const auto* option : verb.options) {
    if (!option->form.is_input || !arguments.has(option->name)) continue;
    const auto values = option->form.repeated ? arguments.values(option->name)
                                              : std::vector{arguments.value(option->name).value_or("")};
    const auto reads = [&](const std::string& value) { return value == "-" || value.ends_with("=-"); };
    if (std::ranges::any_of(values, reads)) readers.push_back("--" + option->name + " -");
  }
  if (readers.size() < 2) return;
  refuse(readers[1], fmt::format("standard input can be read only once, and {} reads it too", readers[0]), "",
         "give a file");
}

std::pair<ReadKernel, Device> read_imported_inputs(const Arguments& arguments) {
  arguments.only("KERNEL");
  const auto device = arguments.require("device", "DEVICE");
  const DataFiles files(arguments.value("data"));
  auto read = files.device(device);
  return {read_kernel_and_import(arguments, files, &read), std::move(read)};
}

Inputs read_inputs(const Arguments& arguments) {
  arguments.only("KERNEL");
  const auto device = arguments.require("device", "DEVICE");
  const DataFiles files(arguments.value("data"));
  auto read = files.device(device);
  return {read_kernel(arguments, files, &read), std::move(read)};
}

}  // namespace warpipe::app
