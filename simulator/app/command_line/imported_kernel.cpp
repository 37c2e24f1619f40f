#include "command_line/imported_kernel.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <sstream>

#include "command_line/code_form.hpp"
#include "command_line/compiler.hpp"
#include "command_line/options.hpp"
#include "command_line/output_files.hpp"
#include "command_line/ptx_registers.hpp"
#include "command_line/triton_metadata.hpp"
#include "terminal/flags.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/expression.hpp"
#include "warpipe/idg/number.hpp"
#include "warpipe/idg/old_names.hpp"
#include "warpipe/ptx/rules.hpp"

namespace warpipe::app {
namespace {

constexpr std::array kOptions{"entry",
                              "block",
                              "grid",
                              "arg",
                              "array",
                              "trip",
                              "taken",
                              "address",
                              "assume",
                              "metadata",
                              "form",
                              "registers",
                              "ptxas-log",
                              "ptxas",
                              "dynamic-shared-memory",
                              "max-instructions",
                              "unknown",
                              "without"};

/// "32,8", or "32x8" as sweeps write it.
isa::Dimensions read_sizes(const std::string& option, std::string text) {
  isa::Dimensions sizes{1, 1, 1};
  const auto is_digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  for (std::size_t at = 1; at < text.size(); ++at)
    if (text[at] == 'x' && is_digit(at - 1) && is_digit(at + 1)) text[at] = ',';
  std::stringstream stream(text);
  std::string part;
  std::size_t axis = 0;
  while (std::getline(stream, part, ',')) {
    if (axis == sizes.size()) refuse(option, fmt::format("\"{}\" is not X, X,Y or X,Y,Z", text));
    sizes[axis++] = read_whole(option, part, 1);
  }
  if (axis == 0) refuse(option, fmt::format("\"{}\" is not X, X,Y or X,Y,Z", text));
  return sizes;
}

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
      lowering.unknown[text.substr(0, colon)] = current_name(text.substr(colon + 1));
    }
  }
  return lowering;
}

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const auto& rule : ptx::kRules) names.emplace_back(rule.name);
  return names;
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

OptionTable import_option_table() {
  OptionTable table("Options for a KERNEL that is code: PTX, machine code, source");
  table
      .add("entry", "NAME",
           "the kernel in the file, or a part of its name that no other has; needed if there are several")
      .add("block", "X[,Y[,Z]]", "threads of a group (default: those it is compiled for)")
      .add("grid", "X[,Y[,Z]]", "groups of the launch")
      .add("arg", "NAME=VALUE...",
           "arguments, by name in the source or PTX, by position from 0, or by +BYTES from the first")
      .add("array", "NAME=FILE...", "what an array holds: a file of numbers, bytes:FILE, uniform:LIMIT or rows:LENGTH")
      .add("trip", "LABEL=N...", "trips of a loop that depends on data, or takes long to follow")
      .add("taken", "LABEL=SHARE...", "share of the lanes that take a branch that depends on data")
      .add("address", "NAME=PATTERN...",
           "where lanes reach an array, or at a line, by data: random:BYTES or coalesced:BYTES")
      .add("assume", "", "assume all that is not said, and say what and how much it matters")
      .add("metadata", "JSON", "what Triton wrote beside the code (default: that beside it)")
      .add("form", "FORM", "read PTX as it is, or as the machine code that ptxas makes of it (default: where it does)",
           {"ptx", "cubin"})
      .add("dynamic-shared-memory", "BYTES", "size of the shared array that has none")
      .formerly("dynamic-local-memory")
      .add("registers", "N", "registers per thread; else estimated")
      .add("ptxas-log", "LOG", "take the registers from what ptxas -v printed")
      .add("ptxas", "", "run ptxas to get the registers")
      .add("without", "RULE*", "do not simplify by this rule; repeatable", rule_names())
      .add("unknown", "OPCODE:OP*", "the op of an unknown opcode, class:OP for all of them; OP may be skip")
      .add("max-instructions", "N", "limit on executed control and address instructions (default: 1e8)")
      .add(compiler_option_table());
  return table;
}

void check_import_options(const Arguments& arguments, const std::string& other) {
  for (const auto* option : kOptions)
    if (arguments.has(option))
      refuse(fmt::format("--{}", option),
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

isa::ArrayValues read_array(const std::string& option, const std::string& value) {
  isa::ArrayValues array;
  constexpr std::string_view kBytes = "bytes:";
  if (value.starts_with(kBytes)) {
    auto text = std::make_shared<const std::string>(read_input(value.substr(kBytes.size())).text);
    array.bytes = isa::ArrayBytes{*text, text};
    return array;
  }
  if (value.starts_with("uniform:") || value.starts_with("rows:")) {
    if (!isa::parse_values(value, array)) read_whole(option, value.substr(value.find(':') + 1), 1);
    return array;
  }
  auto text = read_input(value).text;
  for (char& c : text) c = c == ',' ? ' ' : c;
  std::stringstream stream(text);
  for (std::string word; stream >> word;) {
    const auto number = parse_number(word);
    if (!number)
      throw InputError(Diagnostic{value, fmt::format("\"{}\" is not a number", word.substr(0, 40)), "",
                                  "write numbers with blanks or commas between them"});
    array.values.push_back(*number);
  }
  return array;
}

GivenLaunch read_given_launch(const Arguments& arguments) {
  GivenLaunch given;
  given.entry = arguments.value("entry").value_or("");
  if (const auto block = arguments.value("block")) given.block = read_sizes("--block", *block);
  if (const auto grid = arguments.value("grid")) given.grid = read_sizes("--grid", *grid);
  given.dynamic_shared_memory = arguments.whole("dynamic-shared-memory", 0);
  for (const auto& one : arguments.assignments("arg", "NAME=VALUE"))
    if (!given.arguments.emplace(one.name, one.value).second) refuse(one.option, "the name is given twice");
  for (const auto& one : arguments.assignments("array", "NAME=FILE, NAME=uniform:LIMIT or NAME=rows:LENGTH"))
    given.arrays[one.name] = read_array(one.option, one.value);
  for (const auto& one : arguments.assignments("trip", "LABEL=N"))
    given.trips[one.name] = read_whole(one.option, one.value, 1);
  for (const auto& one : arguments.assignments("taken", "LABEL=SHARE"))
    given.taken[one.name] = read_number(one.option, one.value, 0, 1);
  for (const auto& one : arguments.assignments("address", "NAME=random:BYTES or NAME=coalesced:BYTES"))
    if (!isa::parse_pattern(one.value, given.addresses[one.name]))
      refuse(one.option, fmt::format("\"{}\" is not random:BYTES or coalesced:BYTES", one.value));
  return given;
}

isa::ImportOptions import_options(const GivenLaunch& given, const TextFile& file, const code::Module& module,
                                  const Arguments& arguments, const isa::Target& target) {
  refuse_options_of_ptx(arguments, module);
  ImportRequest request{.launch = given,
                        .assume = arguments.has("assume"),
                        .registers = {},
                        .max_instructions = arguments.whole("max-instructions", 1),
                        .lowering = read_lowering(arguments)};
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
  return options;
}

isa::Target target_of(const Device& device, const Arguments& arguments) {
  auto target = import_target(device);
  LaunchOptions changes;
  changes.set_device = read_set_device(arguments);
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
