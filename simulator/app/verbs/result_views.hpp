#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/messages.hpp"
#include "warpipe/explain/result_json.hpp"
#include "warpipe/explain/simulation.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/launch.hpp"
#include "warpipe/views/source_view.hpp"

namespace warpipe::app {

/// A simulated launch and its views. A prediction is always made; further data of a view are simulated together with it
/// where one run can give both, else when the first view asks for them.
class ResultViews {
 public:
  /// @param views  for --view
  explicit ResultViews(const std::vector<std::string>& views);
  ~ResultViews();
  ResultViews(const ResultViews&) = delete;
  ResultViews& operator=(const ResultViews&) = delete;

  /// @param window       of the timeline; empty: the first warps
  /// @param with_stalls  whether stalls are needed apart from the views
  /// @param json         whether json() is needed
  /// @param voice        whether progress is shown, here and when a view simulates more
  /// @throws as predict
  void simulate(const Kernel& kernel, const Device& device, const LaunchOptions& options,
                const std::optional<Window>& window, bool with_stalls, bool json, Voice voice);

  /// Notes the range of the time by guesses, which the summary then shows.
  void show_guesses(const std::optional<Interval>& time);

  /// Notes the available source, which its view then shows.
  void show_sources(std::vector<SourceText> sources);

  /// Whether a view shows a window.
  bool show_a_window() const;
  /// Whether a view shows source.
  bool show_source() const;

  /// To be called after simulate(), like all below.
  Simulation& simulation() const;
  /// The views as text, in the order asked for.
  std::string text() const;
  /// The result as JSON, with a member for each view outside the standard result.
  /// @param members  further members
  std::string json(std::vector<ResultMember> members = {}) const;

 private:
  bool show(std::string_view view) const;

  std::vector<std::string> names_;
  bool follows_long_runs_ = false;  ///< `all` does not
  std::unique_ptr<class Answers> answers_;
};

}  // namespace warpipe::app
