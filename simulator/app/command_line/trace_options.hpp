#pragma once

#include <optional>
#include <string>
#include <utility>

#include "command_line/arguments.hpp"
#include "terminal/messages.hpp"
#include "terminal/output.hpp"
#include "warpipe/explain/simulation.hpp"

namespace warpipe::app {

/// --window, --window-groups, --window-warps; empty where none is given.
/// @throws UsageError for a malformed range
std::optional<Window> read_window(const Arguments& arguments);

/// --window of a timeline in time: seconds, infinite where there is no end; empty where none is given.
/// @throws UsageError for a malformed range
std::optional<std::pair<double, double>> read_microseconds(const Arguments& arguments);

/// --trace.
/// @throws UsageError for standard output, where the result goes
std::optional<std::string> trace_file(const Arguments& arguments);

/// The trace requested by a command line.
class TraceRequest {
 public:
  /// @throws UsageError for a trace to standard output, where the result goes; InputError where the file cannot be
  ///         created
  explicit TraceRequest(const Arguments& arguments);

  /// Writes the trace, where it is requested, and reports on standard error any part that is left out without a
  /// request.
  /// @throws as trace and Output::write_pieces
  void write(Simulation& simulation, Voice voice) const;

 private:
  std::optional<Output> output_;
  Window window_;
  std::string file_;
};

}  // namespace warpipe::app
