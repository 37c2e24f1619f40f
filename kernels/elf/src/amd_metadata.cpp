#include "warpipe/elf/amd_metadata.hpp"

#include "bytes.hpp"

namespace warpipe::elf {
namespace {

constexpr std::uint32_t kNotes = 7, kMetadata = 32;  // type of sections, type of notes

constexpr std::uint64_t padded(std::uint64_t size) { return (size + 3) / 4 * 4; }

/// Makes a value of a message, but gives up where it is nested deeper than any metadata: the library reads by
/// recursion.
class ShallowReader : public nlohmann::detail::json_sax_dom_parser<nlohmann::json> {
 public:
  explicit ShallowReader(nlohmann::json& value) : json_sax_dom_parser(value, false) {}
  bool start_object(std::size_t size) { return ++depth_ < kDeepest && json_sax_dom_parser::start_object(size); }
  bool start_array(std::size_t size) { return ++depth_ < kDeepest && json_sax_dom_parser::start_array(size); }
  bool end_object() { return --depth_, json_sax_dom_parser::end_object(); }
  bool end_array() { return --depth_, json_sax_dom_parser::end_array(); }

 private:
  static constexpr int kDeepest = 32;
  int depth_ = 0;
};

nlohmann::json read_message(std::string_view text, const std::string& place) {
  nlohmann::json message;
  ShallowReader reader(message);
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &reader, nlohmann::json::input_format_t::msgpack, true))
    throw InputError(Diagnostic{place, "the file is damaged: its metadata cannot be read", "", "make the file again"});
  return message;
}

}  // namespace

nlohmann::json read_amd_metadata(const Object& object) {
  for (const auto& section : object.sections) {
    if (section.type != kNotes) continue;
    Bytes bytes(section.contents, object.place(section));
    while (bytes.size() - bytes.at() >= 12) {
      const auto name_size = bytes.read<std::uint32_t>(), size = bytes.read<std::uint32_t>();
      const auto type = bytes.read<std::uint32_t>();
      const auto name = bytes.take(padded(name_size));
      const auto text = bytes.take(size);
      if (type == kMetadata && name.starts_with("AMDGPU")) return read_message(text, object.place(section));
      if (padded(size) - size > bytes.size() - bytes.at()) break;
      bytes.take(padded(size) - size);
    }
  }
  return {};
}

std::string amd_target(const Object& object) {
  const auto metadata = read_amd_metadata(object);
  if (!metadata.is_object() || !metadata.contains("amdhsa.target") || !metadata["amdhsa.target"].is_string()) return {};
  const auto target = metadata["amdhsa.target"].get<std::string>();
  const auto gfx = target.find("gfx");
  return gfx == std::string::npos ? "" : target.substr(gfx, target.find(':', gfx) - gfx);
}

}  // namespace warpipe::elf
