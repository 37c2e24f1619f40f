#include "warpipe/views/import_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "warpipe/idg/json_writer.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kMostKinds = 16;     // listed in the text
constexpr std::size_t kMostAddresses = 4;  // of an access
constexpr double kIdleWorthSaying = 0.05;  // share of sectors

/// Whole numbers without a point, fractions with one digit behind it.
std::string number(double value) {
  return std::floor(value) == value ? fmt::format("{:.0f}", value) : fmt::format("{:.1f}", value);
}

/// "4", or "3.7 (2 to 4)" where executions differ.
std::string spread(const isa::Spread& of, double executions) {
  const auto mean = number(of.sum / executions);
  return of.least == of.most ? mean : fmt::format("{} ({} to {})", mean, of.least, of.most);
}

/// Where an access is, on lines of its own.
std::string address(const isa::AddressReport& address) {
  using Kind = isa::AddressReport::Kind;
  constexpr const char* kMargin = "             ";
  std::string text;
  for (std::size_t i = 0; i < address.texts.size(); ++i) {
    if (i == kMostAddresses) {
      text += fmt::format("{}and {} more\n", kMargin, address.texts.size() - i);
      break;
    }
    text += fmt::format("{}{}\n", kMargin, address.texts[i]);
  }
  if (address.elsewhere > 0)
    text += fmt::format("{}{:.2g} % of its executions have lanes in other arrays: left out\n", kMargin,
                        100 * address.elsewhere);
  if (address.kind == Kind::Fitted) text += fmt::format("{}fits all that was executed: {}\n", kMargin, address.why);
  if (address.kind == Kind::Sampled) text += fmt::format("{}sampled: {}\n", kMargin, address.why);
  if (address.kind == Kind::NotFound) text += fmt::format("{}address not found: {}\n", kMargin, address.why);
  if (address.idle > kIdleWorthSaying)
    text +=
        fmt::format("{}lanes that are not active would reach {:.0f} % of these sectors\n", kMargin, 100 * address.idle);
  return text;
}

/// The executions of accesses left out of the checks of expressions.
std::string checks(const isa::ImportReport& report) {
  std::map<std::int64_t, int> passing_over;  // accesses, by the executions at the beginning of a run
  for (const auto& access : report.accesses) ++passing_over[access.address.checked];
  passing_over.erase(0);
  std::string text;
  for (const auto& [first, accesses] : passing_over)
    text += fmt::format(
        "  {} of these go on by constant steps in a loop: only the first {} executions and the last of a run were "
        "checked\n",
        accesses, first);
  return text;
}

/// The shares of the kinds of address in the lanes' accesses to cacheable memory.
std::map<isa::AddressReport::Kind, double> shares_of_addresses(const isa::ImportReport& report) {
  std::map<isa::AddressReport::Kind, double> lanes;
  double all = 0;
  for (const auto& access : report.accesses) {
    if (access.address.kind == isa::AddressReport::Kind::None) continue;
    lanes[access.address.kind] += access.statistics.lanes.sum;
    all += access.statistics.lanes.sum;
  }
  for (auto& [kind, share] : lanes) share /= std::max(all, 1.0);
  return lanes;
}

std::string addresses(const isa::ImportReport& report) {
  using Kind = isa::AddressReport::Kind;
  static constexpr std::array kWays{std::pair{Kind::Formula, "the program's own formula"},
                                    std::pair{Kind::Fitted, "a formula that fits all that was executed"},
                                    std::pair{Kind::Sampled, "samples"}, std::pair{Kind::NotFound, "nothing"}};
  const auto shares = shares_of_addresses(report);
  std::string text;
  for (const auto& [kind, name] : kWays)
    if (const auto found = shares.find(kind); found != shares.end())
      text += fmt::format("{}{:.1f} % by {}", text.empty() ? "  lanes' addresses: " : ", ", 100 * found->second, name);
  return text.empty() ? text : text + '\n';
}

std::string reached_by(const isa::AccessReport& access, const AccessSizes& sizes) {
  const auto& found = access.statistics;
  if (access.space == isa::Space::Shared)
    return fmt::format("conflict degree {}", spread(found.conflict_degree, found.executions));
  if (access.space == isa::Space::Constant)
    return fmt::format("words {}", spread(found.conflict_degree, found.executions));
  return fmt::format("segments of {} bytes {}, of {} {}", sizes.sector_bytes, spread(found.segments, found.executions),
                     sizes.line_bytes, spread(found.lines, found.executions));
}

