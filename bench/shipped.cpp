#include "shipped.hpp"

#include "warpipe/idg/json_node.hpp"
#include "warpipe/kernels/read_kernel.hpp"

namespace warpipe {

Kernel shipped_kernel(const std::string& name) {
  const std::string file = WARPIPE_SOURCE_DIR "/kernels/data/" + name + ".json";
  return read_kernel_json(read_text_file(file), file);
}

Device shipped_device(const std::string& name) {
  const std::string file = WARPIPE_SOURCE_DIR "/latency_tables/data/" + name + ".json";
  return read_device_json(read_text_file(file), file);
}

}  // namespace warpipe
