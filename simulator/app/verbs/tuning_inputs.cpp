#include "verbs/tuning_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "cluster/on_ranks.hpp"
#include "command_line/code_form.hpp"
#include "command_line/compiler.hpp"
#include "command_line/data_files.hpp"
#include "command_line/imported_kernel.hpp"
#include "command_line/options.hpp"
#include "command_line/output_files.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/version.hpp"

namespace warpipe::app {
namespace {

/// Options that change no prediction.
constexpr std::array kOutputs{"csv", "json", "html", "markdown", "resume", "threads", "quiet", "measured"};

Formula read_formula(const std::string& option, const std::string& text) {
  try {
    return Formula::parse(text);
  } catch (const InputError& error) {
    const auto& problem = error.diagnostics().front();
    refuse(option, problem.problem, problem.found);
  }
}

/// "a, b * 2": the axes of a block or a grid. A comma inside brackets parts nothing.
std::vector<Formula> read_axes(const std::string& option, const std::string& text) {
  std::vector<Formula> axes;
  std::string axis;
  int depth = 0;
  for (const char c : text + ",") {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c != ',' || depth > 0) {
      axis += c;
      continue;
    }
    axes.push_back(read_formula(option, axis));
    axis.clear();
  }
  if (axes.size() > 3) refuse(option, "there are at most three axes", fmt::format("found {}", axes.size()));
  return axes;
}

/// The command line takes precedence over the file.
void read_formulas(const Arguments& arguments, TuningSpace& space) {
  if (const auto block = arguments.value("block")) space.block = read_axes("--block", *block);
  if (const auto grid = arguments.value("grid")) space.grid = read_axes("--grid", *grid);
  if (const auto memory = arguments.value("dynamic-shared-memory"))
    space.dynamic_shared_memory = read_formula("--dynamic-shared-memory", *memory);
  for (const auto& given : arguments.assignments("arg"))
    space.arguments.insert_or_assign(given.name, read_formula(given.option, given.value));
  for (const auto& given : arguments.assignments("macro"))
    space.macros.insert_or_assign(given.name, read_formula(given.option, given.value));
  for (const auto& text : arguments.values("where")) space.restrictions.push_back(read_formula("--where", text));
}

std::string read_source(const Arguments& arguments, const TuningSpace& space) {
  if (arguments.positional().empty() && !space.source.empty()) return space.source;
  const auto source = arguments.only("SOURCE");
  if (!is_source(source)) check_compiler_options(arguments, source);
  return source;
}

std::vector<Device> read_devices(const Arguments& arguments, std::string& texts) {
  const auto names = arguments.values("device");
  if (names.empty())
    refuse("--device", "the option is missing", "", "give --device DEVICE, as often as there are devices");
  const DataFiles files(arguments.value("data"));
  std::vector<Device> devices;
  for (const auto& name : names) {
    devices.push_back(files.device(name));
    texts += write_device_json(devices.back());
    for (std::size_t i = 0; i + 1 < devices.size(); ++i)
      if (devices[i].name == devices.back().name)
        refuse("--device " + name, "the device is named twice", "", "leave one of them out");
  }
  return devices;
}

TunerOptions read_tuner_options(const Arguments& arguments, const Guard& guard) {
  TunerOptions options;
  options.compiler = read_compiler_options(arguments);
  options.compiler.guard = guard;
  options.request = read_import_request(arguments, read_given_launch(arguments));
  options.request.registers = arguments.whole("registers", 1);
  options.machine_code = {.form = read_form(arguments, options.request.launch), .guard = guard};
  options.launch = read_launch_options(arguments);
  options.launch.tolerance = read_tolerance(arguments, kToleranceOfRanking);
  options.before = check_not_overwritten;
  return options;
}

std::string texts_of_options(const Arguments& arguments) {
  std::string texts;
  for (const auto* option : arguments.options()) {
    if (std::ranges::find(kOutputs, option->name) != kOutputs.end() || !arguments.has(option->name)) continue;
    const auto values = option->form.repeated ? arguments.values(option->name)
                                              : std::vector{arguments.value(option->name).value_or("")};
    for (const auto& value : values) texts += fmt::format("--{}={}\n", option->name, value);
  }
  return texts;
}

}  // namespace

TuningRequest read_tuning(const Ranks& ranks, const Arguments& arguments, const Guard& guard) {
  TuningRequest request;
  request.voice = voice_of(ranks, arguments);
  request.threads = read_threads(arguments);
  request.wish = {static_cast<std::size_t>(arguments.whole("top", 1).value_or(10)), arguments.has("all"),
                  read_range(arguments, true)};
  const auto file = read_input(arguments.require("space", "JSON"));
  auto space = read_space(file);
  request.source = read_source(arguments, space);
  request.inputs = fmt::format("{}\n{}\n{}\n{}\n", WARPIPE_VERSION, texts_of_options(arguments), file.text,
                               read_input(request.source).text);
  auto devices = read_devices(arguments, request.inputs);
  read_formulas(arguments, space);
  if (space.grid_is_assumed && !arguments.has("grid"))
    warn(request.voice,
         fmt::format("{}: the grid is assumed to be the problem over the block, since {} does not say by "
                     "what else, such as tiles, it is divided: --grid FORMULAS says it",
                     file.name, space.form));
  for (const auto& path : arguments.values("measured")) {
    const auto others = add_measured(read_input(path), space);
    if (others > 0)
      warn(request.voice,
           fmt::format("{}: {} row{} of no configuration of the space", path, others, others == 1 ? " is" : "s are"));
  }
  auto options = read_tuner_options(arguments, guard);
  request.inputs += fmt::format("form {}", static_cast<int>(options.machine_code.form));
  request.tuner = std::make_unique<Tuner>(std::move(space), request.source, std::move(devices), std::move(options));
  for (const auto& included : request.tuner->files()) request.inputs += included.name + '\n' + included.text;
  if (arguments.has("seed") && !arguments.has("budget"))
    refuse("--seed", "nothing is drawn", "", "give --budget N too, or leave it out");
  if (const auto budget = arguments.whole("budget", 1))
    request.tuner->draw(static_cast<std::size_t>(*budget),
                        static_cast<std::uint64_t>(arguments.whole("seed", 0).value_or(1)));
  return request;
}

}  // namespace warpipe::app
