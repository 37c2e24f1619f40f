#include "shipped.hpp"

#include <algorithm>
#include <filesystem>

#include "warpipe/idg/json_node.hpp"
#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {

std::vector<std::string> shipped_kernels() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(WARPIPE_SOURCE_DIR "/kernels/data")) {
    names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

Kernel shipped_kernel(const std::string& name) {
  const std::string file = WARPIPE_SOURCE_DIR "/kernels/data/" + name + ".json";
  return read_kernel_json(read_text_file(file), file);
}

Device shipped_device(const std::string& name) {
  const std::string file = WARPIPE_SOURCE_DIR "/latency_tables/data/" + name + ".json";
  return read_device_json(read_text_file(file), file);
}

Program lowered(const Kernel& kernel, const Device& device, const LaunchOptions& options) {
  const Kernel changed_kernel = with_options(kernel, options);
  const Device changed_device = with_options(device, options);
  return lower(changed_kernel, changed_device, resolve_launch(changed_kernel, changed_device, options), options);
}

}  // namespace warpipe
