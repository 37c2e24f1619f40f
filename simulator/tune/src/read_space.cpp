#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "space_reader.hpp"
#include "warpipe/accuracy/csv.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/expression.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/idg/number.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kMostValues = 100'000;  ///< of a tunable

/// The forms of JSON.
enum class JsonForm { Own, TuningInput, TunerCache, KttOutput };

JsonForm form_of(const JsonNode& root, const std::string& file) {
  if (root.find("format")) return JsonForm::Own;
  if (root.find("ConfigurationSpace")) return JsonForm::TuningInput;
  if (root.find("tune_params_keys")) return JsonForm::TunerCache;
  if (root.find("Results")) return JsonForm::KttOutput;
  throw InputError(
      Diagnostic{file, "this is no space of configurations", "",
                 "give a file of format \"warpipe-space\", a T1 input or a cache of Kernel Tuner, or what KTT "
                 "writes"});
}

void require_tunables(const TuningSpace& space) {
  std::set<std::string> names;
  for (const auto& [name, values] : space.tunables) {
    if (!is_name(name) || !names.insert(name).second)
      throw InputError(Diagnostic{space.file, fmt::format("\"{}\" cannot be the name of a tunable", name), "",
                                  "give each a name of its own, of letters, digits and _"});
    if (values.empty() || values.size() > kMostValues)
      throw InputError(Diagnostic{space.file, fmt::format("\"{}\" has {} values", name, values.size()), "",
                                  fmt::format("give from 1 to {}", kMostValues)});
  }
  if (space.tunables.empty()) throw InputError(Diagnostic{space.file, "it has no tunables", "", "give at least one"});
}

/// Diagnoses names in formulas without a definition.
void require_names(const TuningSpace& space) {
  std::set<std::string> known;
  for (const auto& [name, value] : space.constants) known.insert(name);
  for (const auto& [name, values] : space.tunables) known.insert(name);
  Diagnostics problems;
  const auto check = [&](const std::string& where, const Formula& formula) {
    for (const auto& name : formula.names())
      if (!known.contains(name))
        problems.add(
            {fmt::format("{}: {}", space.file, where), fmt::format("\"{}\" is no tunable and no constant", name),
             fmt::format("in \"{}\"", formula.text()), suggest(name, std::vector(known.begin(), known.end()))});
  };
  for (const auto& one : space.restrictions) check("restrictions", one);
  for (const auto& one : space.block) check("block", one);
  for (const auto& one : space.grid) check("grid", one);
  for (const auto& [name, one] : space.macros) check("macros", one);
  for (const auto& [name, one] : space.arguments) check("arguments", one);
  if (space.dynamic_shared_memory) check("dynamic_shared_memory", *space.dynamic_shared_memory);
  problems.throw_if_any();
}

/// The unit of a column of times, in seconds; 0 for another column.
double unit_of(const std::string& column) {
  if (column == "ms" || column == "time_ms") return 1e-3;
  return column == "us" || column == "time_us" || column == "measured_us" ? 1e-6 : 0;
}

FormulaValue cell_value(const std::string& cell) {
  const auto number = parse_number(cell);
  if (!number) return cell;
  return is_whole(*number, -9007199254740992) ? FormulaValue(static_cast<std::int64_t>(*number))
                                              : FormulaValue(*number);
}

TriedRows read_table(const TextFile& file, const TuningSpace& space) {
  CsvProblems problems(file.name);
  const auto rows = read_csv(file.text, problems);
  problems.throw_if_any();
  const auto header = rows.empty() ? std::vector<std::string>() : rows.front().cells;
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(header, name) - header.begin());
  };
  TriedRows tried;
  std::vector<std::size_t> columns;
  for (const auto& [name, values] : space.tunables) {
    if (column(name) == header.size())
      throw InputError(Diagnostic{file.name, fmt::format("no column is called \"{}\", as a tunable is", name), "",
                                  suggest(name, header)});
    tried.names.push_back(name);
    columns.push_back(column(name));
  }
  const auto time = static_cast<std::size_t>(
      std::ranges::find_if(header, [](const auto& name) { return unit_of(name) > 0; }) - header.begin());
  if (time == header.size())
    throw InputError(
        Diagnostic{file.name, "no column is of times", "", "call it ms, us, time_ms, time_us or measured_us"});
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto& cells = rows[i].cells;
    const auto cell = [&](std::size_t at) { return at < cells.size() ? cells[at] : std::string(); };
    TriedRows::Row row;
    for (const auto at : columns) row.values.push_back(cell_value(cell(at)));
    if (column("device") < header.size()) row.device = cell(column("device"));
    const auto number = parse_number(cell(time));
    if (number && *number > 0)
      row.time = {.seconds = *number * unit_of(header[time]), .runs = 1, .failure = ""};
    else
      row.time.failure = cell(time).empty() ? "no time" : cell(time);
    tried.rows.push_back(std::move(row));
  }
  return tried;
}

