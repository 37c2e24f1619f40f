#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "command_line/data_files.hpp"
#include "command_line/imported_kernel.hpp"
#include "command_line/missing_answers.hpp"
#include "command_line/options.hpp"
#include "request.hpp"
#include "terminal/messages.hpp"
#include "warpipe/explain/result_json.hpp"
#include "warpipe/explain/simulation.hpp"
#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/finding.hpp"
#include "warpipe/predict/with_effort.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/report/launch_report.hpp"
#include "warpipe/views/finding_view.hpp"
#include "warpipe/views/import_view.hpp"
#include "warpipe/views/summary_view.hpp"

namespace warpipe::web {
namespace {

/// The options of `warpipe simulate` for the simulation, without options for the place of results.
app::Options simulate_options() {
  auto options = app::options_of("simulate");
  std::erase_if(options, [](const app::Option* option) {
    constexpr std::array<std::string_view, 5> kOthers{"device", "range", "tolerance", "quiet", "help"};
    return option->group != app::kLaunch && option->group != app::kCode &&
           std::ranges::find(kOthers, option->name) == kOthers.end();
  });
  return options;
}

struct ReadKernel {
  Kernel kernel;
  isa::ImportReport report;
};

ReadKernel read_kernel(const app::Arguments& arguments, const Device& device) {
  const auto file = app::read_input(arguments.only("KERNEL"));
  refuse_foreign(file);
  app::check_import_options(arguments, file);
  if (!is_code(file)) return {read_kernel_json(file.text, file.name), {}};
  auto imported = app::import_kernel(file, arguments, import_target(device));
  return {std::move(imported.kernel), std::move(imported.report)};
}

Device read_device(const app::Arguments& arguments) {
  const auto file = app::read_input(arguments.require("device", "DEVICE"));
  return read_device_json(file.text, file.name);
}

/// The report of the launch, alone or with its surroundings.
LaunchReport report_of(Simulation& simulation, const ReadKernel& read, const Device& device, const std::string& said,
                       bool with_surroundings) {
  if (with_surroundings) return launch_report(simulation, read.kernel, device, 1, {}, false);
  LaunchReport report;
  report.sentence = said;
  report.base = simulation.prediction();
  report.explanation = simulation.explanation();
  return report;
}

/// The contents of the page: the launch, then its surroundings where they are there, so that earlier content keeps its
/// place when they come.
Page shown_page(const LaunchReport& report) {
  Page page = page_of(report);
  const auto is_surroundings = [](const Section& section) {
    return section.title == "Occupancy" || section.title == "Roofline";
  };
  std::erase_if(page.sections, [&](const Section& section) {
    const bool is_empty = section.figures.empty() && section.tables.empty();
    if (section.title == "Warnings") return true;  // they stand above, as messages
    return is_surroundings(section) ? report.occupancies.empty() : is_empty;
  });
  std::ranges::stable_partition(page.sections, std::not_fn(is_surroundings));
  return page;
}

std::string answer_of(const Request& request, const app::Arguments& arguments) {
  auto options = app::read_launch_options(arguments);
  options.range = app::read_range(arguments, true);
  options.tolerance = app::read_tolerance(arguments);
  const auto voice = app::read_voice(arguments);
  arguments.only("KERNEL");
  const auto device = read_device(arguments);
  const auto read = read_kernel(arguments, device);
  app::warn_of_import(voice, read.report);
  Simulation simulation(lower_launch(read.kernel, device, options, kBothOrders), {.stalls = true});
  for (const auto& warning : simulation.prediction().warnings) app::warn(voice, warning);
  const auto time = simulation.prediction().time;
  const auto finding = find_cause(simulation.launch(), simulation.prediction());
  const auto changed = time_without(finding, time, read.kernel, device);
  const auto page =
      shown_page(report_of(simulation, read, device, sentence(finding, time, changed), request.with_surroundings));

  const auto result =
      write_result_json(simulation.prediction(), {{"finding", finding_json(finding, time, changed)},
                                                  {"stalls", stalls_json(simulation.explanation())},
                                                  {"instructions", instructions_json(simulation.explanation())},
                                                  {"memory", memory_json(simulation.prediction().memory)}});
  const auto quoted = [](const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  return fmt::format(
      R"({{"result": {}, "text": {}, "body": {}, "figures": {}}})", result,
      quoted(write_text(simulation.prediction(), SummaryPart::Summary, {}, paragraph(finding, time, changed))),
      quoted(write_body(page)), write_figures(page));
}

}  // namespace

app::ExitStatus answer(const Request& request, std::string& response) {
  set_files(request.files);
  const app::Arguments arguments(request.arguments, simulate_options());
  std::vector<std::string> words{"simulate"};
  words.insert(words.end(), request.arguments.begin(), request.arguments.end());
  return app::asking_for_what_lacks(words, arguments, [&] {
    response = answer_of(request, arguments);
    return app::ExitStatus::Done;
  });
}

}  // namespace warpipe::web
