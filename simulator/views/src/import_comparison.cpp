#include "warpipe/views/import_comparison.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "warpipe/views/text_table.hpp"

namespace warpipe {
namespace {

using isa::ImportReport;

std::string ratio(double first, double second) {
  return first == 0 ? (second == 0 ? "" : "only there") : fmt::format("{:.3f}", second / first);
}

void add_row(TextTable& table, const std::string& name, double first, double second) {
  table.add({name, fmt::format("{:.0f}", first), fmt::format("{:.0f}", second), ratio(first, second)});
}

double total(const std::map<std::string, double>& counts) {
  double sum = 0;
  for (const auto& [name, count] : counts) sum += count;
  return sum;
}

double count_of(const std::map<std::string, double>& counts, const std::string& name) {
  const auto found = counts.find(name);
  return found == counts.end() ? 0 : found->second;
}

TextTable four_columns() {
  return TextTable({{"", TextTable::Align::Left}, {"first"}, {"second"}, {"second / first"}});
}

std::string issued_text(const ImportReport& first, const ImportReport& second) {
  std::set<std::string> ops;
  for (const auto* report : {&first, &second})
    for (const auto& [op, count] : report->issued) ops.insert(op);
  auto table = four_columns();
  for (const auto& op : ops) add_row(table, op, count_of(first.issued, op), count_of(second.issued, op));
  add_row(table, "all", total(first.issued), total(second.issued));
  return "\nWarp instructions that issue, by op\n" + table.text(2);
}

/// The segments reached by the accesses of a source line and op.
struct Reached {
  double executions = 0, segments = 0;
};
using ReachedBy = std::map<std::pair<std::string, std::string>, Reached>;  ///< source line, op

ReachedBy reached_by(const ImportReport& report) {
  ReachedBy made;
  for (const auto& access : report.accesses) {
    auto& one = made[{access.source.empty() ? "?" : access.source, access.op}];
    one.executions += access.statistics.executions;
    one.segments += access.statistics.segments.sum;
  }
  return made;
}

std::string accesses_text(const ImportReport& first, const ImportReport& second) {
  const auto before = reached_by(first), after = reached_by(second);
  auto all = before;
  all.insert(after.begin(), after.end());
  auto executions = four_columns(), segments = four_columns();
  for (const auto& one : all) {
    const auto& place = one.first;
    const auto find = [&](const ReachedBy& in) { return in.contains(place) ? in.at(place) : Reached{}; };
    const auto name = place.first + " " + place.second;
    add_row(executions, name, find(before).executions, find(after).executions);
    add_row(segments, name, find(before).segments, find(after).segments);
  }
  if (all.empty()) return {};
  return "\nMemory accesses by source line, executions of warps\n" + executions.text(2) +
         "\nSegments of 32 bytes that they reach\n" + segments.text(2);
}

std::string registers_text(const ImportReport& report) {
  return fmt::format("{}{}", report.registers, report.registers_estimated ? " (estimated)" : "");
}

std::string notes_text(const char* which, const ImportReport& report) {
  std::string text;
  for (const auto& note : report.notes) text += fmt::format("{}: {}\n", which, note);
  for (const auto& one : report.skipped) text += fmt::format("{}: left out: {}\n", which, one);
  return text;
}

}  // namespace

std::string write_text(const ImportComparison& comparison) {
  const auto& [first, second] = comparison;
  auto text = fmt::format("first   {}, entry {}\nsecond  {}, entry {}\n", first.name, first.report.entry, second.name,
                          second.report.entry);
  text += fmt::format("registers per thread  {}, {}\n", registers_text(first.report), registers_text(second.report));
  text += issued_text(first.report, second.report) + accesses_text(first.report, second.report);
  const auto notes = notes_text("first", first.report) + notes_text("second", second.report);
  return text + (notes.empty() ? "" : "\n" + notes);
}

}  // namespace warpipe
