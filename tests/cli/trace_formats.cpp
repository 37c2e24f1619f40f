#include "trace_formats.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace warpipe::test {
namespace {

using nlohmann::json;
using Thread = std::pair<std::int64_t, std::int64_t>;  // process, thread

void require(bool holds, const char* rule, const std::string& where) {
  if (!holds) throw std::runtime_error(std::string(rule) + ": " + where);
}

/// There are many events: only a wrong event is turned into text.
void require_of(bool holds, const char* rule, const json& event) {
  if (!holds) require(false, rule, event.dump());
}

/// A time in nanoseconds.
std::int64_t time_of(const json& event, const char* field) {
  require_of(event.contains(field) && event[field].is_number() && event[field] >= 0, "a time", event);
  const double nanoseconds = event[field].get<double>() * 1000;
  require_of(std::abs(nanoseconds - std::round(nanoseconds)) < 1e-3, "whole nanoseconds", event);
  return std::llround(nanoseconds);
}

Thread thread_of(const json& event) {
  return {event.at("pid").get<std::int64_t>(), event.at("tid").get<std::int64_t>()};
}

struct Slice {
  std::int64_t begin, end;
  std::string name;
};

class ChromeTrace {
 public:
  void take(const json& event) {
    require_of(event.is_object() && event.contains("ph") && event["ph"].is_string(), "an object with a phase", event);
    require_of(event.contains("pid") && event["pid"].is_number_integer(), "a process", event);
    require_of(event.contains("name") && event["name"].is_string() && event["name"] != "", "a name", event);
    const std::string phase = event["ph"];
    if (phase == "M") return take_metadata(event);
    require_of(event.contains("tid") && event["tid"].is_number_integer(), "a thread", event);
    require_of(event.contains("cat") && event["cat"].is_string(), "a category", event);
    const Thread thread = thread_of(event);
    const std::int64_t begin = time_of(event, "ts");
    if (phase == "X") {
      require_of(event.contains("args") && event["args"].is_object(), "arguments", event);
      begins_.insert({thread, begin});
      slices_[thread].push_back({begin, begin + time_of(event, "dur"), event["name"]});
    } else {
      require_of(phase == "s" || phase == "f", "a phase that is known", event);
      take_arrow(event, phase, thread, begin);
    }
  }

  void check() const {
    std::map<std::int64_t, std::int64_t> process_of;
    for (const auto& [thread, slices] : slices_) {
      const std::string where = "thread " + std::to_string(thread.second);
      require(threads_.contains(thread), "a thread has a name", where);
      require(processes_.contains(thread.first), "a process has a name", where);
      require(process_of.emplace(thread.second, thread.first).second, "a thread's number is its own", where);
      check_nesting(slices, where);
    }
    for (const auto& [id, start] : starts_) {
      const auto end = ends_.find(id);
      require(end != ends_.end(), "an arrow ends", "arrow " + std::to_string(id));
      require(start.second <= end->second.second, "an arrow leads forward", "arrow " + std::to_string(id));
      check_bound(start);
      check_bound(end->second);
    }
    require(starts_.size() == ends_.size(), "an arrow starts", "more ends than starts");
  }

 private:
  using Point = std::pair<Thread, std::int64_t>;

  void take_metadata(const json& event) {
    const std::map<std::string, std::string> argument_of{{"process_name", "name"},
                                                         {"process_sort_index", "sort_index"},
                                                         {"process_labels", "labels"},
                                                         {"thread_name", "name"},
                                                         {"thread_sort_index", "sort_index"}};
    const std::string name = event["name"];
    const auto argument = argument_of.find(name);
    require_of(argument != argument_of.end(), "metadata that is known", event);
    require_of(event.contains("args") && event["args"].contains(argument->second), "its argument", event);
    const json& value = event["args"][argument->second];
    require_of(argument->second == "sort_index" ? value.is_number_integer() : value.is_string(), "its type", event);
    if (name == "process_name") processes_.insert(event["pid"].get<std::int64_t>());
    if (name == "thread_name") threads_.insert(thread_of(event));
  }

  void take_arrow(const json& event, const std::string& phase, const Thread& thread, std::int64_t time) {
    require_of(event.contains("id") && event["id"].is_number_integer(), "an id", event);
    require_of(phase == "s" || event.value("bp", "") == "e", "an end that binds to the slice around it", event);
    auto& points = phase == "s" ? starts_ : ends_;
    require_of(points.emplace(event["id"].get<std::int64_t>(), Point{thread, time}).second, "one arrow an id", event);
  }

  static void check_nesting(std::vector<Slice> slices, const std::string& where) {
    std::ranges::stable_sort(
        slices, [](const Slice& a, const Slice& b) { return std::pair(a.begin, -a.end) < std::pair(b.begin, -b.end); });
    std::vector<Slice> open;
    for (const Slice& slice : slices) {
      while (!open.empty() && open.back().end <= slice.begin) open.pop_back();
      require(open.empty() || slice.end <= open.back().end, "events of a thread nest", where + ", " + slice.name);
      open.push_back(slice);
    }
  }

  void check_bound(const Point& point) const {
    require(begins_.contains(point), "an arrow ends and starts where an event begins",
            "at " + std::to_string(point.second));
  }

  std::map<Thread, std::vector<Slice>> slices_;
  std::set<Point> begins_;  ///< of slices
  std::set<std::int64_t> processes_;
  std::set<Thread> threads_;
  std::map<std::int64_t, Point> starts_, ends_;
};

}  // namespace

std::string problem_of_chrome_trace(const std::string& text) {
  try {
    const json trace = json::parse(text);
    require(trace.is_object() && trace.contains("traceEvents") && trace["traceEvents"].is_array(), "the object form",
            "");
    require(trace.value("displayTimeUnit", "") == "ns", "a unit to display", "");
    ChromeTrace events;
    for (const json& event : trace["traceEvents"]) events.take(event);
    events.check();
  } catch (const std::exception& problem) {
    return problem.what();
  }
  return {};
}

}  // namespace warpipe::test
