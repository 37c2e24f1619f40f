#include "verbs/result_views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <string_view>
#include <utility>

#include "terminal/progress.hpp"
#include "terminal/width.hpp"
#include "warpipe/explain/result_json.hpp"
#include "warpipe/predict/bounds.hpp"
#include "warpipe/predict/finding.hpp"
#include "warpipe/predict/lower.hpp"
#include "warpipe/predict/with_effort.hpp"
#include "warpipe/views/finding_view.hpp"
#include "warpipe/views/instructions_view.hpp"
#include "warpipe/views/memory_view.hpp"
#include "warpipe/views/occupancy_history_view.hpp"
#include "warpipe/views/path_view.hpp"
#include "warpipe/views/source_view.hpp"
#include "warpipe/views/stalls_view.hpp"
#include "warpipe/views/summary_view.hpp"
#include "warpipe/views/timeline_view.hpp"
#include "warpipe/views/wrap.hpp"

namespace warpipe::app {

/// A simulation as the views ask it, with progress on the terminal where following the path takes long.
class Answers {
 public:
  Answers(LoweredLaunch launch, const Questions& questions, Voice voice)
      : simulation_(std::move(launch), questions), follows_path_(questions.critical_path), voice_(voice) {}

  Simulation& simulation() { return simulation_; }
  const Prediction& prediction() { return simulation_.prediction(); }
  const Explanation& explanation() { return simulation_.explanation(); }
  const OccupancyHistory& occupancy_history() { return simulation_.occupancy_history(); }
  const Timeline& timeline() { return simulation_.timeline(); }

  /// Null where the run is too long to be followed unasked.
  const FollowedPath* path() {
    if (!follows_path_) return nullptr;
    const LoweredLaunch& launch = simulation_.launch();
    const auto instructions = [&launch](std::size_t) {
      return static_cast<double>(instructions_issued(launch.program));
    };
    const ProgressLine progress(voice_,
                                {"following the critical path", 0, 0, instructions, ways_to_shorten(launch.options)});
    return &simulation_.critical_path();
  }

  static constexpr std::int64_t kMostUnasked = 20'000'000;  ///< warp instructions: some seconds

  std::vector<SourceText> sources = {};
  std::optional<Interval> guesses = {};  ///< the range of the time by guesses

  /// Finds the cause of the limit, and the time without it.
  void find_cause(const Kernel& kernel, const Device& device) {
    finding_ = warpipe::find_cause(simulation_.launch(), prediction());
    changed_ = time_without(*finding_, prediction().time, kernel, device);
  }
  std::string paragraph() { return finding_ ? warpipe::paragraph(*finding_, prediction().time, changed_) : ""; }
  ResultMember finding_member() { return {"finding", finding_json(*finding_, prediction().time, changed_)}; }

