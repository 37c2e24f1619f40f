#include "warpipe/programs/run_log.hpp"

#include <limits>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"

namespace warpipe::programs {
namespace {

constexpr double kAny = std::numeric_limits<double>::max();

/// Members of a line written by this library itself.
class Line {
 public:
  explicit Line(const JsonNode& root) : root_(root) {}
  std::string text(const char* key) const {
    const auto node = root_.find(key);
    return node ? node->string().value_or("") : "";
  }
  std::int64_t whole(const char* key) const { return static_cast<std::int64_t>(number(key)); }
  double number(const char* key) const {
    const auto node = root_.find(key);
    return node && node->is_number() ? node->number(-kAny, kAny).value_or(0) : 0;
  }
  bool truth(const char* key) const {
    const auto node = root_.find(key);
    return node && node->boolean().value_or(false);
  }
  bool has_number(const char* key) const {
    const auto node = root_.find(key);
    return node && node->is_number();
  }
  std::array<std::int64_t, 3> sizes(const char* key) const {
    std::array<std::int64_t, 3> read{1, 1, 1};
    const auto node = root_.find(key);
    const auto elements = node ? node->elements() : std::vector<JsonNode>{};
    for (std::size_t i = 0; i < elements.size() && i < 3; ++i) read[i] = elements[i].whole(0).value_or(1);
    return read;
  }

 private:
  const JsonNode& root_;
};

RunEvents::Launch launch_of(const Line& line) {
  RunEvents::Launch made;
  made.kernel = line.text("kernel");
  made.grid = line.sizes("grid");
  made.block = line.sizes("block");
  made.stream = static_cast<std::size_t>(line.whole("stream"));
  made.begin = line.number("begin_s");
  made.end = line.number("end_s");
  if (line.has_number("time_s")) made.time = line.number("time_s");
  made.time_from = line.text("time_from");
  made.limiter = line.text("limiter");
  made.assumptions = line.whole("assumptions");
  made.recorded_groups = line.whole("recorded_groups");
  made.first_assumption = line.text("first_assumption");
  made.problem = line.text("problem");
  made.is_executed = line.truth("executed");
  made.warp_instructions = line.whole("warp_instructions");
  made.lane_instructions = line.whole("lane_instructions");
  made.host_seconds = line.number("host_s");
  made.execution_problem = line.text("execution_problem");
  return made;
}

RunEvents::Copy copy_of(const Line& line, bool is_set) {
  return {line.text("call"),
          line.text("direction"),
          is_set,
          line.whole("bytes"),
          static_cast<std::size_t>(line.whole("stream")),
          line.number("begin_s"),
          line.number("end_s")};
}

}  // namespace

RunEvents read_events(const std::vector<std::string>& lines) {
  RunEvents events;
  for (const auto& text : lines) {
    Diagnostics problems;
    try {
      const JsonDocument document(text, "events", problems);
      const auto root = document.root();
      const Line line(root);
      const auto event = line.text("event");
      if (event == "launch") events.launches.push_back(launch_of(line));
      if (event == "copy" || event == "set") events.copies.push_back(copy_of(line, event == "set"));
    } catch (const InputError&) {  // a line cut off by the program's end
      continue;
    }
  }
  return events;
}

}  // namespace warpipe::programs
