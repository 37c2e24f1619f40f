#include "verbs/run_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <tuple>

#include "command_line/trace_options.hpp"
#include "warpipe/idg/json_writer.hpp"

namespace warpipe::app {
namespace {

/// Some 300 bytes each: 30 MB, which viewers open at once.
constexpr std::size_t kMostEvents = 100'000;

std::string sizes_text(const std::array<std::int64_t, 3>& sizes) {
  return fmt::format("{}x{}x{}", sizes[0], sizes[1], sizes[2]);
}

void write_name(JsonWriter& json, const char* kind, std::optional<std::size_t> stream, const std::string& name) {
  json.begin_object().member("ph", "M").member("pid", std::int64_t{1});
  if (stream) json.member("tid", *stream);
  json.member("name", kind).key("args").begin_object().member("name", name).end_object().end_object();
}

void write_event(JsonWriter& json, const TimelineEvent& event) {
  json.begin_object().member("ph", "X").member("pid", std::int64_t{1}).member("tid", event.stream);
  json.member("ts", event.begin * kMicroseconds).member("dur", (event.end - event.begin) * kMicroseconds);
  json.member("name", event.name).member("cat", event.category).key("args").begin_object();
  for (const auto& [key, value] : event.facts) json.member(key, value);
  json.end_object().end_object();
}

std::string trace_text(const ExecutedProgram& run, const std::vector<TimelineEvent>& events, const std::string& shown) {
  JsonWriter json(JsonWriter::Layout::OneLine);
  json.begin_object().member("displayTimeUnit", "ns").key("otherData").begin_object();
  json.member("program", run.program).member("device", run.device.name).member("shown", shown).end_object();
  json.key("traceEvents").begin_array();
  write_name(json, "process_name", std::nullopt, run.device.name);
  std::set<std::size_t> streams;
  for (const auto& event : events) streams.insert(event.stream);
  for (const auto stream : streams) write_name(json, "thread_name", stream, track_of(stream));
  for (const auto& event : events) write_event(json, event);
  json.end_array().end_object();
  return json.text();
}

}  // namespace

std::string track_of(std::size_t stream) {
  return stream == 0 ? std::string("default stream") : fmt::format("stream {}", stream);
}

std::vector<TimelineEvent> timeline_of(const programs::RunEvents& events) {
  std::vector<TimelineEvent> made;
  for (const auto& launch : events.launches)
    made.push_back({launch.kernel,
                    "kernel",
                    launch.stream,
                    launch.begin,
                    launch.end,
                    {{"grid", sizes_text(launch.grid)},
                     {"block", sizes_text(launch.block)},
                     {"limiter", launch.limiter},
                     {"time from", launch.time_from}}});
  for (const auto& copy : events.copies)
    made.push_back({copy.is_set ? copy.call : copy.call + ", " + copy.direction,
                    "copy",
                    copy.stream,
                    copy.begin,
                    copy.end,
                    {{"bytes", std::to_string(copy.bytes)}}});
  std::ranges::stable_sort(made, {}, &TimelineEvent::begin);
  return made;
}

RunTrace::RunTrace(const Arguments& arguments) {
  const auto file = trace_file(arguments);
  const auto window = read_microseconds(arguments);
  if (window) std::tie(from_, to_) = *window;
  if (!file) return;
  file_ = *file;
  output_.emplace(*file);
}

void RunTrace::write(const ExecutedProgram& run, Voice voice) const {
  if (!output_) return;
  auto events = timeline_of(run.events);
  double last = 0;
  for (const auto& event : events) last = std::max(last, event.end);
  std::erase_if(events, [&](const auto& event) { return event.end < from_ || event.begin >= to_; });
  const auto in_window = events.size();
  double to = std::min(to_, last);
  if (in_window > kMostEvents) {
    to = events[kMostEvents].begin;
    events.resize(kMostEvents);
  }
  const auto shown =
      fmt::format("{:.10g} to {:.10g} us of {:.10g}", from_ * kMicroseconds, to * kMicroseconds, last * kMicroseconds);
  output_->write(trace_text(run, events, shown));
  if (in_window > kMostEvents)
    warn(voice, fmt::format("{} shows {}, the first {} of {} launches and copies there; --window FROM:TO shows others",
                            file_, shown, kMostEvents, in_window));
}

}  // namespace warpipe::app
