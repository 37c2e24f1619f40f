#include "verbs/result_views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "terminal/progress.hpp"
#include "warpipe/explain/explain.hpp"
#include "warpipe/explain/follow_path.hpp"
#include "warpipe/predict/bounds.hpp"
#include "warpipe/views/instructions_view.hpp"
#include "warpipe/views/occupancy_history_view.hpp"
#include "warpipe/views/path_view.hpp"
#include "warpipe/views/stalls_view.hpp"
#include "warpipe/views/timeline_view.hpp"

namespace warpipe::app {

/// What views ask of a launch; each answer is found once.
class Answers {
 public:
  /// @param follows_long_runs  the critical path is asked for by its own name
  Answers(Playable played, const LaunchOptions& options, const std::optional<Window>& window, bool follows_long_runs,
          Voice voice)
      : played_(std::move(played)),
        options_(options),
        window_(window),
        follows_long_runs_(follows_long_runs),
        voice_(voice) {}

  const Playable& played() const { return played_; }

  const Explanation& explanation() {
    if (!explanation_) explanation_ = explain(played_, options_);
    return *explanation_;
  }

  /// Null where the run is too long to be followed unasked.
  const FollowedPath* path() {
    if (!path_ && (follows_long_runs_ || prediction().instructions_issued <= kMostUnasked))
      path_ = watched("following the critical path", [&] { return follow_path(played_, options_); });
    return path_ ? &*path_ : nullptr;
  }

  const Prediction& prediction() {
    if (explanation_) return explanation_->prediction;
    if (!prediction_) prediction_ = prediction_of(played_, options_, simulate(played_.program, options_.skipping));
    return *prediction_;
  }

  const Timeline& timeline() {
    if (!timeline_) timeline_ = warpipe::timeline(played_, window_, prediction().cycles);
    return *timeline_;
  }

  const OccupancyHistory& occupancy_history() {
    if (!history_)
      history_ = watched("finding the occupancy over time",
                         [&] { return warpipe::occupancy_history(played_, prediction().cycles, options_.skipping); });
    return *history_;
  }

  static constexpr std::int64_t kMostUnasked = 20'000'000;  ///< warp instructions: some seconds

 private:
  /// Plays all of the launch once more.
  template <class Play>
  std::invoke_result_t<Play> watched(const char* what, const Play& play) const {
    const auto instructions = [this](std::size_t) { return static_cast<double>(instructions_issued(played_.program)); };
    const ProgressLine progress(voice_, {what, 0, 0, instructions, ways_to_shorten(options_)});
    return play();
  }

  Playable played_;
  LaunchOptions options_;
  std::optional<Window> window_;
  bool follows_long_runs_;
  Voice voice_;
  std::optional<Prediction> prediction_;
  std::optional<Explanation> explanation_;
  std::optional<FollowedPath> path_;
  std::optional<Timeline> timeline_;
  std::optional<OccupancyHistory> history_;
};

namespace {

/// A view: its text, and what it adds to a JSON result that is not there anyway.
struct View {
  std::string_view name;
  std::string (*text)(Answers& answers);
  std::string (*json)(Answers& answers) = nullptr;
};

template <SummaryPart part>
std::string summary_text(Answers& answers) {
  return write_text(answers.prediction(), part);
}

std::string path_text(Answers& answers) {
  if (const FollowedPath* path = answers.path()) return write_path_text(*path);
  return fmt::format(
      "Critical path: not followed unasked through more than {} warp instructions; --view critical-path does.\n",
      Answers::kMostUnasked);
}

constexpr std::string_view kAll = "all";
constexpr std::string_view kTimeline = "timeline";
constexpr std::string_view kPath = "critical-path";

/// In the order of `all`; those that `all` leaves out are parts of the summary.
constexpr std::array kViews{
    View{"summary", summary_text<SummaryPart::Summary>},
    View{"stalls", [](Answers& answers) { return write_stalls_text(answers.explanation()); },
         [](Answers& answers) { return stalls_json(answers.explanation()); }},
    View{"instructions", [](Answers& answers) { return write_instructions_text(answers.explanation()); },
         [](Answers& answers) { return instructions_json(answers.explanation()); }},
    View{kPath, path_text,
         [](Answers& answers) { return answers.path() != nullptr ? path_json(*answers.path()) : "null"; }},
    View{kTimeline, [](Answers& answers) { return write_text(answers.timeline()); },
         [](Answers& answers) { return timeline_json(answers.timeline()); }},
    View{"occupancy", [](Answers& answers) { return write_text(answers.occupancy_history()); },
         [](Answers& answers) { return occupancy_history_json(answers.occupancy_history()); }},
    View{"latencies", summary_text<SummaryPart::Latencies>},
    View{"launch", summary_text<SummaryPart::Launch>},
    View{"pipelines", summary_text<SummaryPart::Pipelines>},
    View{"bounds", summary_text<SummaryPart::Bounds>},
};

bool is_shown_by_summary(std::string_view name) { return name == "launch" || name == "pipelines" || name == "bounds"; }

/// The name of a view's member in JSON.
std::string key_of(std::string name) {
  if (name == "occupancy") return "occupancy_over_time";  // every result has the other one
  std::ranges::replace(name, '-', '_');
  return name;
}

const View& view_named(std::string_view name) {
  const auto* view = std::ranges::find(kViews, name, &View::name);
  assert(view != kViews.end());
  return *view;
}

}  // namespace

std::vector<std::string> view_names() {
  std::vector<std::string> names;
  for (const View& view : kViews) names.emplace_back(view.name);
  names.emplace_back(kAll);
  return names;
}

ResultViews::ResultViews(const std::vector<std::string>& views) {
  for (const std::string& name : views) {
    if (name != kAll) {
      follows_long_runs_ = follows_long_runs_ || name == kPath;
      names_.push_back(name);
      continue;
    }
    for (const View& view : kViews)
      if (!is_shown_by_summary(view.name)) names_.emplace_back(view.name);
  }
}

ResultViews::~ResultViews() = default;

bool ResultViews::show_a_window() const { return std::ranges::find(names_, kTimeline) != names_.end(); }

void ResultViews::simulate(const Kernel& kernel, const Device& device, const LaunchOptions& options,
                           const std::optional<Window>& window, Voice voice) {
  const bool explains =
      std::ranges::any_of(names_, [](const std::string& name) { return name == "stalls" || name == "instructions"; });
  const ProgressLine progress(voice, simulation("simulating", kernel, device, options, explains));
  answers_ = std::make_unique<Answers>(playable(kernel, device, options), options, window, follows_long_runs_, voice);
  if (explains) answers_->explanation();  // one run for both
  answers_->prediction();
}

const Playable& ResultViews::played() const { return answers_->played(); }

const Prediction& ResultViews::prediction() const { return answers_->prediction(); }

std::string ResultViews::text() const {
  std::string text;
  for (const std::string& name : names_) text += (text.empty() ? "" : "\n") + view_named(name).text(*answers_);
  return text;
}

std::string ResultViews::json() const {
  std::vector<ResultMember> members;
  for (const std::string& name : names_)
    if (const View& view = view_named(name); view.json != nullptr)
      if (std::ranges::find(members, key_of(name), &ResultMember::first) == members.end())
        members.emplace_back(key_of(name), view.json(*answers_));
  return write_json(answers_->prediction(), members);
}

}  // namespace warpipe::app
