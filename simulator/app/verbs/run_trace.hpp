#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command_line/arguments.hpp"
#include "terminal/messages.hpp"
#include "terminal/output.hpp"
#include "verbs/run_view.hpp"

namespace warpipe::app {

/// A launch or a copy on the timeline of a program.
struct TimelineEvent {
  std::string name, category;  ///< category: "kernel" or "copy"
  std::size_t stream = 0;
  double begin = 0, end = 0;  ///< seconds
  std::vector<std::pair<std::string, std::string>> facts;
};

/// In the order of their begins.
std::vector<TimelineEvent> timeline_of(const programs::RunEvents& events);

/// "stream 3".
std::string track_of(std::size_t stream);

/// The trace of `run`, with --window: the timeline as Chrome trace events, which Perfetto and chrome://tracing open. A
/// thread for each stream.
class RunTrace {
 public:
  /// @throws UsageError for a malformed window, and for a trace to standard output, where the result goes; InputError
  ///                    where the file cannot be created
  explicit RunTrace(const Arguments& arguments);

  /// Writes the trace, where it is requested, and reports on standard error any part that is left out without a
  /// request.
  /// @throws as Output::write
  void write(const ExecutedProgram& run, Voice voice) const;

 private:
  std::optional<Output> output_;
  std::string file_;
  double from_ = 0, to_ = std::numeric_limits<double>::infinity();  ///< seconds
};

}  // namespace warpipe::app
