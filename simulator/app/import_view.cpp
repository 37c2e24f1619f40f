#include "import_view.hpp"

#include <fmt/format.h>

#include <cmath>

namespace warpipe::app {
namespace {

/// Whole numbers without a point, others with one digit behind it.
std::string number(double value) {
  return std::floor(value) == value ? fmt::format("{:.0f}", value) : fmt::format("{:.1f}", value);
}

/// "4", or "3.7 (2 to 4)" where executions differ.
std::string spread(const ptx::Spread& of, double executions) {
  const auto mean = number(of.sum / executions);
  return of.least == of.most ? mean : fmt::format("{} ({} to {})", mean, of.least, of.most);
}

std::string access(const ptx::AccessReport& access) {
  const auto& found = access.statistics;
  const auto reached = access.space == ptx::StateSpace::Shared
                           ? fmt::format("conflict degree {}", spread(found.conflict_degree, found.executions))
                           : fmt::format("segments of 32 bytes {}, of 128 {}", spread(found.segments, found.executions),
                                         spread(found.lines, found.executions));
  return fmt::format("  line {:<6}{:<22}{:<18}{:>12} x  lanes {}, {}{}\n", access.line, access.source, access.op,
                     number(found.executions), spread(found.lanes, found.executions), reached,
                     found.sampled ? ", sampled" : "");
}

}  // namespace

std::string write_text(const ptx::ImportReport& report) {
  std::string text = fmt::format("{}: {} instructions, {} loops, {} calls inlined\n", report.entry, report.instructions,
                                 report.loops, report.calls);
  text += fmt::format("control and addresses need {} of them; executed {} for {} groups", report.slice, report.executed,
                      report.sampled_groups);
  text += report.closed_passes > 0 ? fmt::format(", {} passes of loops closed in form\n", report.closed_passes) : "\n";
  text += fmt::format("{} registers a thread{}\n", report.registers,
                      report.registers_estimated ? ", estimated from liveness" : "");
  text += "\nRemoved, by rule\n";
  for (const auto& [rule, count] : report.removed) text += fmt::format("  {:<28}{:>6}\n", rule, count);
  text += fmt::format("  {:<28}{:>6} loads moved\n", "early-loads", report.moved_loads);
  text += "\nExecuted by the warps of the launch, by class\n";
  for (const auto& [op, count] : report.executions) text += fmt::format("  {:<16}{:>18}\n", op, number(count));
  if (!report.accesses.empty()) text += "\nAccesses to memory\n";
  for (const auto& one : report.accesses) text += access(one);
  text += "\nGroups that behave alike\n";
  for (const auto& [group, count] : report.classes)
    text += fmt::format("  {} as group ({}, {}, {})\n", number(count), group[0], group[1], group[2]);
  for (const auto& note : report.notes) text += fmt::format("note: {}\n", note);
  return text;
}

}  // namespace warpipe::app
