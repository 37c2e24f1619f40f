#include "warpipe/views/source_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <optional>

#include "warpipe/idg/json_writer.hpp"
#include "warpipe/predict/line_uses.hpp"
#include "warpipe/views/numbers.hpp"

namespace warpipe {
namespace {

using Align = TextTable::Align;

constexpr std::size_t kLinesAround = 2;    // lines
constexpr std::size_t kMostPipelines = 5;  // the busiest
constexpr double kShownPart = 0.0005;      // as one decimal shows a percentage

/// "transpose.cu:17"
struct Place {
  std::string file;
  std::size_t line = 0;
  auto operator<=>(const Place&) const = default;
};

std::optional<Place> place_in_file(const std::string& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  Place place{text.substr(0, colon), 0};
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + colon + 1, end, place.line);
  return read.ec == std::errc() && read.ptr == end ? std::optional(place) : std::nullopt;
}

class SourceRows {
 public:
  SourceRows(const LoweredLaunch& launch, const Outcome& outcome, const std::vector<SourceText>& sources)
      : launch_(launch), outcome_(outcome), sources_(sources), uses_(line_uses(launch, outcome.prediction)) {
    for (const auto& pipeline : outcome.prediction.pipelines)
      if (pipeline.utilization >= kShownPart) pipelines_.push_back(&pipeline);
    std::ranges::stable_sort(pipelines_, std::ranges::greater{}, &PipelineUse::utilization);
    pipelines_.resize(std::min(pipelines_.size(), kMostPipelines));
    std::map<std::string, std::size_t> index_of;  // by id
    const auto& instructions = launch.kernel.instructions;
    for (std::size_t i = 0; i < instructions.size(); ++i) index_of.emplace(instructions[i].id, i);
    times_.resize(instructions.size());
    for (const auto& one : outcome.explanation.instructions) times_[index_of.at(one.id)] = sum(one.times);
    accesses_.resize(instructions.size());
    for (const auto& one : outcome.prediction.memory.accesses) accesses_[index_of.at(one.id)] = &one;
    busy_.resize(launch.device.pipelines.size());
    for (const auto& use : uses_)
      for (std::size_t i = 0; i < busy_.size(); ++i) busy_[i] += use.busy[i];
    has_conflicts_ = std::ranges::any_of(uses_, [](const LineUse& use) { return use.ways > 1; });
    has_sectors_ =
        std::ranges::any_of(uses_, [](const LineUse& use) { return use.loaded_of_sector || use.stored_of_sector; });
  }

  TextTable table() const {
    std::vector<TextTable::Column> columns{{"Source", Align::Left}, {"share"}, {"runs"}};
    if (has_sectors_) columns.insert(columns.end(), {{"sectors"}, {"served by", Align::Left}});
    if (has_conflicts_) columns.push_back({"conflicts"});
    for (const auto* pipeline : pipelines_) columns.push_back({pipeline->name});
    columns.push_back({"text", Align::Left});
    TextTable table(columns);
    for (const auto& [place, use] : with_context(lines())) {
      if (use != nullptr) {
        table.add(cells(*use, text_at(place).value_or(heaviest_text(*use))));
        continue;
      }
      std::vector<std::string> row(columns.size());
      row.front() = fmt::format("{}:{}", place.file, place.line);
      row.back() = *text_at(place);
      table.add(std::move(row));
    }
    for (const auto& use : uses_)
      if (!place_in_file(use.place)) table.add(cells(use, heaviest_text(use)));
    return table;
  }

  /// In the order of the table, without lines without executions.
  std::string json() const {
    JsonWriter json(JsonWriter::Layout::Indented, 1);
    json.begin_array();
    for (const auto& [place, use] : lines()) write(json, *use, text_at(place).value_or(heaviest_text(*use)));
    for (const auto& use : uses_)
      if (!place_in_file(use.place)) write(json, use, heaviest_text(use));
    return json.end_array().value_text();
  }

 private:
  std::map<Place, const LineUse*> lines() const {
    std::map<Place, const LineUse*> lines;
    for (const auto& use : uses_)
      if (const auto place = place_in_file(use.place)) lines.emplace(*place, &use);
    return lines;
  }

  std::optional<std::string> text_at(const Place& place) const {
    const auto file = std::ranges::find(sources_, place.file, &SourceText::name);
    if (file == sources_.end() || place.line == 0 || place.line > file->lines.size()) return std::nullopt;
    return file->lines[place.line - 1];
  }

  /// Null: a line without instructions.
  std::map<Place, const LineUse*> with_context(std::map<Place, const LineUse*> lines) const {
    auto all = lines;
    for (const auto& [place, use] : lines)
      for (std::size_t line = place.line - std::min(place.line - 1, kLinesAround); line <= place.line + kLinesAround;
           ++line)
        if (const Place near{place.file, line}; text_at(near)) all.emplace(near, nullptr);
    return all;
  }

  /// The text of the instruction with the most time, without the line in front.
  std::string heaviest_text(const LineUse& use) const {
    const auto heaviest =
        *std::ranges::max_element(use.instructions, {}, [&](std::size_t each) { return times_[each]; });
    const auto& text = launch_.kernel.instructions[heaviest].text;
    return text.starts_with(use.place + ": ") ? text.substr(use.place.size() + 2) : text;
  }