 private:
  Simulation simulation_;
  bool follows_path_;
  Voice voice_;
  std::optional<Finding> finding_;
  std::optional<Seconds> changed_;  ///< with the finding's options
};

namespace {

/// A view: its text, and the member that it adds to a JSON result, where the result does not have it anyway.
struct View {
  std::string_view name;
  std::string (*text)(Answers& answers);
  std::string_view key = {};  ///< of the member
  std::string (*json)(Answers& answers) = nullptr;
};

template <SummaryPart part>
std::string summary_text(Answers& answers) {
  return write_text(answers.prediction(), part, answers.guesses, answers.paragraph());
}

std::string path_text(Answers& answers) {
  if (const FollowedPath* path = answers.path()) return write_path_text(*path);
  return fmt::format(
      "Critical path: not followed unasked through more than {} warp instructions; --view critical-path does.\n",
      Answers::kMostUnasked);
}

constexpr std::string_view kAll = "all";
constexpr std::string_view kStallView = "stalls", kInstructions = "instructions", kSourceView = "source",
                           kOccupancy = "occupancy";                         // in one run
constexpr std::string_view kPath = "critical-path", kTimeline = "timeline";  // in another

/// In the order of `all`.
constexpr std::array kViews{
    View{"summary", summary_text<SummaryPart::Summary>},
    View{kStallView, [](Answers& answers) { return write_stalls_text(answers.explanation()); },  //
         "stalls", [](Answers& answers) { return stalls_json(answers.explanation()); }},
    View{kInstructions, [](Answers& answers) { return write_instructions_text(answers.explanation()); }, "instructions",
         [](Answers& answers) { return instructions_json(answers.explanation()); }},
    View{kSourceView,
         [](Answers& answers) {
           const Outcome outcome{answers.prediction(), answers.explanation()};
           return source_table(answers.simulation().launch(), outcome, answers.sources).text();
         },
         "source",
         [](Answers& answers) {
           const Outcome outcome{answers.prediction(), answers.explanation()};
           return source_json(answers.simulation().launch(), outcome, answers.sources);
         }},
    View{"memory", [](Answers& answers) { return write_text(answers.prediction().memory); },  //
         "memory", [](Answers& answers) { return memory_json(answers.prediction().memory); }},
    View{kPath, path_text, "critical_path",
         [](Answers& answers) { return answers.path() != nullptr ? path_json(*answers.path()) : "null"; }},
    View{kTimeline, [](Answers& answers) { return write_text(answers.timeline(), terminal_width()); },  //
         "timeline", [](Answers& answers) { return timeline_json(answers.timeline()); }},
    View{kOccupancy, [](Answers& answers) { return write_text(answers.occupancy_history()); }, "occupancy_over_time",
         [](Answers& answers) { return occupancy_history_json(answers.occupancy_history()); }},
    View{"latencies", summary_text<SummaryPart::Latencies>},
    View{"launch", summary_text<SummaryPart::Launch>},
    View{"pipelines", summary_text<SummaryPart::Pipelines>},
    View{"bounds", summary_text<SummaryPart::Bounds>},
};

const View& view_named(std::string_view name) {
  const auto* view = std::ranges::find(kViews, name, &View::name);
  assert(view != kViews.end());
  return *view;
}

/// The names of the views besides the summary, in lines.
std::string other_views() {
  constexpr std::size_t kColumns = 80;
  std::string names, text;
  for (const View& view : kViews)
    if (view.name != "summary") names += fmt::format("{}{}", names.empty() ? "" : ", ", view.name);
  for (const auto& line : wrap(fmt::format("More by --view: {}.", names), kColumns)) text += line + '\n';
  return text;
}

}  // namespace

ResultViews::ResultViews(const std::vector<std::string>& views) {
  for (const std::string& name : views) {
    if (name != kAll) {
      follows_long_runs_ = follows_long_runs_ || name == kPath;
      names_.push_back(name);
      continue;
    }
    for (const View& view : kViews) names_.emplace_back(view.name);
  }
}

ResultViews::~ResultViews() = default;

bool ResultViews::show(std::string_view view) const { return std::ranges::find(names_, view) != names_.end(); }

bool ResultViews::show_a_window() const { return show(kTimeline); }
bool ResultViews::show_source() const { return show(kSourceView); }

void ResultViews::simulate(const Kernel& kernel, const Device& device, const LaunchOptions& options,
                           const std::optional<Window>& window, bool with_stalls, bool json, Voice voice) {
  Questions questions;
  questions.stalls = with_stalls || show(kStallView) || show(kInstructions) || show(kSourceView);
  questions.occupancy_history = show(kOccupancy);
  questions.timeline = show(kTimeline);
  questions.timeline_window = window;
  const bool observes = questions.stalls || questions.occupancy_history;
  const ProgressLine progress(voice, warpipe::app::simulation("simulating", kernel, device, options, observes));
  LoweredLaunch launch = lower_launch(kernel, device, options, show("memory") ? kBothOrders : CacheEffort());
  const bool is_short = instructions_issued(launch.program) <= Answers::kMostUnasked;
  questions.critical_path = show(kPath) && (follows_long_runs_ || is_short);
  answers_ = std::make_unique<Answers>(std::move(launch), questions, voice);
  answers_->prediction();
  if (show("summary") || json) answers_->find_cause(kernel, device);
}

void ResultViews::show_sources(std::vector<SourceText> sources) { answers_->sources = std::move(sources); }

void ResultViews::show_guesses(const std::optional<Interval>& time) { answers_->guesses = time; }

Simulation& ResultViews::simulation() const { return answers_->simulation(); }

std::string ResultViews::text() const {
  std::string text;
  for (const std::string& name : names_) text += (text.empty() ? "" : "\n") + view_named(name).text(*answers_);
  if (names_ == std::vector<std::string>{"summary"}) text += "\n" + other_views();
  return text;
}

std::string ResultViews::json(std::vector<ResultMember> members) const {
  members.insert(members.begin(), answers_->finding_member());
  for (const std::string& name : names_)
    if (const View& view = view_named(name); view.json != nullptr)
      if (std::ranges::find(members, view.key, &ResultMember::first) == members.end())
        members.emplace_back(view.key, view.json(*answers_));
  return write_result_json(answers_->prediction(), members);
}

}  // namespace warpipe::app
