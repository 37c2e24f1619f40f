#include "models.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "warpipe/kernels/read_kernel.hpp"

namespace warpipe {

using Json = nlohmann::ordered_json;

Kernel kernel_with(std::string_view items, const TestLaunch& launch) {
  const std::string text = fmt::format(
      R"({{"format": "warpipe-kernel", "version": 1, "name": "test",
           "launch": {{"group_size": {}, "groups": {}, "concurrent_groups": {}}}, "body": [{}]}})",
      32 * launch.warps, launch.groups, launch.concurrent_groups, items);
  return read_kernel_json(text, "test kernel");
}

Device device_with(const std::vector<TestOp>& ops, std::string_view patch) {
  auto device = Json::parse(R"({
    "format": "warpipe-device", "version": 1, "name": "test",
    "compute_units": 1, "clock_hz": 1e9, "warp_size": 32,
    "pipelines": {"a": {}, "b": {}, "c": {}, "control": {}},
    "ops": {"barrier": {"pipeline": "control", "issue": 0, "completion": 5, "kind": "barrier"}}
  })");
  for (const TestOp& op : ops) {
    Json row{{"pipeline", op.pipeline}, {"issue", op.issue}, {"completion", op.completion}};
    row.merge_patch(Json::parse(op.more));
    device["ops"][std::string(op.name)] = row;
  }
  device.merge_patch(Json::parse(patch));
  return read_device_json(device.dump(), "test device");
}

}  // namespace warpipe