  /// The levels with awaited answers, each with its share of the executions; empty where nothing is accessed.
  std::vector<std::pair<std::string, double>> levels(const LineUse& use) const {
    const auto& memory = outcome_.prediction.memory;
    std::vector<double> shares(memory.levels.size());
    double executions = 0;
    for (const auto each : use.instructions) {
      const auto* const access = accesses_[each];
      if (access == nullptr) continue;
      executions += access->executions;
      for (std::size_t i = 0; i < shares.size(); ++i) shares[i] += access->executions * access->levels[i].share;
    }
    std::vector<std::pair<std::string, double>> found;
    for (std::size_t i = 0; i < shares.size(); ++i)
      if (executions > 0 && shares[i] > 0) found.emplace_back(memory.levels[i].name, shares[i] / executions);
    return found;
  }

  std::string served_by(const LineUse& use) const {
    std::vector<std::string> shown;
    for (const auto& [level, part] : levels(use))
      if (part >= kShownPart) shown.push_back(fmt::format("{} {}", level, show_percent(part)));
    return fmt::format("{}", fmt::join(shown, ", "));
  }

  /// "4 of 32 bytes", "loads 32, stores 4 of 32 bytes"
  std::string sectors(const LineUse& use) const {
    if (!use.loaded_of_sector && !use.stored_of_sector) return {};
    const auto show = [](const std::optional<double>& bytes) { return bytes ? fmt::format("{:.2g}", *bytes) : ""; };
    const auto loads = show(use.loaded_of_sector), stores = show(use.stored_of_sector);
    const bool differ = !loads.empty() && !stores.empty() && loads != stores;
    const auto used = differ ? fmt::format("loads {}, stores {}", loads, stores) : loads.empty() ? stores : loads;
    return fmt::format("{} of {} bytes", used, launch_.device.memory->transaction_bytes);
  }

  /// The part of the run for which the line keeps a pipeline busy.
  double pressure(const LineUse& use, const PipelineUse& pipeline) const {
    const auto& all = launch_.device.pipelines;
    const auto place = static_cast<std::size_t>(std::ranges::find(all, pipeline.name, &Pipeline::name) - all.begin());
    return busy_[place] > 0 ? pipeline.utilization * use.busy[place] / busy_[place] : 0;
  }

  Ticks time(const LineUse& use) const {
    Ticks time;
    for (const auto each : use.instructions) time = checked_add(time, times_[each]);
    return time;
  }

  void write(JsonWriter& json, const LineUse& use, const std::string& text) const {
    json.begin_object().member("place", use.place);
    if (!text.empty()) json.member("text", text);
    json.key("instructions").begin_array();
    for (const auto each : use.instructions) json.value(launch_.kernel.instructions[each].id);
    json.end_array().member("executions", use.executions).member("cycles", time(use));
    json.member("share", share(time(use), outcome_.explanation.total));
    if (use.loaded_of_sector || use.stored_of_sector) {
      json.key("sectors").begin_object().member("bytes", launch_.device.memory->transaction_bytes);
      if (use.loaded_of_sector) json.member("loaded", *use.loaded_of_sector);
      if (use.stored_of_sector) json.member("stored", *use.stored_of_sector);
      json.end_object();
    }
    const auto write_parts = [&](std::string_view key, const std::vector<std::pair<std::string, double>>& parts) {
      json.key(key).begin_array();
      for (const auto& [name, part] : parts)
        json.begin_object().member("name", name).member("share", part).end_object();
      json.end_array();
    };
    write_parts("served_by", levels(use));
    if (use.ways > 1) json.member("conflict_ways", use.ways);
    std::vector<std::pair<std::string, double>> busy;
    for (const auto& pipeline : outcome_.prediction.pipelines)
      if (const double part = pressure(use, pipeline); part > 0) busy.emplace_back(pipeline.name, part);
    write_parts("pipelines", busy);
    json.end_object();
  }

  std::vector<std::string> cells(const LineUse& use, std::string text) const {
    std::vector<std::string> row{use.place, show_percent(share(time(use), outcome_.explanation.total)),
                                 fmt::format("{:.0f}", use.executions)};
    if (has_sectors_) {
      row.push_back(sectors(use));
      row.push_back(served_by(use));
    }
    if (has_conflicts_) row.push_back(use.ways > 1 ? fmt::format("{:.3g} ways", use.ways) : "");
    for (const auto* pipeline : pipelines_) {
      const double part = pressure(use, *pipeline);
      row.push_back(part < kShownPart ? std::string() : show_percent(part));
    }
    row.push_back(std::move(text));
    return row;
  }

  const LoweredLaunch& launch_;
  const Outcome& outcome_;
  const std::vector<SourceText>& sources_;
  std::vector<LineUse> uses_;
  std::vector<Ticks> times_;                    ///< by instruction of the kernel
  std::vector<const AccessTraffic*> accesses_;  ///< likewise; null: no access
  std::vector<double> busy_;                    ///< cycles of each pipeline, of all lines
  std::vector<const PipelineUse*> pipelines_;
  bool has_conflicts_ = false, has_sectors_ = false;
};

}  // namespace

TextTable source_table(const LoweredLaunch& launch, const Outcome& outcome, const std::vector<SourceText>& sources) {
  return SourceRows(launch, outcome, sources).table();
}

std::string source_json(const LoweredLaunch& launch, const Outcome& outcome, const std::vector<SourceText>& sources) {
  return SourceRows(launch, outcome, sources).json();
}

}  // namespace warpipe
