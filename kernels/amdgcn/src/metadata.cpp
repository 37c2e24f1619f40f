#include "metadata.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "warpipe/idg/error.hpp"

namespace warpipe::amdgcn {
namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 31;

class MetadataReader {
 public:
  explicit MetadataReader(const std::string& file) : file_(file) {}

  void read(const nlohmann::json& of_kernel, KernelText& kernel) const {
    auto& made = kernel.metadata;
    made.present = true;
    for (const auto& argument : list(of_kernel, ".args")) made.arguments.push_back(read_argument(argument));
    std::ranges::stable_sort(made.arguments, {}, &KernelArgument::offset);
    made.required_block = dimensions(of_kernel, ".reqd_workgroup_size");
    made.most_threads = number(of_kernel, ".max_flat_workgroup_size");
    made.vector_registers = number(of_kernel, ".vgpr_count");
    made.accumulation_registers = number(of_kernel, ".agpr_count");
    made.scalar_registers = number(of_kernel, ".sgpr_count");
    made.shared_bytes = number(of_kernel, ".group_segment_fixed_size").value_or(made.shared_bytes);
    made.scratch_bytes = number(of_kernel, ".private_segment_fixed_size").value_or(made.scratch_bytes);
    made.lanes = number(of_kernel, ".wavefront_size");
  }

  std::string name_of(const nlohmann::json& of_kernel) const {
    auto name = text(of_kernel, ".symbol");
    if (name.ends_with(".kd")) name.resize(name.size() - 3);
    return name.empty() ? text(of_kernel, ".name") : name;
  }

  nlohmann::json list(const nlohmann::json& object, const char* key) const {
    if (!object.is_object() || !object.contains(key) || object[key].is_null()) return nlohmann::json::array();
    if (!object[key].is_array()) fail(key, "is a list");
    return object[key];
  }

 private:
  [[noreturn]] void fail(const std::string& key, const std::string& rule) const {
    throw InputError(Diagnostic{file_, fmt::format("metadata: {} {}", key, rule), "", ""});
  }

  std::optional<std::int64_t> number(const nlohmann::json& object, const char* key) const {
    if (!object.is_object() || !object.contains(key)) return std::nullopt;
    if (!object[key].is_number_integer()) fail(key, "is a whole number");
    const auto found = object[key].get<std::int64_t>();
    if (found < 0 || found > kMostBytes) fail(key, "lies between 0 and 2^31");
    return found;
  }

  static std::string text(const nlohmann::json& object, const char* key) {
    if (!object.is_object() || !object.contains(key) || !object[key].is_string()) return {};
    return object[key].get<std::string>();
  }

  std::optional<isa::Dimensions> dimensions(const nlohmann::json& object, const char* key) const {
    const auto sizes = list(object, key);
    if (sizes.size() != 3) return std::nullopt;
    isa::Dimensions made{};
    for (std::size_t i = 0; i < 3; ++i) {
      if (!sizes[i].is_number_integer() || sizes[i].get<std::int64_t>() < 1 || sizes[i].get<std::int64_t>() > 1024)
        fail(key, "has three sizes of 1 to 1024");
      made[i] = sizes[i].get<std::int64_t>();
    }
    return made;
  }

  KernelArgument read_argument(const nlohmann::json& argument) const {
    KernelArgument made;
    made.name = text(argument, ".name");
    made.type = text(argument, ".type_name");
    made.kind = text(argument, ".value_kind");
    made.offset = number(argument, ".offset").value_or(0);
    made.bytes = number(argument, ".size").value_or(0);
    return made;
  }

  const std::string& file_;
};

}  // namespace

void add_metadata(std::vector<KernelText>& kernels, const nlohmann::json& metadata, const std::string& file) {
  const MetadataReader reader(file);
  for (const auto& of_kernel : reader.list(metadata, "amdhsa.kernels")) {
    const auto found = std::ranges::find(kernels, reader.name_of(of_kernel), &KernelText::symbol);
    if (found != kernels.end() && !found->metadata.present) reader.read(of_kernel, *found);
  }
}

std::string target_of_triple(const std::string& triple) {
  const auto first = triple.rfind("gfx");
  if (first == std::string::npos) return {};
  auto last = first;
  while (last < triple.size() && std::isalnum(static_cast<unsigned char>(triple[last])) != 0) ++last;
  return triple.substr(first, last - first);
}

std::string target_of(const nlohmann::json& metadata) {
  if (!metadata.is_object() || !metadata.contains("amdhsa.target") || !metadata["amdhsa.target"].is_string()) return {};
  return target_of_triple(metadata["amdhsa.target"].get<std::string>());
}

}  // namespace warpipe::amdgcn
