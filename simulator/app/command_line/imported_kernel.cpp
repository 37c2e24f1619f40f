#include "command_line/imported_kernel.hpp"

#include <fmt/format.h>

#include "command_line/code_form.hpp"
#include "command_line/compiler.hpp"
#include "command_line/executed_launch.hpp"
#include "command_line/options.hpp"
#include "command_line/output_files.hpp"
#include "command_line/ptx_registers.hpp"
#include "command_line/triton_metadata.hpp"
#include "terminal/flags.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/expression.hpp"

namespace warpipe::app {
namespace {

isa::LoweringOptions read_lowering(const Arguments& arguments) {
  isa::LoweringOptions lowering;
  for (const auto& rule : arguments.values("without")) lowering.without.insert(rule);
  for (const auto& text : arguments.values("unknown")) {
    const auto colon = text.find(':');
    if (text == isa::kSkip) {
      lowering.unknown.emplace(isa::kEveryClass, text);
    } else if (colon == std::string::npos || colon == 0 || !is_dotted_name(text.substr(colon + 1))) {
      refuse("--unknown", fmt::format("\"{}\" is not OPCODE:OP", text), "",
             "write class:OP for all opcodes, and skip as the OP to leave them out");
    } else {
      lowering.unknown[text.substr(0, colon)] = text.substr(colon + 1);
    }
  }
  return lowering;
}

/// Machine code issues as it stands, and says its registers.
void refuse_options_of_ptx(const Arguments& arguments, const code::Module& module) {
  if (!module.is_machine_code()) return;
  for (const auto* option : {"without", "ptxas-log", "ptxas"})
    if (arguments.has(option))
      refuse(fmt::format("--{}", option),
             fmt::format("the option is for PTX, and \"{}\" is machine code, which issues as it stands", module.file()),
             "", "leave it out");
}

}  // namespace

void check_import_options(const Arguments& arguments, const std::string& other) {
  for (const auto* option : arguments.options())
    if (option->group == kCode && arguments.has(option->name))
      refuse("--" + option->name,
             fmt::format("the option is for PTX, machine code and source, and \"{}\" is none of them", other), "",
             "leave it out");
}

void check_import_options(const Arguments& arguments, const TextFile& kernel) {
  if (!is_code(kernel)) {
    check_import_options(arguments, kernel.name);
    return;
  }
  if (arguments.has("group-size"))
    refuse("--group-size", "--block gives the size of the groups of PTX", "", "leave it out");
  if (arguments.has("groups")) refuse("--groups", "--grid gives the groups of PTX", "", "leave it out");
}

GivenLaunch read_given_launch(const Arguments& arguments, const std::string& entry) {
  GivenLaunch given;
  read_places(arguments, given);
  if (!entry.empty()) given.entry = entry;
  return given;
}

ImportRequest read_import_request(const Arguments& arguments, const GivenLaunch& given) {
  return {.launch = given,
          .assume = arguments.has("assume"),
          .registers = {},
          .max_instructions = arguments.whole("max-instructions", 1),
          .lowering = read_lowering(arguments)};
}

isa::ImportOptions import_options(const GivenLaunch& given, const TextFile& file, const code::Module& module,
                                  const Arguments& arguments, const isa::Target& target) {
  refuse_options_of_ptx(arguments, module);
  auto request = read_import_request(arguments, given);
  const auto& entry = module.find_entry(given.entry);
  const auto metadata = read_triton_metadata(file, arguments, entry.symbol);
  const bool has_its_block = metadata.threads && !given.block && !entry.required_block;
  const bool has_its_memory = metadata.shared_memory && !given.dynamic_shared_memory;
  if (has_its_block) request.launch.block = {*metadata.threads, 1, 1};
  if (has_its_memory) request.launch.dynamic_shared_memory = metadata.shared_memory;
  auto options = warpipe::import_options(request, file, module, target, check_not_overwritten);
  if (has_its_block) options.block_from = "num_warps of " + metadata.file;
  if (has_its_memory) options.shared_memory_from = "shared of " + metadata.file;
  read_registers(arguments, module, file, options);
  if (arguments.has("execute")) execute_launch(file, options);
  return options;
}

isa::Target target_of(const Device& device, const Arguments& arguments) {
  auto target = import_target(device);
  LaunchOptions changes;
  changes.set_device = read_launch_options(arguments).set_device;
  if (!changes.set_device.empty()) target.sizes = access_sizes(with_options(device, changes));
  return target;
}

ImportSource read_import_source(const TextFile& file, const Arguments& arguments, const isa::Target& target) {
  return read_import_source(file, read_given_launch(arguments), arguments, target);
}

ImportSource read_import_source(const TextFile& file, const GivenLaunch& given, const Arguments& arguments,
                                const isa::Target& target) {
  ImportSource source{read_module(file, given, arguments, target.name), {}};
  source.options = import_options(given, file, source.module, arguments, target);
  return source;
}

isa::Import import_kernel(const ImportSource& source) {
  auto imported = source.module.import(source.options);
  for (auto& note : imported.report.notes) note = with_flags(note);
  return imported;
}

isa::Import import_kernel(const TextFile& file, const Arguments& arguments, const isa::Target& target) {
  return import_kernel(read_import_source(file, arguments, target));
}

void warn_of_import(Voice voice, const isa::ImportReport& report) {
  for (const auto& note : report.notes) warn(voice, note);
  for (const auto& one : report.assumptions) warn(voice, "assumed: " + with_flags(shown(one)));
}

}  // namespace warpipe::app
