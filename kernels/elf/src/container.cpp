#include "warpipe/elf/container.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "bytes.hpp"
#include "warpipe/elf/amd_metadata.hpp"
#include "warpipe/elf/cubin.hpp"

namespace warpipe::elf {
namespace {

constexpr std::string_view kElf{
    "\x7f"
    "ELF"};
constexpr std::string_view kSm{"sm_"};
constexpr std::string_view kFat{"\x50\xed\x55\xba"};
constexpr std::string_view kBundle{"__CLANG_OFFLOAD_BUNDLE__"}, kPackedBundle{"CCOB"};

// The layout of fat binaries is known from public readers and from files of our own.
constexpr std::uint64_t kFatHeader = 16;
constexpr std::uint16_t kMachineCode = 2;
constexpr std::uint64_t kLz4 = 0x2000, kZstandard = 0x8000;

Piece read_fat_piece(Bytes& bytes) {
  const auto start = bytes.at();
  const auto kind = bytes.read<std::uint16_t>();
  bytes.take(2);
  const auto header = bytes.read<std::uint32_t>();
  const auto size = bytes.read<std::uint64_t>();
  bytes.go_to(start);
  bytes.take(16);
  const auto packed_bytes = bytes.read<std::uint32_t>();
  bytes.take(8);
  const auto architecture = bytes.read<std::uint32_t>();
  bytes.take(8);
  const auto flags = bytes.read<std::uint64_t>();
  bytes.take(8);
  using Packing = Piece::Packing;
  const auto packing = (flags & kZstandard) != 0 ? Packing::Zstandard
                       : (flags & kLz4) != 0     ? Packing::Lz4
                                                 : Packing::None;
  const auto plain_bytes = packing != Packing::None && header >= 64 ? bytes.read<std::uint64_t>() : 0;
  bytes.go_to(start);
  bytes.take(header < 48 ? 48 : header);
  return {
      fmt::format("sm_{}", architecture), kind == kMachineCode, packing, bytes.take(size), packed_bytes, plain_bytes};
}

/// Reads a fat binary, or several, one behind the other.
std::vector<Piece> read_fat(std::string_view text, const std::string& place) {
  std::vector<Piece> pieces;
  Bytes bytes(text, place);
  while (text.size() - bytes.at() >= kFatHeader && text.substr(bytes.at()).starts_with(kFat)) {
    bytes.take(6);
    bytes.take(bytes.read<std::uint16_t>() - std::size_t{8});
    const auto size_at = bytes.at() - 8;
    bytes.go_to(size_at);
    const auto size = bytes.read<std::uint64_t>();
    const auto start = bytes.at();
    bytes.take(size);
    const auto end = bytes.at();
    bytes.go_to(start);
    while (bytes.at() < end) pieces.push_back(read_fat_piece(bytes));
    while (!bytes.at_end() && !text.substr(bytes.at()).starts_with(kFat)) bytes.take(1);
  }
  return pieces;
}

std::vector<Piece> read_bundle(std::string_view text, const std::string& file) {
  if (text.starts_with(kPackedBundle))
    throw InputError(Diagnostic{file, "this bundle is compressed, which is not read", "",
                                "compile with `--no-offload-compress`, or with `--cuda-device-only`"});
  std::vector<Piece> pieces;
  Bytes bytes(text, file);
  bytes.take(kBundle.size());
  for (auto count = bytes.read<std::uint64_t>(); count > 0; --count) {
    const auto offset = bytes.read<std::uint64_t>(), size = bytes.read<std::uint64_t>();
    const auto name = std::string(bytes.take(bytes.read<std::uint64_t>()));
    const auto gfx = name.find("gfx");
    if (gfx == std::string::npos) continue;
    Bytes whole(text, file);
    whole.go_to(offset);
    pieces.push_back({name.substr(gfx, name.find(':', gfx) - gfx), true, {}, whole.take(size)});
  }
  return pieces;
}

/// 80 of "sm_80".
std::optional<int> architecture(std::string_view target) {
  if (!target.starts_with(kSm)) return std::nullopt;
  int number = 0;
  const auto digits = target.substr(kSm.size());
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (end.ec != std::errc{}) return std::nullopt;
  return number;
}

/// An object of the host: its section of fat binaries, of either kind.
std::vector<Piece> read_host(std::string_view bytes, const std::string& file) {
  const auto object = read_object(bytes, file);
  for (const auto& section : object.sections) {
    if (section.name == ".nv_fatbin") return read_fat(section.contents, object.place(section));
    if (section.name == ".hip_fatbin" && kind_of(section.contents) == Kind::Bundle)
      return read_bundle(section.contents, object.place(section));
  }
  throw InputError(Diagnostic{file, "this is an ELF file without code for a GPU",
                              fmt::format("machine {}", object.machine),
                              "give a cubin, a fat binary or a code object of AMD"});
}

}  // namespace

Kind kind_of(std::string_view bytes) {
  if (bytes.starts_with(kFat)) return Kind::FatBinary;
  if (bytes.starts_with(kBundle) || bytes.starts_with(kPackedBundle)) return Kind::Bundle;
  if (!bytes.starts_with(kElf)) return Kind::None;
  if (bytes.size() < 20) return Kind::Other;
  Bytes text(bytes, "");
  text.go_to(18);
  const auto machine = text.read<std::uint16_t>();
  return machine == kNvidia ? Kind::Cubin : machine == kAmd ? Kind::CodeObject : Kind::Other;
}

std::vector<Piece> read_pieces(std::string_view bytes, const std::string& file) {
  switch (kind_of(bytes)) {
    case Kind::Cubin:
      return {{fmt::format("sm_{}", architecture_of(read_object(bytes, file))), true, {}, bytes}};
    case Kind::CodeObject:
      return {{amd_target(read_object(bytes, file)), true, {}, bytes}};
    case Kind::FatBinary:
      return read_fat(bytes, file);
    case Kind::Bundle:
      return read_bundle(bytes, file);
    case Kind::Other:
      return read_host(bytes, file);
    case Kind::None:
      break;
  }
  throw InputError(
      Diagnostic{file, "this is no file of machine code", "", "give a cubin, a fat binary or a code object of AMD"});
}

bool runs_on(std::string_view code, std::string_view device) {
  const auto own = architecture(code), others = architecture(device);
  if (!own || !others) return code == device;
  return *own / 10 == *others / 10 && *own <= *others;
}

const Piece* piece_for(const std::vector<Piece>& pieces, std::string_view start, std::string_view device) {
  const Piece* chosen = nullptr;
  for (const auto& piece : pieces) {
    if (!piece.is_machine_code || !piece.target.starts_with(start)) continue;
    const bool runs = runs_on(piece.target, device);
    const bool is_later = chosen != nullptr && runs_on(chosen->target, piece.target);
    if (chosen == nullptr || (runs && (is_later || !runs_on(chosen->target, device)))) chosen = &piece;
  }
  return chosen;
}

}  // namespace warpipe::elf
