#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/folders.hpp"
#include "warpipe/accuracy/accuracy.hpp"
#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/latency_tables/device.hpp"

/// probes.json, and its rows on a device of the model.
namespace measure {

inline const std::filesystem::path kSuite = warpipe::in_sources("bench/device");

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The entry of probes.json of each name, in the order of the file; twice the same name where a run gives two rows.
inline std::vector<std::pair<std::string, nlohmann::json>> listed_probes() {
  std::vector<std::pair<std::string, nlohmann::json>> probes;
  const auto list = nlohmann::json::parse(text_of(kSuite / "probes.json"));
  for (const auto& probe : list.at("probes")) probes.emplace_back(probe.at("name"), probe);
  return probes;
}

/// A kernel of the suite, or else a shipped kernel.
inline warpipe::Kernel kernel_of(const std::string& name) {
  const std::string file = name + ".json";
  const auto own = kSuite / "kernels" / file;
  const auto path = std::filesystem::exists(own) ? own : kSuite / "../../kernels/data" / file;
  return warpipe::read_kernel_json(text_of(path), file);
}

inline warpipe::Device table(const std::string& name) {
  return warpipe::read_device_json(text_of(kSuite / "../../latency_tables/data" / (name + ".json")), name);
}

/// The launch of a probe on a device; numbers left by the list to the suite (lengths, footprints) come from the kernel.
/// @param most_waves  upper bound, for a short launch
inline warpipe::Measurement row_on(const warpipe::Device& device, const nlohmann::json& probe,
                                   std::int64_t most_waves = 1500) {
  const nlohmann::json& launch = probe.at("launch");
  const std::int64_t warp = device.warp_size;
  const std::map<std::string, std::int64_t> sizes = {
      {"warp", warp}, {"4 warps", 4 * warp}, {"largest", 1024}, {"any", 1024}};
  const nlohmann::json& size = launch.at("group_size");
  warpipe::Measurement row;
  row.kernel = probe.at("kernel");
  row.quantity = probe.at("quantity") == "time" ? warpipe::Quantity::TimeUs : warpipe::Quantity::Cycles;
  row.includes_overhead = probe.value("includes_overhead", false);
  row.fits = probe.at("fits").get<std::vector<std::string>>();
  row.value = 1;
  row.options.group_size = size.is_number() ? size.get<std::int64_t>() : sizes.at(size);
  const auto by_warps = *device.limits.warps_per_unit * warp / *row.options.group_size;
  const auto most = std::min(by_warps, device.limits.groups_per_unit.value_or(by_warps));
  const nlohmann::json& concurrent = launch.at("concurrent_groups");
  row.options.concurrent_groups = concurrent == "most" ? most : 1;
  const std::string groups = launch.at("groups");
  const bool in_waves = groups.find("wave") != std::string::npos;
  const auto count = in_waves ? std::min<std::int64_t>(std::stoll(groups), most_waves) : std::stoll(groups);
  row.options.groups = in_waves ? count * device.compute_units * *row.options.concurrent_groups : count;
  const nlohmann::json parameters = launch.value("parameters", nlohmann::json::object());
  for (const auto& [parameter, value] : parameters.items()) row.options.parameters[parameter] = value;
  return row;
}

}  // namespace measure
