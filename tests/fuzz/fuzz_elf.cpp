// Any bytes: pieces of code, and of each of them a cubin, or descriptors and metadata; or an InputError.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "warpipe/elf/amd_descriptor.hpp"
#include "warpipe/elf/amd_metadata.hpp"
#include "warpipe/elf/container.hpp"
#include "warpipe/elf/cubin.hpp"
#include "warpipe/idg/error.hpp"

namespace {

void read_piece(std::string_view bytes) {
  try {
    if (warpipe::elf::kind_of(bytes) == warpipe::elf::Kind::Cubin) warpipe::elf::read_cubin(bytes, "fuzz.cubin");
    if (warpipe::elf::kind_of(bytes) != warpipe::elf::Kind::CodeObject) return;
    const auto object = warpipe::elf::read_object(bytes, "fuzz.hsaco");
    warpipe::elf::read_amd_descriptors(object);
    warpipe::elf::read_amd_metadata(object);
    warpipe::elf::read_line_table(object);
  } catch (const warpipe::InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    for (const auto& piece : warpipe::elf::read_pieces({reinterpret_cast<const char*>(data), size}, "fuzz"))
      read_piece(piece.contents);
  } catch (const warpipe::InputError&) {
  }
  return 0;
}