std::string access(const isa::AccessReport& access, const AccessSizes& sizes) {
  const auto& found = access.statistics;
  if (found.executions == 0)
    return fmt::format("  line {:<6}{:<22}{:<18} not executed\n", access.line, access.source, access.op);
  const auto reached = reached_by(access, sizes);
  const auto met =
      access.turns_at_one_place ? fmt::format(", turns at one place {}", number(*access.turns_at_one_place)) : "";
  return fmt::format("  line {:<6}{:<22}{:<18}{:>12} x  lanes {}, {}{}{}\n", access.line, access.source, access.op,
                     number(found.executions), spread(found.lanes, found.executions), reached, met,
                     found.sampled ? ", sampled" : "") +
         address(access.address);
}

std::string removed(const isa::ImportReport& report) {
  std::string text = "\nRemoved, by rule\n";
  for (const auto& [rule, count] : report.removed) text += fmt::format("  {:<28}{:>6}\n", rule, count);
  text += fmt::format("  {:<28}{:>6} loads moved\n", "early-loads", report.moved_loads);
  if (!report.skipped.empty()) text += "\nLeft out, as not known\n";
  for (const auto& instruction : report.skipped) text += fmt::format("  {}\n", instruction);
  return text;
}

std::string control(const isa::ImportReport& report) {
  std::string text;
  if (!report.entered_loops.empty()) text += "\nLoops\n";
  for (const auto& loop : report.entered_loops)
    text += fmt::format("  line {:<6}{:<22}{:<18}{:>12} x  trips {}\n", loop.line, loop.source, loop.label,
                        number(loop.entries), spread(loop.iterations, loop.entries));
  if (!report.dropped.empty()) text += "\nDropped: no lane gets there\n";
  for (const auto& side : report.dropped)
    text += fmt::format("  line {:<6}{:<22}{} instruction{}\n", side.line, side.source, side.instructions,
                        side.instructions == 1 ? "" : "s");
  return text;
}

/// The most frequent kinds of groups, with their work against the mean.
std::string groups(const isa::ImportReport& report) {
  double issued = 0;
  for (const auto& kind : report.kinds) issued += kind.groups * kind.issued;
  const auto mean = issued / report.survey.groups;
  std::string text = "\nGroups that behave alike\n";
  for (std::size_t i = 0; i < report.kinds.size(); ++i) {
    const auto& kind = report.kinds[i];
    if (i == kMostKinds) {
      text += fmt::format("  and {} kinds more\n", report.kinds.size() - i);
      break;
    }
    text +=
        fmt::format("  {:>12} as group ({}, {}, {})", number(kind.groups), kind.group[0], kind.group[1], kind.group[2]);
    if (report.kinds.size() > 1 && mean > 0)
      text += fmt::format(": {:.1f} %, each issues {} instructions, {:.2f} of the mean",
                          100 * kind.groups / report.survey.groups, number(kind.issued), kind.issued / mean);
    text += '\n';
  }
  return text;
}

void write_spread(JsonWriter& json, std::string_view key, const isa::Spread& spread) {
  const bool is_none = spread.least > spread.most;  // nothing was executed
  json.key(key).begin_object().member("sum", spread.sum);
  json.member("least", is_none ? 0 : spread.least).member("most", is_none ? 0 : spread.most).end_object();
}

void write_texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
  json.key(key).begin_array();
  for (const auto& text : texts) json.value(text);
  json.end_array();
}

void write_access(JsonWriter& json, const isa::AccessReport& access, const AccessSizes& sizes) {
  const auto& found = access.statistics;
  json.begin_object().member("line", std::int64_t{access.line}).member("source", access.source);
  json.member("instruction", access.name).member("op", access.op).member("space", to_string(access.space));
  json.member("executions", found.executions).member("sampled", found.sampled);
  write_spread(json, "lanes", found.lanes);
  write_spread(json, fmt::format("segments_of_{}_bytes", sizes.sector_bytes), found.segments);
  if (sizes.line_bytes != sizes.sector_bytes)
    write_spread(json, fmt::format("segments_of_{}_bytes", sizes.line_bytes), found.lines);
  write_spread(json, "conflict_degree", found.conflict_degree);
  if (access.turns_at_one_place) json.member("turns_at_one_place", *access.turns_at_one_place);
  const auto& address = access.address;
  if (address.kind != isa::AddressReport::Kind::None) {
    json.key("address").begin_object().member("is", to_string(address.kind));
    write_texts(json, "bytes_of_arrays", address.texts);
    if (!address.why.empty()) json.member("why", address.why);
    if (address.checked > 0) json.member("checked_executions_of_a_run", address.checked);
    if (address.not_kept > 0) json.member("unchecked_executions", address.not_kept);
    json.member("executions_elsewhere", address.elsewhere).member("idle_sectors", address.idle).end_object();
  }
  json.end_object();
}

template <class Count>
void write_counts(JsonWriter& json, std::string_view key, const std::map<std::string, Count>& counts) {
  json.key(key).begin_object();
  for (const auto& [name, count] : counts) json.member(name, count);
  json.end_object();
}