/// The index of a value in a tunable's values.
std::optional<std::uint32_t> place_of(const Tunable& tunable, const FormulaValue& value) {
  const auto found = std::ranges::find(tunable.values, value);
  if (found == tunable.values.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - tunable.values.begin());
}

std::optional<std::vector<std::uint32_t>> places_of(const TriedRows& rows, const TriedRows::Row& row,
                                                    const TuningSpace& space) {
  std::vector<std::uint32_t> places;
  for (const auto& tunable : space.tunables) {
    const auto column = static_cast<std::size_t>(std::ranges::find(rows.names, tunable.name) - rows.names.begin());
    const auto place = place_of(tunable, row.values[column]);
    if (!place) return std::nullopt;
    places.push_back(*place);
  }
  return places;
}

/// Runs of the same configuration are merged, with their mean.
void add(const MeasuredTime& time, MeasuredTime& all) {
  all.failure = time.failure;
  if (!time.seconds) return;
  const auto before = static_cast<double>(all.runs), more = static_cast<double>(time.runs);
  all.seconds = (all.seconds.value_or(0) * before + *time.seconds * more) / (before + more);
  all.runs += time.runs;
}

}  // namespace

std::optional<FormulaValue> value_of(const JsonNode& node) {
  constexpr double kWhole = 9007199254740992, kMost = 1e308;
  if (node.is_string()) return node.string();
  if (!node.is_number()) {
    const auto flag = node.boolean();
    return flag ? std::optional(FormulaValue(std::int64_t{*flag})) : std::nullopt;
  }
  const auto number = node.number(-kMost, kMost);
  if (!number) return std::nullopt;
  const bool is_written_whole = node.shown().find_first_of(".eE") == std::string::npos;
  if (is_written_whole && is_whole(*number, -static_cast<std::int64_t>(kWhole)))
    return static_cast<std::int64_t>(*number);
  return *number;
}

std::optional<Formula> formula_of(const std::string& text, const JsonNode& node) {
  try {
    return Formula::parse(text);
  } catch (const InputError& error) {
    const auto& problem = error.diagnostics().front();
    node.fail(fmt::format("{}, {}", problem.problem, problem.found));
    return std::nullopt;
  }
}

std::optional<Formula> formula_of(const JsonNode& node) {
  const auto value = value_of(node);
  return value ? formula_of(to_string(*value), node) : std::nullopt;
}

std::vector<FormulaValue> values_of(const JsonNode& node) {
  std::vector<FormulaValue> values;
  if (node.is_array()) {
    for (const auto& each : node.elements())
      if (auto value = value_of(each)) values.push_back(*std::move(value));
    return values;
  }
  const auto formula = formula_of(node);
  if (!formula) return values;
  try {
    auto value = formula->evaluate({});
    return value.is_list() ? value.list() : std::vector{std::move(value)};
  } catch (const ModelError& error) {
    node.fail(fmt::format("{}, {}", error.diagnostics().front().problem, error.diagnostics().front().found));
    return values;
  }
}

Formula groups_that_hold(const std::string& size, const std::vector<std::string>& by) {
  return Formula::parse(by.empty() ? fmt::format("ceil({})", size)
                                   : fmt::format("ceil(({}) / (({})))", size, fmt::join(by, ") * (")));
}

void make_space_of(const TriedRows& rows, TuningSpace& space) {
  for (const auto& name : rows.names) space.tunables.push_back({name, {}});
  std::set<std::vector<std::uint32_t>> known;
  for (const auto& row : rows.rows) {
    Configuration configuration{{}, row.block, row.grid};
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      auto& tunable = space.tunables[i];
      if (!place_of(tunable, row.values[i])) tunable.values.push_back(row.values[i]);
      configuration.values.push_back(*place_of(tunable, row.values[i]));
    }
    if (known.insert(configuration.values).second) space.listed.push_back(std::move(configuration));
  }
  add_times(rows, space);
}

