#include "warpipe/views/memory_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "warpipe/views/numbers.hpp"
#include "warpipe/views/text_table.hpp"

namespace warpipe {
namespace {

constexpr double kAboutCompulsory = 1.05;  // times the compulsory bytes, not called more
constexpr double kWideSpread = 0.03;       // of executions

using Align = TextTable::Align;

/// Bytes touched by the launch, and bytes of the last cache, 0 where there is none.
struct Footprint {
  double touched = 0, held = 0;
};

Footprint footprint_of(const MemoryTraffic& traffic) {
  Footprint footprint;
  for (const AccessTraffic& access : traffic.accesses) footprint.touched += access.compulsory_bytes.value_or(0);
  if (traffic.levels.size() > 1) footprint.held = traffic.levels[traffic.levels.size() - 2].bytes;
  return footprint;
}

/// Of an access with known addresses.
std::string why_it_misses(const MemoryTraffic& traffic, const AccessTraffic& access) {
  const double moved = access.levels.back().bytes, compulsory = access.compulsory_bytes.value_or(0);
  if (moved == 0) return "stays in caches";
  if (moved <= kAboutCompulsory * compulsory) return "compulsory";
  const Footprint footprint = footprint_of(traffic);
  const std::string times =
      compulsory > 0 ? fmt::format("{:.3g} x compulsory", moved / compulsory) : std::string("not compulsory");
  if (footprint.held == 0) return times;
  const std::string& cache = traffic.levels[traffic.levels.size() - 2].name;
  if (footprint.touched > footprint.held || compulsory == 0) return fmt::format("{}: capacity of {}", times, cache);
  return fmt::format("{}: conflicts or sharing in {}", times, cache);
}

/// The level of most executions.
const std::string& main_level(const MemoryTraffic& traffic, const AccessTraffic& access) {
  const auto most = std::ranges::max_element(access.levels, {}, &LevelTraffic::share);
  return traffic.levels[static_cast<std::size_t>(most - access.levels.begin())].name;
}

std::string capacities(const MemoryTraffic& traffic) {
  const Footprint footprint = footprint_of(traffic);
  if (footprint.touched == 0) return {};
  std::vector<std::string> holds;
  for (const MemoryTraffic::Level& level : traffic.levels)
    if (level.bytes > 0) holds.push_back(fmt::format("{} holds {}", level.name, show_bytes(level.bytes)));
  return fmt::format("  The accesses with addresses touch {}; {}.\n", show_bytes(footprint.touched),
                     fmt::join(holds, ", "));
}

/// The cells of a table, in the order of its columns.
class MemoryTable {
 public:
  explicit MemoryTable(const MemoryTraffic& traffic) : traffic_(traffic), table_(columns_of(traffic)) {}

  void add(const AccessTraffic& access) {
    std::vector<std::string> cells{"  " + access.id, fmt::format("{:.0f}", access.executions)};
    for (const LevelTraffic& level : access.levels) cells.push_back(show_percent(level.share));
    for (std::size_t k = 0; k < access.levels.size(); ++k)
      if (!traffic_.levels[k].is_of_unit) cells.push_back(show_bytes(access.levels[k].bytes));
    cells.push_back(access.compulsory_bytes ? show_bytes(*access.compulsory_bytes) : "");
    cells.push_back(why_moved(traffic_, access));
    cells.push_back(access.text);
    table_.add(std::move(cells));
  }

  void add_sums() {
    double executions = 0;
    for (const AccessTraffic& access : traffic_.accesses) executions += access.executions;
    std::vector<std::string> cells{"  all", fmt::format("{:.0f}", executions)};
    cells.resize(2 + traffic_.levels.size());
    for (std::size_t k = 0; k < traffic_.levels.size(); ++k)
      if (!traffic_.levels[k].is_of_unit) cells.push_back(show_bytes(bytes_at(traffic_, k)));
    const double touched = footprint_of(traffic_).touched;
    cells.push_back(touched > 0 ? show_bytes(touched) : "");
    cells.resize(cells.size() + 2);
    table_.add(std::move(cells));
  }

  std::string text() const { return table_.text(); }

 private:
  static std::vector<TextTable::Column> columns_of(const MemoryTraffic& traffic) {
    const auto has_text = [](const AccessTraffic& access) { return !access.text.empty(); };
    std::vector<TextTable::Column> columns{{"Memory", Align::Left}, {"executions"}};
    for (const MemoryTraffic::Level& level : traffic.levels) columns.push_back({level.name});
    for (const MemoryTraffic::Level& level : traffic.levels)
      if (!level.is_of_unit) columns.push_back({level.name + " moves"});
    columns.push_back({"compulsory"});
    columns.push_back({"why", Align::Left});
    columns.push_back({std::ranges::any_of(traffic.accesses, has_text) ? "text" : "", Align::Left});
    return columns;
  }

  const MemoryTraffic& traffic_;
  TextTable table_;
};

}  // namespace

std::string why_moved(const MemoryTraffic& traffic, const AccessTraffic& access) {
  if (access.known == LevelsKnown::Assumed)
    return fmt::format("no address: taken as served by {}", main_level(traffic, access));
  if (access.known == LevelsKnown::Given) return "given by the kernel";
  std::string why = why_it_misses(traffic, access);
  if (access.known == LevelsKnown::FromSamples) why += "; from samples";
  if (access.spread > kWideSpread) why += fmt::format("; orders of warps differ by {:.0f} points", 100 * access.spread);
  return why;
}

std::string write_text(const MemoryTraffic& traffic) {
  if (traffic.levels.empty()) return "Memory: the device has no levels.\n";
  if (traffic.accesses.empty()) return "Memory: nothing accesses global memory.\n";
  MemoryTable table(traffic);
  for (const AccessTraffic& access : traffic.accesses) table.add(access);
  if (traffic.accesses.size() > 1) table.add_sums();
  std::string text = table.text() + capacities(traffic);
  for (const std::string& note : traffic.notes) text += "  " + note + "\n";
  return text;
}

}  // namespace warpipe
