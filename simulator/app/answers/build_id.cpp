#include "answers/build_id.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace warpipe::app {
namespace {

std::size_t aligned(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

/// @param notes  in sequence: sizes and type, the owner's name, the content
std::string build_id_in(std::span<const std::byte> notes) {
  constexpr std::string_view kOwner("GNU\0", 4);
  ElfW(Nhdr) note{};
  while (notes.size() >= sizeof note) {
    std::memcpy(&note, notes.data(), sizeof note);
    const std::size_t begin = sizeof note + aligned(note.n_namesz), size = note.n_descsz;
    if (notes.size() < begin + size) break;
    const std::string_view owner(reinterpret_cast<const char*>(notes.data()) + sizeof note, note.n_namesz);
    if (note.n_type == NT_GNU_BUILD_ID && owner == kOwner) {
      std::string digits;
      for (const std::byte each : notes.subspan(begin, size))
        digits += fmt::format("{:02x}", std::to_integer<int>(each));
      return digits;
    }
    notes = notes.subspan(std::min(begin + aligned(size), notes.size()));
  }
  return {};
}

/// The build ids of the program and its libraries.
struct BuildIds {
  std::string ids;
  bool lacks_one = false;
};

/// Called for the program and each of its shared libraries.
int look_at(dl_phdr_info* object, std::size_t /*size*/, void* result) {
  if (std::string_view(object->dlpi_name).starts_with("linux-vdso")) return 0;  // is of the kernel
  std::string id;
  for (const auto& segment : std::span(object->dlpi_phdr, object->dlpi_phnum)) {
    if (segment.p_type != PT_NOTE || !id.empty()) continue;
    const auto* const notes = reinterpret_cast<const std::byte*>(object->dlpi_addr + segment.p_vaddr);
    id = build_id_in({notes, segment.p_memsz});
  }
  auto& found = *static_cast<BuildIds*>(result);
  found.lacks_one = found.lacks_one || id.empty();
  found.ids += id + '\n';
  return 0;  // go on
}

}  // namespace

std::string build_ids() {
  BuildIds found;
  ::dl_iterate_phdr(look_at, &found);
  return found.lacks_one ? "" : found.ids;
}

}  // namespace warpipe::app
