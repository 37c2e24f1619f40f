#include "warpipe/elf/amd_metadata.hpp"

#include <algorithm>
#include <iterator>

#include "bytes.hpp"

namespace warpipe::elf {
namespace {

constexpr std::uint32_t kNotes = 7, kMetadata = 32;  // type of sections, type of notes

/// The lowest byte of the flags of an ELF file.
/// @source LLVM, User Guide for AMDGPU Backend: EF_AMDGPU_MACH
struct Machine {
  std::uint32_t number;
  const char* target;
};
constexpr std::uint32_t kMachineBits = 0xff;
constexpr Machine kMachines[] = {
    {0x22, "gfx700"},  {0x23, "gfx701"},  {0x28, "gfx801"},  {0x29, "gfx802"},  {0x2a, "gfx803"},  {0x2c, "gfx900"},
    {0x2d, "gfx902"},  {0x2e, "gfx904"},  {0x2f, "gfx906"},  {0x30, "gfx908"},  {0x31, "gfx909"},  {0x32, "gfx90c"},
    {0x33, "gfx1010"}, {0x34, "gfx1011"}, {0x35, "gfx1012"}, {0x36, "gfx1030"}, {0x37, "gfx1031"}, {0x38, "gfx1032"},
    {0x39, "gfx1033"}, {0x3d, "gfx1035"}, {0x3e, "gfx1034"}, {0x3f, "gfx90a"},  {0x40, "gfx940"},  {0x41, "gfx1100"},
    {0x43, "gfx1150"}, {0x44, "gfx1103"}, {0x45, "gfx1036"}, {0x46, "gfx1101"}, {0x47, "gfx1102"}, {0x48, "gfx1200"},
    {0x4a, "gfx1151"}, {0x4b, "gfx941"},  {0x4c, "gfx942"},  {0x4e, "gfx1201"}, {0x4f, "gfx950"},  {0x55, "gfx1152"},
    {0x58, "gfx1153"},
};

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
  if (metadata.is_object() && metadata.contains("amdhsa.target") && metadata["amdhsa.target"].is_string()) {
    const auto target = metadata["amdhsa.target"].get<std::string>();
    const auto gfx = target.find("gfx");
    if (gfx != std::string::npos) return target.substr(gfx, target.find(':', gfx) - gfx);
  }
  const auto found = std::ranges::find(kMachines, object.flags & kMachineBits, &Machine::number);
  return found == std::end(kMachines) ? "" : found->target;
}

}  // namespace warpipe::elf
