#include "warpipe/latency_tables/derive_device.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <ranges>
#include <string>
#include <utility>

#include "device_keys.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

[[noreturn]] void refuse(const char* field, std::string problem, std::string advice) {
  throw ModelError(Diagnostic{fmt::format("`{}`", field), std::move(problem), "", std::move(advice)});
}

// Facts

std::string level_path(std::string_view level, std::string_view key) {
  return fmt::format("memory/levels/{}/{}", level, key);
}

bool same_path(std::string_view a, std::string_view b) {
  if (a.starts_with('/')) a.remove_prefix(1);
  if (b.starts_with('/')) b.remove_prefix(1);
  return a == b;
}

/// The last value of a place in the facts.
const DeviceValue* value_at(const std::vector<Facts>& all, std::string_view path) {
  const DeviceValue* found = nullptr;
  for (const Facts& facts : all)
    for (const auto& [own, value] : facts.values)
      if (same_path(own, path)) found = &value;
  return found;
}

std::optional<double> number_said(const std::vector<Facts>& all, std::string_view path) {
  const DeviceValue* const value = value_at(all, path);
  const double* const number = value == nullptr ? nullptr : std::get_if<double>(value);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

/// The data sheet's facts without a source.
Facts facts_of_options(const DataSheet& sheet, const Device& base) {
  Facts given;
  given.source.reference = "given without a source";
  if (sheet.units) given.values.emplace_back("/compute_units", static_cast<double>(*sheet.units));
  if (sheet.clock) given.values.emplace_back("/clock_hz", sheet.clock->count);
  if (sheet.bandwidth)
    given.values.emplace_back(level_path(base.memory->levels.back().name, "pin_bytes_per_s"), sheet.bandwidth->count);
  if (sheet.l2_bytes) given.values.emplace_back(level_path("l2", "bytes"), static_cast<double>(*sheet.l2_bytes));
  return given;
}

/// To four digits, more than are known.
double rounded(double value) { return std::stod(fmt::format("{:.4g}", value)); }

double quoted_number(const Device& device, const std::string& place, const DataSheet& sheet) {
  if (const auto number = number_at(device, place)) return *number;
  throw InputError(Diagnostic{sheet.file,
                              fmt::format("{} has no number \"{}\" that could be quoted", device.name, place), "",
                              "quote a number that its file has"});
}

/// @param said  facts about the new device so far
/// @return      the facts with their quotes among the values
Facts in_figures(Facts facts, const std::vector<Facts>& said, const Device& base, const DataSheet& sheet,
                 const QuotedDevices& devices) {
  for (const auto& [place, quote] : std::exchange(facts.quotes, {})) {
    const Device other = devices(quote.device);
    double number = quoted_number(other, place, sheet);
    for (const std::string& scale : quote.by) {
      const auto own = number_said(said, scale);
      number *= (own ? *own : quoted_number(base, scale, sheet)) / quoted_number(other, scale, sheet);
    }
    if (!quote.by.empty()) number = rounded(number);
    if (quote.within)
      facts.source.intervals[place] = {rounded(quote.within->low * number), rounded(quote.within->high * number)};
    facts.values.emplace_back(place, number);
  }
  return facts;
}

/// All facts of the data sheet, as numbers.
std::vector<Facts> facts_of(const DataSheet& sheet, const Device& base, const QuotedDevices& devices) {
  std::vector<Facts> all;
  const Facts given = facts_of_options(sheet, base);
  for (const Facts& facts : sheet.facts) {
    std::vector<Facts> said = all;
    said.insert(said.end(), {facts, given});
    all.push_back(in_figures(facts, said, base, sheet, devices));
  }
  if (!given.values.empty()) all.push_back(given);
  return all;
}

// Facts derived from facts

struct Rate {
  const char* key;
  std::optional<BytesPerSecond> MemoryLevel::*field;
  double low, high;  ///< of its part of the pin rate, on nine of ten devices
};

/// The measured rates of streams, as parts of the pin rate.
/// @source latency_tables/data: 0.85 to 0.99 of the pin rate for reads, 0.91 to 0.98 for writes, 0.74 to 0.95 for both
///         together; widened, as there are five devices
constexpr std::array<Rate, 3> kRates{{{"read_bytes_per_s", &MemoryLevel::read_rate, 0.81, 0.99},
                                      {"write_bytes_per_s", &MemoryLevel::write_rate, 0.81, 0.99},
                                      {"mixed_bytes_per_s", &MemoryLevel::mixed_rate, 0.72, 0.97}}};

constexpr std::array<std::pair<const char*, std::optional<Hertz> MemoryLevel::*>, 2> kLineRates{
    {{"lines_per_s", &MemoryLevel::line_rate}, {"store_lines_per_s", &MemoryLevel::store_line_rate}}};

/// The rates of a level, times a factor.
Facts scaled_rates(const MemoryLevel& level, double factor) {
  Facts facts;
  for (const Rate& rate : kRates)
    if (const auto& own = level.*rate.field)
      facts.values.emplace_back(level_path(level.name, rate.key), rounded(own->count * factor));
  for (const auto& [key, field] : kLineRates)
    if (const auto& own = level.*field)
      facts.values.emplace_back(level_path(level.name, key), rounded(own->count * factor));
  return facts;
}

/// The memory reaches the same part of its pin rate.
std::optional<Facts> reached_rates(const Device& base, const std::vector<Facts>& given) {
  const MemoryLevel& memory = base.memory->levels.back();
  const auto pins = number_said(given, level_path(memory.name, "pin_bytes_per_s"));
  if (!pins) return std::nullopt;
  if (!memory.pin_rate || !memory.read_rate)
    refuse("bandwidth", fmt::format("the memory of {} has no rate, or none of its pins, to compare with", base.name),
           "give its last level \"read_bytes_per_s\" and \"pin_bytes_per_s\"");
  Facts facts = scaled_rates(memory, *pins / memory.pin_rate->count);
  facts.source.kind = SourceKind::Derived;
  facts.source.reference = fmt::format("the same part of the pin rate, {:.4g} GB/s, as on {}, {:.3g} for reads",
                                       *pins / 1e9, base.name, memory.read_rate->count / memory.pin_rate->count);
  for (const Rate& rate : kRates) {
    const std::string path = level_path(memory.name, rate.key);
    if (const auto reached = number_said({facts}, path))
      facts.source.intervals[path] = {std::min(*reached, rounded(rate.low * *pins)),
                                      std::max(*reached, rounded(rate.high * *pins))};
  }
  return facts;
}

/// The rate of L2 is in proportion to its bytes.
std::optional<Facts> l2_rates(const Device& base, const std::vector<Facts>& given) {
  const auto bytes = number_said(given, level_path("l2", "bytes"));
  if (!bytes) return std::nullopt;
  const auto l2 = std::ranges::find(base.memory->levels, "l2", &MemoryLevel::name);
  if (l2 == base.memory->levels.end() || !l2->bytes)
    refuse("l2_bytes", fmt::format("{} has no cache \"l2\"", base.name), "leave it out");
  Facts facts = scaled_rates(*l2, *bytes / static_cast<double>(*l2->bytes));
  facts.source.kind = SourceKind::Derived;
  facts.source.reference = fmt::format("that of {} by the bytes, {} / {}", base.name, *bytes, *l2->bytes);
  return facts;
}

/// The derived facts, and the facts: a later value of a place replaces an earlier one.
std::vector<Facts> with_derived(const Device& base, const std::vector<Facts>& given) {
  std::vector<Facts> all;
  for (const auto& facts : {reached_rates(base, given), l2_rates(base, given)})
    if (facts) all.push_back(*facts);
  all.insert(all.end(), given.begin(), given.end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::vector<Facts> later(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end());
    std::erase_if(all[i].values, [&](const auto& each) { return value_at(later, each.first) != nullptr; });
  }
  return all;
}

/// The clocks of pipelines fall to the same part as the device's clock.
void scale_pipeline_clocks(Device& device, const Device& base, const std::vector<Facts>& said) {
  for (Pipeline& pipeline : device.pipelines)
    if (pipeline.clock && !number_said(said, fmt::format("pipelines/{}/clock_hz", pipeline.name)))
      pipeline.clock->count = rounded(pipeline.clock->count * device.clock.count / base.clock.count);
}

// Sources

/// "per_conflict.issue" of "per_conflict/issue", "clock_hz" of "/clock_hz"
std::string dotted(std::string_view path) {
  if (path.starts_with('/')) path.remove_prefix(1);
  std::string key(path);
  std::ranges::replace(key, '/', '.');
  return key;
}

bool is_key_of_sources(const std::string& key) {
  const auto keys = detail::keys_of_sources();
  return std::ranges::find(keys, key) != keys.end();
}

/// The keys of `sources` with a number in the file.
std::vector<std::string> sourced_keys(const Device& device) {
  std::vector<std::string> keys;
  for (const std::string& path : device_paths(device))
    if (is_key_of_sources(dotted(path))) keys.push_back(dotted(path));
  return keys;
}

/// The rank of a kind by trust, the best first.
int weakness(SourceKind kind) {
  constexpr std::array kOrder{SourceKind::Measured, SourceKind::Documented, SourceKind::Published,
                              SourceKind::Fitted,   SourceKind::Simulator,  SourceKind::Derived,
                              SourceKind::Carried,  SourceKind::Estimated,  SourceKind::Given};
  return static_cast<int>(std::ranges::find(kOrder, kind) - kOrder.begin());
}

constexpr std::string_view kCarriedFrom = "carried over from ";  ///< in a reference, before the name of the device

/// A source carried over twice is marked once, and a given number stays given. Intervals are dropped, as they hold for
/// the device of origin.
Source carried_over(const std::optional<Source>& source, const std::string& from) {
  Source carried = source.value_or(Source{});
  carried.intervals.clear();
  carried.uncalibrated.clear();
  if (carried.kind == SourceKind::Carried || carried.kind == SourceKind::Given) return carried;
  if (!source)
    carried.reference = fmt::format("{}{}", kCarriedFrom, from);
  else
    carried.reference = fmt::format("{}{}: {} ({})", kCarriedFrom, from, source->reference, to_string(source->kind));
  carried.kind = SourceKind::Carried;
  return carried;
}

void append(std::string& text, const std::string& more) { text += (text.empty() ? "" : "; ") + more; }

/// Marks all sources as carried over.
void carry_over(Device& device, const Device& base) {
  for (MemoryLevel& level : device.memory->levels) level.source = carried_over(level.source, base.name);
  for (Op& op : device.ops) op.source = carried_over(op.source, base.name);
  for (Pipeline& pipeline : device.pipelines)
    if (pipeline.source) pipeline.source = carried_over(pipeline.source, base.name);
  device.sources.clear();
  for (const std::string& key : sourced_keys(base)) {
    const auto own = base.sources.find(key);
    const std::optional<Source> source = own == base.sources.end() ? std::nullopt : std::optional(own->second);
    device.sources.emplace(key, carried_over(source, base.name));
  }
}

/// The facts about a row of the table, or about a level.
struct RowFacts {
  std::string row;                                                        ///< "ops/ffma", "memory/levels/l2"
  std::vector<std::pair<std::vector<std::string>, const Source*>> given;  ///< the keys, and their source
};

/// The row of a path; empty for a value beside the rows.
std::string row_of(std::string_view path) {
  for (const std::string_view start : {"ops/", "memory/levels/", "pipelines/"})
    if (path.starts_with(start)) return std::string(path.substr(0, path.find('/', start.size())));
  return "";
}

std::vector<RowFacts> by_row(const std::vector<Facts>& all) {
  std::vector<RowFacts> rows;
  for (const Facts& facts : all)
    for (const auto& [path, value] : facts.values) {
      const std::string row = row_of(path);
      if (row.empty() || path.size() <= row.size()) continue;
      auto known = std::ranges::find(rows, row, &RowFacts::row);
      if (known == rows.end()) known = rows.insert(rows.end(), {row, {}});
      if (known->given.empty() || known->given.back().second != &facts.source)
        known->given.push_back({{}, &facts.source});
      known->given.back().first.push_back(path.substr(row.size() + 1));
    }
  return rows;
}

/// @param rest  the source of the other values of the row; none if there are none
Source source_of(const RowFacts& facts, const std::optional<Source>& rest) {
  Source source;
  source.kind = rest ? rest->kind : SourceKind::Measured;
  for (const auto& [keys, own] : facts.given) {
    const std::string names = fmt::format("{}", fmt::join(keys, ", "));
    if (weakness(own->kind) > weakness(source.kind)) source.kind = own->kind;
    append(source.reference, fmt::format("{} ({}): {}", names, to_string(own->kind), own->reference));
    if (!own->method.empty()) append(source.method, fmt::format("{}: {}", names, own->method));
    if (source.clock.empty()) source.clock = own->clock;
    for (const std::string& key : keys)
      if (const auto interval = own->intervals.find(fmt::format("{}/{}", facts.row, key));
          interval != own->intervals.end())
        source.intervals[dotted(key)] = interval->second;
  }
  if (!rest) return source;
  append(source.reference, "the rest " + rest->reference);
  if (!rest->method.empty()) append(source.method, "the rest as there: " + rest->method);
  return source;
}

/// Sets the sources of values outside rows and levels.
void put_sources_beside_rows(Device& device, const std::vector<Facts>& all) {
  for (const Facts& facts : all)
    for (const auto& [path, value] : facts.values) {
      const std::string key = dotted(path);
      if (!is_key_of_sources(key)) continue;
      Source source = facts.source;
      source.intervals.clear();
      if (const auto interval = facts.source.intervals.find(path); interval != facts.source.intervals.end())
        source.intervals[key] = interval->second;
      device.sources[key] = std::move(source);
    }
}

void put_sources(Device& device, const std::vector<Facts>& all) {
  put_sources_beside_rows(device, all);
  for (const RowFacts& facts : by_row(all)) {
    for (Op& op : device.ops)
      if (facts.row == "ops/" + op.name) op.source = source_of(facts, op.source);
    for (MemoryLevel& level : device.memory->levels)
      if (facts.row == "memory/levels/" + level.name) level.source = source_of(facts, level.source);
    for (Pipeline& pipeline : device.pipelines)
      if (facts.row == "pipelines/" + pipeline.name) pipeline.source = source_of(facts, pipeline.source);
  }
}

void take_away(Device& device, const std::vector<std::string>& lacking) {
  for (const std::string& name : lacking)
    if (std::erase_if(device.ops, [&](const Op& op) { return op.name == name; }) == 0)
      refuse("lacks", fmt::format("{} has no op \"{}\", so that nothing is to be taken away", device.name, name),
             "leave it out");
}

}  // namespace

