#include "warpipe/sweep/what_if.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <optional>
#include <string_view>

#include "cluster/on_ranks.hpp"
#include "command_line/imported_kernel.hpp"
#include "command_line/inputs.hpp"
#include "command_line/options.hpp"
#include "command_line/output_files.hpp"
#include "terminal/fitted_report.hpp"
#include "terminal/flags.hpp"
#include "terminal/interruptible.hpp"
#include "terminal/messages.hpp"
#include "terminal/output.hpp"
#include "terminal/progress.hpp"
#include "terminal/width.hpp"
#include "verbs/packed_trial.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/kernels/write_kernel.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/version.hpp"
#include "warpipe/views/what_if_view.hpp"

namespace warpipe::app {
namespace {

const std::map<std::string, WhatIfPart>& parts() {
  static const std::map<std::string, WhatIfPart> all{{"changes", WhatIfPart::Changes},
                                                     {"device", WhatIfPart::Device},
                                                     {"ops", WhatIfPart::Ops},
                                                     {"instructions", WhatIfPart::Instructions}};
  return all;
}

WhatIfOptions read_what_if_options(const Arguments& arguments) {
  constexpr double kLargestStep = 99;
  WhatIfOptions asked;
  asked.ranges_of_changes = read_range(arguments, false);
  if (const auto step = arguments.value("step")) {
    asked.step = read_number("--step", *step, 0, kLargestStep) / 100;
    if (asked.step == 0) refuse("--step", "the value must be above 0", "found " + *step, "give 1 for one percent");
  }
  asked.parts = {WhatIfPart::Changes, WhatIfPart::Ops, WhatIfPart::Instructions};
  if (!arguments.has("part")) return asked;
  asked.parts.clear();
  for (const auto& name : arguments.values("part")) asked.parts.push_back(parts().at(name));
  return asked;
}

/// Shows the fields of the launch options that make up a change as flags.
WhatIf with_flags(WhatIf result) {
  for (auto& change : result.changes)
    for (auto& word : change.options) word = flag_of(word);
  return result;
}

/// The request of a study.
struct Asked {
  Inputs inputs;
  LaunchOptions options;
  WhatIfOptions what;
  Voice voice = Voice::Normal;
};

/// The simulations as all ranks see them.
Ranks::Study study_of(const Asked& asked, const WhatIfStudy& study, std::size_t threads) {
  const auto inputs = [&asked, &study] {
    return fmt::format("{} {} {} {}{}", WARPIPE_VERSION, study.simulations(), study.result().base.cycles.count,
                       write_device_json(asked.inputs.device), write_kernel_json(asked.inputs.kernel));
  };
  return {inputs, threads, [&study](std::uint64_t index) { return pack(study.attempt(index)); }};
}

/// The instructions to simulate for each trial. A change makes little difference, except where runs are extended from
/// shorter runs: there all take alike.
std::function<double(std::size_t)> instructions_of_trials(const Asked& asked, const WhatIfStudy& study) {
  if (study.result().base.off > 0) return {};
  LaunchOptions of_one = asked.options;
  of_one.range = asked.what.ranges_of_changes;
  return [&asked, of_one, each = std::optional<double>()](std::size_t) mutable {
    if (!each) each = effort_of(asked.inputs.kernel, asked.inputs.device, of_one).run;
    return *each;
  };
}

/// The progress of the simulations.
LongWork trials_to_do(const Asked& asked, const WhatIfStudy& study) {
  const bool only_changes = asked.what.parts == std::vector{WhatIfPart::Changes};
  return {"simulations",
          study.simulations(),
          0,
          instructions_of_trials(asked, study),
          (only_changes ? "" : "--part changes, ") + ways_to_shorten(asked.options),
          1,
          without_a_period(asked.options)};
}

/// Text that grows at its end, written as it becomes known. A terminal that is too narrow gets whole tables.
class GrowingText {
 public:
  bool is_longer(const std::string& text) const { return end_of(text) > written_; }

  /// @param text  begins with the text written before
  void write_certain(const std::string& text) { write(text.substr(0, end_of(text))); }
  void write(const std::string& text) {
    Output().show(std::string_view(text).substr(written_));
    written_ = text.size();
  }

