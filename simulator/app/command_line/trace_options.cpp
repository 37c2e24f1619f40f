#include "command_line/trace_options.hpp"

#include <fmt/format.h>

#include <limits>

#include "warpipe/views/trace_view.hpp"

namespace warpipe::app {
namespace {

/// About 1 KiB each as Chrome trace events: 40 MB, which viewers open at once.
constexpr std::size_t kExecutionsByDefault = 40'000;
/// Of a requested window: 1 GB.
constexpr std::size_t kMostExecutions = 1'000'000;
constexpr double kMostCycles = 9e15;  // within 64 bits as milli-cycles

/// "FROM:TO"; either number may be missing.
struct Bounds {
  std::string option, from, to;
  bool is_single = false;  ///< no colon: `from` alone
};

std::optional<Bounds> read_bounds(const Arguments& arguments, const std::string& name) {
  const auto text = arguments.value(name);
  if (!text) return std::nullopt;
  const auto colon = text->find(':');
  if (colon == std::string::npos) return Bounds{"--" + name, *text, *text, true};
  return Bounds{"--" + name, text->substr(0, colon), text->substr(colon + 1)};
}

[[noreturn]] void refuse_bounds(const Bounds& bounds, const char* requirement) {
  refuse(bounds.option, requirement,
         fmt::format("found \"{}{}{}\"", bounds.from, bounds.is_single ? "" : ":", bounds.is_single ? "" : bounds.to));
}

void read_cycles(const Bounds& bounds, Window& window) {
  constexpr const char* kForm = "a window must be FROM:TO in cycles, FROM below TO";
  if (bounds.is_single || (bounds.from.empty() && bounds.to.empty())) refuse_bounds(bounds, kForm);
  const auto read = [&](const std::string& text) {
    return round_to_ticks(Cycles{read_number(bounds.option, text, 0, kMostCycles)});
  };
  if (!bounds.from.empty()) window.from = read(bounds.from);
  if (!bounds.to.empty()) window.to = read(bounds.to);
  if (window.from >= window.to) refuse_bounds(bounds, kForm);
}

void read_numbers(const Bounds& bounds, std::int64_t& first, std::int64_t& last) {
  constexpr const char* kForm = "the value must be FIRST:LAST or one number, counted from 0, FIRST at most LAST";
  if (bounds.from.empty() && bounds.to.empty()) refuse_bounds(bounds, kForm);
  if (!bounds.from.empty()) first = read_whole(bounds.option, bounds.from, 0);
  if (!bounds.to.empty()) last = read_whole(bounds.option, bounds.to, 0);
  if (first > last) refuse_bounds(bounds, kForm);
}

}  // namespace

std::optional<Window> read_window(const Arguments& arguments) {
  const auto cycles = read_bounds(arguments, "window");
  const auto groups = read_bounds(arguments, "window-groups");
  const auto warps = read_bounds(arguments, "window-warps");
  if (!cycles && !groups && !warps) return std::nullopt;
  Window window;
  if (cycles) read_cycles(*cycles, window);
  if (groups) read_numbers(*groups, window.first_group, window.last_group);
  if (warps) read_numbers(*warps, window.first_warp, window.last_warp);
  return window;
}

std::optional<std::pair<double, double>> read_microseconds(const Arguments& arguments) {
  constexpr const char* kForm = "a window must be FROM:TO in microseconds, FROM below TO";
  constexpr double kMost = 1e15, kMicrosecond = 1e-6;
  const auto bounds = read_bounds(arguments, "window");
  if (!bounds) return std::nullopt;
  if (bounds->is_single || (bounds->from.empty() && bounds->to.empty())) refuse_bounds(*bounds, kForm);
  std::pair window(0.0, std::numeric_limits<double>::infinity());
  if (!bounds->from.empty()) window.first = read_number(bounds->option, bounds->from, 0, kMost) * kMicrosecond;
  if (!bounds->to.empty()) window.second = read_number(bounds->option, bounds->to, 0, kMost) * kMicrosecond;
  if (window.first >= window.second) refuse_bounds(*bounds, kForm);
  return window;
}

std::optional<std::string> trace_file(const Arguments& arguments) {
  auto file = arguments.value("trace");
  if (file == "-")
    refuse("--trace", "the trace cannot go to standard output, where the result goes", "", "give a file");
  return file;
}

TraceRequest::TraceRequest(const Arguments& arguments) {
  const auto file = trace_file(arguments);
  if (!file) return;
  const auto window = read_window(arguments);
  window_ = window.value_or(Window{});
  window_.most_executions = window ? kMostExecutions : kExecutionsByDefault;
  file_ = *file;
  output_.emplace(*file);
}

void TraceRequest::write(Simulation& simulation, Voice voice) const {
  if (!output_) return;
  const Trace shown = simulation.trace(window_);
  output_->write_pieces([&](const TakePiece& take) { write_chrome_trace(shown, take); });
  if (shown.recording.is_cut)
    warn(voice, fmt::format("{} shows {}, the first {} instructions there; --window FROM:TO shows others", file_,
                            shown_part(shown), shown.recording.executions.size()));
}

}  // namespace warpipe::app