Device derive_device(const Device& base, const DataSheet& sheet, const QuotedDevices& devices) {
  if (!has_levels(base))
    refuse("base",
           fmt::format("the memory of {} has no levels, so its latencies would change with the clock", base.name),
           "choose a device with \"levels\"");
  Device device = base;
  take_away(device, sheet.lacks);
  device.name = sheet.name;
  device.title = sheet.title.empty() ? fmt::format("{}, from its data sheet and the table of {}", sheet.name, base.name)
                                     : sheet.title;
  if (!sheet.architecture.empty()) device.architecture = sheet.architecture;
  carry_over(device, base);
  const std::vector<Facts> all = with_derived(base, facts_of(sheet, base, devices));
  std::vector<std::pair<std::string, DeviceValue>> values;
  for (const Facts& facts : all) values.insert(values.end(), facts.values.begin(), facts.values.end());
  if (!values.empty()) device = with_values(device, values, sheet.file.empty() ? sheet.name : sheet.file);
  scale_pipeline_clocks(device, base, all);
  put_sources(device, all);
  return device;
}

std::vector<std::string> devices_carried_from(const Device& device) {
  std::map<std::string, int> mentions;
  const auto count = [&](const Source& source) {
    const auto at = source.reference.find(kCarriedFrom);
    if (source.kind != SourceKind::Carried || at == std::string::npos) return;
    const auto name = source.reference.substr(at + kCarriedFrom.size());
    ++mentions[name.substr(0, name.find_first_of(":; "))];
  };
  for (const Op& op : device.ops)
    if (op.source) count(*op.source);
  if (device.memory)
    for (const MemoryLevel& level : device.memory->levels)
      if (level.source) count(*level.source);
  for (const auto& [key, source] : device.sources) count(source);
  std::vector<std::string> names;
  for (const auto& [name, times] : mentions) names.push_back(name);
  std::ranges::stable_sort(names, std::ranges::greater{}, [&](const std::string& name) { return mentions.at(name); });
  return names;
}

}  // namespace warpipe
