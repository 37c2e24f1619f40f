#include "prediction.hpp"

#include <fmt/format.h>

#include <chrono>

#include "warpipe/explain/simulation.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/inputs/machine_code.hpp"
#include "warpipe/latency_tables/device_path.hpp"
#include "warpipe/predict/finding.hpp"
#include "warpipe/predict/instruction_number.hpp"
#include "warpipe/predict/lower.hpp"
#include "warpipe/predict/with_effort.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/tune/tuning_run.hpp"
#include "warpipe/views/finding_view.hpp"
#include "warpipe/views/summary_view.hpp"
#include "warpipe/views/sweep_view.hpp"

namespace warpipe::python {
namespace {

LoweredLaunch lowered(const Question& question) {
  const auto& [kernel, device, options] = question;
  return lower_launch(kernel->kernel, *device, options);
}

std::pair<Finding, std::optional<Seconds>> cause_of(const PyPrediction& made) {
  const auto& [kernel, device, options] = made.question;
  auto finding = find_cause(lowered(made.question), made.prediction);
  const auto changed = time_without(finding, made.prediction.time, kernel->kernel, *device);
  return {std::move(finding), changed};
}

std::shared_ptr<PyKernel> imported_of(code::Module module, const TextFile& file, const ImportRequest& request,
                                      const isa::Target& target) {
  auto options = import_options(request, file, module, target);
  auto imported = module.import(options);
  std::vector<std::string> assumptions;
  for (const auto& one : imported.report.assumptions) assumptions.push_back(shown(one));
  return std::make_shared<PyKernel>(
      PyKernel{std::move(imported.kernel), std::move(imported.report.notes), std::move(assumptions),
               std::make_shared<const SweepKernel>(std::move(module), std::move(options))});
}

Form form_of(const std::string& word) {
  if (word.empty()) return form_of_environment();
  if (const auto form = parse_form(word)) return *form;
  throw UsageError(Diagnostic{fmt::format("`form = {}`", word), "the form is neither ptx nor cubin", "", ""});
}

/// A formula in an argument.
Formula formula_of(const std::string& where, const std::string& text) {
  try {
    return Formula::parse(text);
  } catch (const InputError& error) {
    auto problem = error.diagnostics().front();
    problem.where = fmt::format("`{}`", where);
    throw UsageError(std::move(problem));
  }
}

/// The request takes precedence over the space.
void put_formulas(const TuningRequest& request, TuningSpace& space) {
  const auto put_axes = [](const char* name, const std::vector<std::string>& axes, std::vector<Formula>& formulas) {
    if (axes.empty()) return;
    formulas.clear();
    for (const auto& axis : axes) formulas.push_back(formula_of(name, axis));
  };
  put_axes("block", request.block, space.block);
  put_axes("grid", request.grid, space.grid);
  if (request.dynamic_shared_memory)
    space.dynamic_shared_memory = formula_of("dynamic_shared_memory", *request.dynamic_shared_memory);
  for (const auto& [name, text] : request.arguments)
    space.arguments.insert_or_assign(name, formula_of("arguments " + name, text));
  for (const auto& [name, text] : request.macros)
    space.macros.insert_or_assign(name, formula_of("macros " + name, text));
  for (const auto& text : request.where) space.restrictions.push_back(formula_of("where", text));
}

SweepKernel sweep_kernel_of(const PyKernel& made) { return made.source ? *made.source : SweepKernel(made.kernel); }

}  // namespace

std::shared_ptr<PyKernel> made_of(Kernel kernel) {
  return std::make_shared<PyKernel>(PyKernel{std::move(kernel), {}, {}, nullptr});
}

std::shared_ptr<PyKernel> kept_kernel(const std::string& json, const std::vector<std::string>& notes,
                                      const std::vector<std::string>& assumptions) {
  return std::make_shared<PyKernel>(PyKernel{read_kernel_json(json, ""), notes, assumptions, nullptr});
}

std::shared_ptr<PyKernel> import_text(const std::string& text, const ImportRequest& request, std::int64_t warp_size,
                                      const std::string& name) {
  isa::Target target;
  target.warp_size = warp_size;
  return imported_of(code::read_module(text, name), {name, text}, request, target);
}

std::shared_ptr<PyKernel> load_file(const std::string& path, const ImportRequest& request,
                                    const std::shared_ptr<Device>& device, const CodeOptions& options) {
  const auto target = import_target(*device);
  const auto file = is_source(path) ? compile_source(path, device.get(), options.compiler).code
                                    : read_kernel_file(path, {}, target.name);
  if (!is_code(file)) return made_of(read_kernel_json(file.text, file.name));
  return imported_of(read_code(file, target.name, {.form = form_of(options.form), .guard = {}}), file, request, target);
}

std::shared_ptr<PyKernel> load_code(const std::string& code, const ImportRequest& request,
                                    const std::shared_ptr<Device>& device, const CodeOptions& options) {
  const TextFile file{"kernel", code};
  const auto target = import_target(*device);
  return imported_of(read_code(file, target.name, {.form = form_of(options.form), .guard = {}}), file, request, target);
}

std::tuple<std::string, std::string, std::string> compile(const std::string& path,
                                                          const std::shared_ptr<Device>& device,
                                                          const std::string& compiler,
                                                          const std::vector<std::string>& flags, double seconds) {
  const auto limit = std::chrono::seconds(static_cast<std::int64_t>(seconds));
  auto made = compile_source(path, device.get(), {.compiler = compiler, .flags = flags, .limit = limit});
  return {std::move(made.code.text), std::move(made.compiler), std::move(made.warning)};
}

void set_policy(LaunchOptions& options, const std::string& name) {
  options.policy = parse_policy(name);
  if (options.policy) return;
  std::vector<std::string> names;
  for (const PolicyRow& row : kPolicies) names.emplace_back(row.name);
  throw UsageError(Diagnostic{fmt::format("`policy = {}`", name), "no policy has this name", "", suggest(name, names)});
}

void add_number(LaunchOptions& options, const std::string& name, double value) {
  auto& numbers = is_device_path(name) && !instruction_number(name) ? options.set_device : options.set;
  numbers.push_back({name, value});
}

void add_array_like(ImportRequest& request, const std::string& name, const std::string& values) {
  if (!isa::parse_values(values, request.launch.arrays[name]))
    throw UsageError(
        Diagnostic{fmt::format("`arrays {}={}`", name, values), "this is not uniform:LIMIT or rows:LENGTH", "", ""});
}

void add_array_bytes(ImportRequest& request, const std::string& name, std::string bytes) {
  const auto owner = std::make_shared<const std::string>(std::move(bytes));
  request.launch.arrays[name].bytes = isa::ArrayBytes{*owner, owner};
}

void add_address(ImportRequest& request, const std::string& name, const std::string& pattern) {
  if (!isa::parse_pattern(pattern, request.launch.addresses[name]))
    throw UsageError(Diagnostic{fmt::format("`addresses {}={}`", name, pattern),
                                "this is not random:BYTES or coalesced:BYTES", "", ""});
}

std::string json_of(const std::shared_ptr<PyPrediction>& made, bool stalls) {
  const auto& question = made->question;
  const auto [finding, changed] = cause_of(*made);
  auto prediction = made->prediction;
  std::vector<ResultMember> members{{"finding", finding_json(finding, prediction.time, changed)}};
  if (!prediction.memory.levels.empty()) {
    const auto& [kernel, device, options] = question;
    prediction.memory = memory_traffic(lower_launch(kernel->kernel, *device, options, kBothOrders));
    members.emplace_back("memory", memory_json(prediction.memory));
  }
  if (!stalls) return write_result_json(prediction, members);
  Simulation simulation(lowered(question), {.stalls = true});
  members.emplace_back("stalls", stalls_json(simulation.explanation()));
  members.emplace_back("instructions", instructions_json(simulation.explanation()));
  return write_result_json(prediction, members);
}

std::string text_of(const PyPrediction& made) {
  const auto [finding, changed] = cause_of(made);
  return write_text(made.prediction, SummaryPart::Summary, {}, paragraph(finding, made.prediction.time, changed));
}

std::string html_of(const std::shared_ptr<PyPrediction>& made) {
  Simulation simulation(lowered(made->question), {.stalls = true});
  const auto& [kernel, device, options] = made->question;
  return write_html(launch_report(simulation, kernel->kernel, *device, 0));
}

std::shared_ptr<PyPrediction> predict_one(const Question& question) {
  const auto& [kernel, device, options] = question;
  return std::make_shared<PyPrediction>(PyPrediction{question, predict(kernel->kernel, *device, options)});
}

double cycles_of(const Prediction& prediction) { return to_cycles(prediction.cycles).count; }

std::optional<std::pair<double, double>> time_range_of(const PyPrediction& made) {
  const auto range = interval_of_time(made.prediction);
  if (!range) return std::nullopt;
  return std::pair(range->low, range->high);
}

std::vector<Answer> predict_several(const std::vector<Question>& questions, std::size_t threads) {
  auto attempts = predict_all(
      questions.size(),
      [&](std::size_t index) {
        const auto& [kernel, device, options] = questions[index];
        return predict(kernel->kernel, *device, options);
      },
      threads);
  std::vector<Answer> answers;
  for (std::size_t index = 0; index < attempts.size(); ++index) {
    auto& [prediction, problems] = attempts[index];
    answers.push_back(
        {prediction ? std::make_shared<PyPrediction>(PyPrediction{questions[index], std::move(*prediction)}) : nullptr,
         std::move(problems)});
  }
  return answers;
}

std::shared_ptr<Tuning> tune(const TuningRequest& request) {
  auto space = read_space({request.file, request.space});
  put_formulas(request, space);
  for (const auto& path : request.measured) add_measured(read_file(path), space);
  const auto source = request.source.empty() ? space.source : request.source;
  if (source.empty())
    throw UsageError(Diagnostic{"`source`", "neither the space nor an argument names the source", "", ""});
  std::vector<Device> devices;
  for (const auto& device : request.devices) devices.push_back(*device);
  TunerOptions options;
  options.compiler = request.code.compiler;
  options.machine_code.form = form_of(request.code.form);
  options.request.launch.entry = request.entry;
  options.launch.tolerance = request.tolerance;
  Tuner tuner(std::move(space), source, std::move(devices), std::move(options));
  if (request.budget) tuner.draw(*request.budget, request.seed);
  return std::make_shared<Tuning>(
      TuningRun(tuner, source, {request.top, request.all, request.range}).run(request.threads));
}

std::string sweep(const Question& question, const std::vector<std::string>& varied, std::size_t threads) {
  const auto& [made, device, options] = question;
  const auto kernel = sweep_kernel_of(*made);
  const SweepModels models(kernel, *device);
  for (const auto& text : varied)
    if (const auto named = parse_named_variation(text); named && named->kind != Variation::Kind::Policy)
      throw UsageError(Diagnostic{fmt::format("`vary {}`", named->name), "it is given beside `vary`", "",
                                  fmt::format("call sweep for each {}", named->name)});
  const auto variations = read_variations(varied, models);
  const SweepRows rows(names_of(variations), RowForm::JsonLines, options.range);
  std::string text;
  for_each_point(kernel, *device, options, variations, 0, threads,
                 [&](const SweepPoint& point) { text += rows.row(point); });
  return text;
}

}  // namespace warpipe::python