 private:
  std::size_t end_of(const std::string& text) const {
    const auto width = terminal_width();
    if (!width || !is_wider(text, *width)) return text.size();
    const auto table = text.rfind("\n\n");
    return table == std::string::npos ? 0 : table + 2;
  }

  std::size_t written_ = 0;
};

/// Simulates the changes, and shows each as soon as no other change can come before it. An interrupt shows the results
/// so far.
void simulate_all(Ranks& ranks, const Ranks::Study& trials, const Asked& asked, WhatIfStudy& study, bool as_json) {
  ProgressLine progress(asked.voice, shared_by(ranks, trials_to_do(asked, study)));
  GrowingText text;
  std::size_t done = 0;
  Interruptible interruptible([&] {
    progress.end();
    if (!as_json) text.write(write_text(with_flags(study.result())));
    to_standard_error(fmt::format("warpipe: interrupted after {} of {} simulations{}\n", done, study.simulations(),
                                  as_json ? ", nothing is written" : "; what they found is ranked above"));
  });
  const auto show_certain = [&] {
    const std::string certain = as_json ? "" : write_certain_text(with_flags(study.result()));
    if (text.is_longer(certain)) progress.aside([&] { text.write_certain(certain); });
  };
  const auto item = [](std::size_t index) { return std::uint64_t{index}; };
  interruptible.whole(show_certain);
  ranks.for_each_in_order(trials, {0, study.simulations()}, item, [&](const std::string& packed) {
    interruptible.whole([&] {
      study.keep(done++, unpack_trial(packed));
      progress.show(done);
      show_certain();
    });
  });
  interruptible.whole([&] { progress.end(); });
}

Asked read_asked(const Ranks& ranks, const Arguments& arguments) {
  Asked asked{{}, read_launch_options(arguments), read_what_if_options(arguments), voice_of(ranks, arguments)};
  asked.options.range = read_range(arguments, true);
  asked.options.tolerance = read_tolerance(arguments);
  auto [kernel, device] = read_imported_inputs(arguments);
  warn_of_import(asked.voice, kernel.report);
  asked.inputs = {std::move(kernel.kernel), std::move(device)};
  return asked;
}

/// Makes the study; meanwhile a progress line shows the simulation of the launch itself.
WhatIfStudy begin_study(const Asked& asked) {
  ProgressLine progress(asked.voice, simulation("simulating", asked.inputs.kernel, asked.inputs.device, asked.options));
  return WhatIfStudy(asked.inputs.kernel, asked.inputs.device, asked.options, asked.what);
}

ExitStatus run_what_if(Ranks& ranks, const Arguments& arguments) {
  const auto asked = read_asked(ranks, arguments);
  if (!ranks.leads()) {
    const auto study = begin_study(asked);
    ranks.work(study_of(asked, study, read_threads(arguments)));
    return ExitStatus::Done;
  }
  const Output output(arguments.value("json").value_or(""));
  const auto pages = page_files(arguments);
  auto study = begin_study(asked);
  for (const auto& warning : study.result().base.warnings) warn(asked.voice, warning);
  const auto trials = study_of(asked, study, read_threads(arguments));
  simulate_all(ranks, trials, asked, study, arguments.has("json"));
  const auto result = with_flags(study.result());
  if (arguments.has("json")) output.write(write_json(result));
  if (pages) pages->write(page_of(result));
  return ExitStatus::Done;
}

constexpr std::string_view kWhatIfNotes = R"(
Each change and latency is simulated again. "saved" is a share of the run time;
where the time is exact, simulate with the options of a change predicts the same
cycles; a change of the source is an estimate. First come the changes, of the
source, of the launch and of the device, then the ops, then the instructions:
each row is printed when its place is known, and an interrupt prints what has
been found so far. Changes of which a bound says that they save nothing, or less
than the tolerance, are not tried.
)";

}  // namespace

Verb what_if_verb() {
  return {"what-if", "KERNEL --device DEVICE [options]",
          "what would change the time: the best changes, the elasticity to every latency",
          [](const Arguments& arguments) {
            return on_ranks(arguments, [&](Ranks& ranks) { return run_what_if(ranks, arguments); });
          },
          kWhatIfNotes};
}

}  // namespace warpipe::app
