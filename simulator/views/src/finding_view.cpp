#include "warpipe/views/finding_view.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "warpipe/idg/json_writer.hpp"
#include "warpipe/idg/op.hpp"
#include "warpipe/idg/printable.hpp"
#include "warpipe/views/numbers.hpp"
#include "warpipe/views/wrap.hpp"

namespace warpipe {
namespace {

using Cause = Finding::Cause;

constexpr double kWorthSaying = 0.03;  // of the time: the model is off by as much (docs/accuracy.md)
constexpr double kMovedAgain = 1.25;   // times the bytes that must move: more than caches differ by

/// "stores", "shared loads", "thread-private loads", "ffma"; "instructions" where no op stands out.
std::string noun_of(const Finding& finding) {
  const auto& op = finding.op;
  if (op.empty()) return "instructions";
  const auto of = class_of(op);
  if (of != OpClass::GlobalMemory && of != OpClass::SharedMemory) return op;
  const auto kind = access_kind(op);
  const std::string noun = kind == AccessKind::Load ? "loads" : kind == AccessKind::Store ? "stores" : "atomics";
  return (of == OpClass::SharedMemory ? "shared " : finding.thread_private ? "thread-private " : "") + noun;
}

/// "loads of a.cu:7"; "loads" of no line in particular.
std::string line_of(const Finding& finding) {
  return finding.place.empty() ? noun_of(finding) : fmt::format("{} of {}", noun_of(finding), finding.place);
}

/// "the load-store unit", "DRAM", "the pipeline l2", "latency".
std::string shown_limit(std::string_view bound) {
  constexpr std::string_view kPipeline = "pipeline ";
  if (bound == "schedulers") return "the schedulers";
  if (!bound.starts_with(kPipeline)) return std::string(bound);
  const auto name = bound.substr(kPipeline.size());
  return name == "lsu" ? "the load-store unit" : name == "dram" ? "DRAM" : fmt::format("the pipeline {}", name);
}

std::string bytes_text(const Finding& finding) {
  const auto moved = show_bytes(finding.amount);
  if (finding.of <= 0) return fmt::format("{} go through it", moved);
  if (finding.amount <= kMovedAgain * finding.of) return fmt::format("{} go through it, each byte once", moved);
  return fmt::format("{} go through it, each byte {:.2g} times{}", moved, finding.amount / finding.of,
                     finding.place.empty() ? "" : ", most by " + line_of(finding));
}

std::string warps_text(const Finding& finding) {
  auto text = fmt::format("{} of {} warps reside on a unit", finding.amount, finding.of);
  if (!finding.why.empty()) text += ": " + finding.why;
  if (finding.share > 0)
    text += fmt::format("; {} of the wait is for {}", show_percent(finding.share), line_of(finding));
  return text;
}

std::string cause_text(const Finding& finding) {
  switch (finding.cause) {
    case Cause::Scattered:
      return fmt::format("{} use {:.2g} of {} bytes of each sector", line_of(finding), finding.amount, finding.of);
    case Cause::Conflicts:
      return fmt::format("{} have bank conflicts, {:.2g} ways", line_of(finding), finding.amount);
    case Cause::Bytes:
      return bytes_text(finding);
    case Cause::Line:
      return fmt::format("{} of its time for {}", show_percent(finding.amount), line_of(finding));
    case Cause::Doubles:
      return fmt::format("{} of its time for doubles of {}, where floats come in or go out",
                         show_percent(finding.amount), finding.place);
    case Cause::Lanes:
      return fmt::format("{:.2g} of {} lanes compute, most of the time in {}", finding.amount, finding.of,
                         finding.place);
    case Cause::Warps:
      return warps_text(finding);
    case Cause::Groups:
      return fmt::format("{} for {} units", counted(std::llround(finding.amount), "group"), finding.of);
    case Cause::Rounds:
      return fmt::format("{} for {} units, so that some have one more than others",
                         counted(std::llround(finding.amount), "group"), finding.of);
    case Cause::Starts:
      return fmt::format("{} of {} start one after the other", counted(std::llround(finding.amount), "group"),
                         counted(std::llround(finding.of), "thread"));
    case Cause::None:
      break;
  }
  return {};
}

std::string_view word_of(Cause cause) {
  switch (cause) {
    case Cause::Scattered:
      return "scattered";
    case Cause::Conflicts:
      return "conflicts";
    case Cause::Bytes:
      return "bytes";
    case Cause::Line:
      return "line";
    case Cause::Doubles:
      return "doubles";
    case Cause::Lanes:
      return "lanes";
    case Cause::Warps:
      return "warps";
    case Cause::Groups:
      return "groups";
    case Cause::Rounds:
      return "rounds";
    case Cause::Starts:
      return "starts";
    case Cause::None:
      break;
  }
  return "none";
}

bool is_worth_saying(Seconds time, const std::optional<Seconds>& changed) {
  return changed && changed->count < (1 - kWorthSaying) * time.count;
}

}  // namespace

std::string sentence(const Finding& finding, Seconds time, const std::optional<Seconds>& changed) {
  auto text = "Limited by " + shown_limit(finding.limit);
  if (const auto cause = cause_text(finding); !cause.empty()) text += ": " + cause;
  if (is_worth_saying(time, changed))
    text += fmt::format("; {} about {} (-{}, an estimate)", finding.change->words, show_time(*changed),
                        show_percent(1 - changed->count / time.count));
  return text + ".";
}

std::string paragraph(const Finding& finding, Seconds time, const std::optional<Seconds>& changed) {
  constexpr std::size_t kColumns = 80;
  std::string text;
  for (const auto& line : wrap(sentence(finding, time, changed), kColumns)) text += line + '\n';
  return text;
}

std::string finding_json(const Finding& finding, Seconds time, const std::optional<Seconds>& changed) {
  JsonWriter json(JsonWriter::Layout::Indented, 1);
  json.begin_object().member("limit", finding.limit).member("cause", std::string(word_of(finding.cause)));
  if (!finding.place.empty()) json.member("place", finding.place);
  if (!finding.op.empty()) json.member("op", finding.op);
  if (is_worth_saying(time, changed)) json.member("estimate_s", changed->count);
  json.member("sentence", sentence(finding, time, changed)).end_object();
  return json.value_text();
}

}  // namespace warpipe
