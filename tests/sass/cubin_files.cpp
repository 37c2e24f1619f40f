#include "cubin_files.hpp"
#include "support/folders.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "warpipe/idg/json_node.hpp"
#include "warpipe/sass/read_cubin.hpp"

namespace warpipe::test {

const std::vector<std::string>& architectures() {
  static const std::vector<std::string> kAll{"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_103", "sm_120"};
  return kAll;
}

std::string cubin_bytes(const std::string& architecture, const std::string& file) {
  return read_text_file(in_sources("kernels/cuda/cubins/") + architecture + "/" + file + ".cubin");
}

const sass::Module& cubin(const std::string& architecture, const std::string& file) {
  static std::map<std::string, std::unique_ptr<sass::Module>> read;
  auto& module = read[architecture + "/" + file];
  if (!module)
    module = std::make_unique<sass::Module>(sass::read_cubin(cubin_bytes(architecture, file), file + ".cubin"));
  return *module;
}

std::vector<std::string> cubin_names(const std::string& architecture) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(in_sources("kernels/cuda/cubins/") + architecture))
    names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace warpipe::test
