#include "files.hpp"
#include "support/folders.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "warpipe/kernels/read_kernel.hpp"

namespace warpipe::validation {
namespace {

const std::filesystem::path kKernels = in_sources("kernels/data");
const std::filesystem::path kDevices = in_sources("latency_tables/data");
const std::filesystem::path kReference = in_sources("bench/validation/reference");
const std::filesystem::path kValidation = in_sources("tests/validation");

std::vector<std::string> json_files(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> shipped_kernels() { return json_files(kKernels); }
std::vector<std::string> shipped_devices() { return json_files(kDevices); }

bool is_derived(const std::string& device) {
  return std::filesystem::exists(kDevices.parent_path() / "data_sheets" / (device + ".json"));
}

Kernel shipped_kernel(const std::string& name) {
  const auto path = kKernels / (name + ".json");
  return read_kernel_json(read_text(path), path.string());
}

Device shipped_device(const std::string& name) {
  const auto path = kDevices / (name + ".json");
  return read_device_json(read_text(path), path.string());
}

std::filesystem::path reference_file(const std::string& name) { return kReference / name; }
std::filesystem::path validation_file(const std::string& name) { return kValidation / name; }

}  // namespace warpipe::validation