std::size_t add_times(const TriedRows& rows, TuningSpace& space) {
  for (const auto& tunable : space.tunables)
    if (std::ranges::find(rows.names, tunable.name) == rows.names.end())
      throw InputError(Diagnostic{space.file, fmt::format("the measured rows say nothing of \"{}\"", tunable.name), "",
                                  suggest(tunable.name, rows.names)});
  std::size_t others = 0;
  for (const auto& row : rows.rows) {
    const auto places = places_of(rows, row, space);
    if (!places) {
      ++others;
      continue;
    }
    const auto& device = rows.device.empty() ? row.device : rows.device;
    auto times = std::ranges::find(space.measured, device, &MeasuredTimes::device);
    if (times == space.measured.end()) times = space.measured.insert(times, {device, {}});
    add(row.time, times->by_values[*places]);
  }
  return others;
}

/// Refuses two rows of one configuration that differ in a tunable missing from the space.
void refuse_unlike_rows(const TriedRows& rows, const TuningSpace& space, const std::string& file) {
  std::vector<std::size_t> lacking;
  for (std::size_t i = 0; i < rows.names.size(); ++i)
    if (std::ranges::find(space.tunables, rows.names[i], &Tunable::name) == space.tunables.end()) lacking.push_back(i);
  if (lacking.empty()) return;
  std::map<std::vector<std::uint32_t>, const TriedRows::Row*> firsts;
  for (const auto& row : rows.rows) {
    const auto places = places_of(rows, row, space);
    if (!places) continue;
    const auto& first = *firsts.try_emplace(*places, &row).first->second;
    const auto unlike = std::ranges::find_if(lacking, [&](auto i) { return first.values[i] != row.values[i]; });
    if (unlike == lacking.end()) continue;
    const auto& name = rows.names[*unlike];
    throw InputError(Diagnostic{file,
                                fmt::format("rows of one configuration differ in \"{}\", which the space lacks", name),
                                "", fmt::format("give the space a tunable \"{}\"", name)});
  }
}

std::string closed(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  std::size_t last = 0;  // behind the last whole configuration
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      quoted = !quoted;
    else if (!quoted && text[i] == '{')
      ++depth;
    else if (!quoted && text[i] == '}' && --depth == 2)
      last = i + 1;
  }
  if (depth <= 0 || last == 0) return std::string(text);
  return std::string(text.substr(0, last)) + "}}";
}

TuningSpace read_space(const TextFile& file) {
  TuningSpace space;
  space.file = file.name;
  Diagnostics diagnostics;
  const JsonDocument document(closed(file.text), file.name, diagnostics);
  const auto root = document.root();
  switch (form_of(root, file.name)) {
    case JsonForm::Own:
      space.form = "warpipe's form";
      if (document.expect_format("warpipe-space", 1)) read_own_space(root, space);
      break;
    case JsonForm::TuningInput:
      space.form = "Kernel Tuner's T1 input";
      read_tuning_input(root, space);
      break;
    case JsonForm::TunerCache:
      space.form = "Kernel Tuner's cache";
      make_space_of(read_tuner_cache(root, &space), space);
      break;
    case JsonForm::KttOutput:
      space.form = "KTT's output";
      make_space_of(read_ktt_output(root, &space), space);
      break;
  }
  diagnostics.throw_if_any();
  require_tunables(space);
  require_names(space);
  if (!space.source.empty() && std::filesystem::path(space.source).is_relative())
    space.source = (std::filesystem::path(file.name).parent_path() / space.source).string();
  return space;
}

std::size_t add_measured(const TextFile& file, TuningSpace& space) {
  const auto first = file.text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == std::string::npos || file.text[first] != '{') return add_times(read_table(file, space), space);
  Diagnostics diagnostics;
  const JsonDocument document(closed(file.text), file.name, diagnostics);
  const auto root = document.root();
  const auto form = form_of(root, file.name);
  if (form == JsonForm::Own || form == JsonForm::TuningInput)
    throw InputError(
        Diagnostic{file.name, "it holds no times", "", "give a CSV, a cache of Kernel Tuner, or what KTT writes"});
  const auto rows = form == JsonForm::TunerCache ? read_tuner_cache(root, nullptr) : read_ktt_output(root, nullptr);
  diagnostics.throw_if_any();
  const auto others = add_times(rows, space);
  refuse_unlike_rows(rows, space, file.name);
  return others;
}

}  // namespace warpipe