void write_control(JsonWriter& json, const isa::ImportReport& report) {
  json.key("loops").begin_array();
  for (const auto& loop : report.entered_loops) {
    json.begin_object().member("label", loop.label).member("line", std::int64_t{loop.line});
    json.member("source", loop.source).member("entries", loop.entries);
    write_spread(json, "trips", loop.iterations);
    json.end_object();
  }
  json.end_array().key("dropped").begin_array();
  for (const auto& side : report.dropped)
    json.begin_object()
        .member("line", std::int64_t{side.line})
        .member("source", side.source)
        .member("instructions", side.instructions)
        .end_object();
  json.end_array().key("groups_alike").begin_array();
  for (const auto& kind : report.kinds) {
    json.begin_object().key("group").begin_array();
    for (const auto place : kind.group) json.value(place);
    json.end_array().member("groups", kind.groups).member("issued_by_one", kind.issued).end_object();
  }
  json.end_array();
}

}  // namespace

namespace {

void write_assumptions(JsonWriter& json, const isa::ImportReport& report) {
  json.key("assumptions").begin_array();
  for (const auto& one : report.assumptions) {
    json.begin_object().member("kind", isa::to_string(one.kind)).member("name", one.name);
    json.member("value", one.value).member("why", one.why);
    if (one.line != 0) json.member("line", std::int64_t{one.line});
    if (!one.source.empty()) json.member("source", one.source);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string write_text(const isa::ImportReport& report) {
  std::string text = fmt::format("{}: {} instructions, {} loops, {} calls inlined\n", report.entry, report.instructions,
                                 report.loops, report.calls);
  text += fmt::format("control and addresses need {} of them; executed {}, control for {} of {} groups{}", report.slice,
                      report.executed, report.survey.looked_at, number(report.survey.groups),
                      report.survey.sampled         ? ", the others as groups nearby"
                      : report.survey.by_arithmetic ? ", the kinds by arithmetic"
                                                    : "");
  if (report.closed_iterations > 0)
    text += fmt::format(", {} passes of loops closed in form", report.closed_iterations);
  if (report.sampled_iterations > 0) text += fmt::format(", {} taken like others", report.sampled_iterations);
  text += fmt::format("\n{} registers per thread{}\n", report.registers,
                      report.registers_estimated ? ", estimated from liveness" : "");
  text += removed(report);
  text += "\nExecuted by the warps of the launch, by class\n";
  for (const auto& [op, count] : report.executions) text += fmt::format("  {:<16}{:>18}\n", op, number(count));
  const auto& sizes = report.sizes;
  if (!report.accesses.empty())
    text +=
        fmt::format("\nAccesses to memory, the shared one in {} banks of {} bytes\n", sizes.banks, sizes.bank_bytes);
  for (const auto& one : report.accesses) text += access(one, sizes);
  text += addresses(report) + checks(report);
  text += control(report);
  text += groups(report);
  for (const auto& one : report.assumptions) text += fmt::format("assumed: {}\n", isa::shown(one));
  for (const auto& note : report.notes) text += fmt::format("note: {}\n", note);
  return text;
}

std::string write_json(const isa::ImportReport& report) {
  JsonWriter json;
  json.begin_object().member("format", "warpipe-import").member("version", std::int64_t{1});
  json.member("entry", report.entry).member("instructions", report.instructions);
  json.member("calls_inlined", report.calls).member("slice", report.slice).member("executed", report.executed);
  json.member("groups_looked_at", report.survey.looked_at).member("kinds_by_arithmetic", report.survey.by_arithmetic);
  json.member("closed_passes", report.closed_iterations);
  if (report.sampled_iterations > 0) json.member("sampled_passes", report.sampled_iterations);
  json.member("registers", report.registers).member("registers_estimated", report.registers_estimated);
  write_counts(json, "removed", report.removed);
  json.member("moved_loads", report.moved_loads);
  write_texts(json, "left_out", report.skipped);
  if (!report.left_out.empty()) write_counts(json, "left_out_executions", report.left_out);
  write_counts(json, "executions", report.executions);
  write_counts(json, "issued", report.issued);
  const auto& sizes = report.sizes;
  json.key("counted_for").begin_object().member("sector_bytes", sizes.sector_bytes);
  json.member("line_bytes", sizes.line_bytes).member("banks", sizes.banks).member("bank_bytes", sizes.bank_bytes);
  json.end_object().key("accesses").begin_array();
  for (const auto& access : report.accesses) write_access(json, access, sizes);
  json.end_array().key("lanes_addresses").begin_object();
  for (const auto& [kind, share] : shares_of_addresses(report)) json.member(to_string(kind), share);
  json.end_object();
  write_control(json, report);
  if (!report.assumptions.empty()) write_assumptions(json, report);
  write_texts(json, "notes", report.notes);
  json.end_object();
  return json.text();
}

}  // namespace warpipe
