#include <array>
#include <map>

#include "space_reader.hpp"

/// The output of KTT, the Kernel Tuning Toolkit, for a tuning run.
/// @source KTT: Source/Output/JsonConverters.cpp

namespace warpipe {
namespace {

constexpr double kMostTime = 1e300;

std::string text_at(const std::optional<JsonNode>& node, const char* key) {
  const auto found = node ? node->find(key) : std::nullopt;
  return found ? found->string().value_or("") : "";
}

/// Seconds of the unit of times.
double seconds_of(const std::string& unit) {
  if (unit == "Nanoseconds") return 1e-9;
  if (unit == "Milliseconds") return 1e-3;
  return unit == "Seconds" ? 1 : 1e-6;
}

std::optional<isa::Dimensions> sizes_at(const JsonNode& node, const char* key) {
  const auto object = node.find(key);
  if (!object) return std::nullopt;
  isa::Dimensions sizes{1, 1, 1};
  for (std::size_t axis = 0; axis < sizes.size(); ++axis)
    if (const auto size = object->find(std::string(1, "XYZ"[axis]))) sizes[axis] = size->whole(1).value_or(1);
  return sizes;
}

}  // namespace

TriedRows read_ktt_output(const JsonNode& root, TuningSpace* space) {
  TriedRows tried;
  const auto metadata = root.find("Metadata");
  tried.device = text_at(metadata, "Device");
  const double unit = seconds_of(text_at(metadata, "TimeUnit"));
  const bool counts_threads = text_at(metadata, "GlobalSizeType") == "OpenCL";
  const auto results = root.require("Results");
  if (!results) return tried;
  for (const auto& result : results->elements()) {
    TriedRows::Row row;
    std::map<std::string, FormulaValue> values;
    if (const auto configuration = result.require("Configuration"))
      for (const auto& each : configuration->elements()) {
        const auto name = each.require("Name"), value = each.require("Value");
        if (!name || !value) continue;
        const auto called = name->string().value_or("");
        if (auto read = value_of(*value)) values[called] = *std::move(read);
        if (tried.rows.empty()) tried.names.push_back(called);
      }
    for (const auto& name : tried.names) row.values.push_back(values[name]);
    const auto status = text_at(result, "Status");
    if (!status.empty() && status != "Ok") row.time.failure = status;
    const auto runs = result.find("ComputationResults");
    const auto kernels = runs ? runs->elements() : std::vector<JsonNode>();
    if (kernels.size() > 1) runs->fail("a configuration must be of one kernel", "tune the kernels one by one");
    if (kernels.size() == 1) {
      const auto& run = kernels.front();
      row.block = sizes_at(run, "LocalSize");
      row.grid = sizes_at(run, "GlobalSize");
      if (counts_threads && row.block && row.grid)
        for (std::size_t axis = 0; axis < 3; ++axis)
          (*row.grid)[axis] = ((*row.grid)[axis] - 1) / (*row.block)[axis] + 1;
      if (space != nullptr && space->entry.empty()) space->entry = text_at(run, "KernelFunction");
      const auto duration = run.find("Duration");
      const auto time = duration ? duration->number(0, kMostTime) : std::nullopt;
      if (row.time.failure.empty() && time && *time > 0) row.time = {.seconds = *time * unit, .runs = 1, .failure = ""};
    }
    if (!row.time.seconds && row.time.failure.empty()) row.time.failure = "no time";
    tried.rows.push_back(std::move(row));
  }
  return tried;
}

}  // namespace warpipe
