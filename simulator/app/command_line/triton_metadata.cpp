#include "command_line/triton_metadata.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/inputs/places.hpp"

namespace warpipe::app {
namespace {

namespace fs = std::filesystem;

/// The content of a file that Triton wrote of an entry; nothing for other files.
std::optional<TritonMetadata> read_metadata(const std::string& path, const std::string& text,
                                            const std::string& entry) {
  Diagnostics problems;
  const JsonDocument document(text, path, problems);
  const auto root = document.root();
  const auto warps = root.find("num_warps");
  if (!warps || !warps->is_number()) return std::nullopt;
  if (const auto name = root.find("name"); name && name->is_string() && *name->string() != entry) return std::nullopt;
  TritonMetadata found{fs::path(path).filename().string(), {}, {}};
  std::int64_t lanes = 32;
  if (const auto target = root.find("target"))
    if (const auto size = target->find("warp_size"); size && size->is_number()) lanes = size->whole(1).value_or(lanes);
  if (const auto count = warps->whole(1)) found.threads = *count * lanes;
  if (const auto shared = root.find("shared"); shared && shared->is_number()) found.shared_memory = shared->whole(0);
  problems.throw_if_any();
  return found;
}

}  // namespace

TritonMetadata read_triton_metadata(const TextFile& file, const Arguments& arguments, const std::string& entry) {
  if (const auto given = arguments.value("metadata")) {
    const auto found = read_metadata(*given, read_input(*given).text, entry);
    if (!found)
      throw InputError(Diagnostic{*given, fmt::format("it is no metadata of Triton of \"{}\"", entry), "",
                                  "give the JSON file that Triton wrote with num_warps, name and shared"});
    return *found;
  }
  if (!file.source.empty() || !file.name.ends_with(".ptx")) return {};
  auto beside = fs::path(file.name);
  beside.replace_extension(".json");
  if (!is_file(beside.string())) return {};
  try {
    return read_metadata(beside.string(), read_input(beside.string()).text, entry).value_or(TritonMetadata{});
  } catch (const Error&) {
    return {};  // another file with the same name
  }
}

}  // namespace warpipe::app
