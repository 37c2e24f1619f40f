#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#ifdef WARPIPE_HAS_LZ4
#include <lz4.h>
#endif
#ifdef WARPIPE_HAS_ZSTD
#include <zstd.h>
#endif

#include "warpipe/elf/container.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/programs/images.hpp"
#include "warpipe/ptx/link_ptx.hpp"

namespace warpipe::programs {
namespace {

constexpr std::uint32_t kWrapper = 0x466243b1, kFatBinary = 0xba55ed50;
constexpr std::size_t kFatHeader = 16;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 31;  // of an unpacked piece

template <class T>
T read_at(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

struct Unpacked {
  std::string text, problem;
};

Unpacked unpack_lz4([[maybe_unused]] std::string_view packed, [[maybe_unused]] std::string text) {
#ifdef WARPIPE_HAS_LZ4
  const auto size =
      LZ4_decompress_safe(packed.data(), text.data(), static_cast<int>(packed.size()), static_cast<int>(text.size()));
  if (size < 0) return {"", "a piece that LZ4 has compressed is damaged"};
  text.resize(static_cast<std::size_t>(size));
  return {std::move(text), ""};
#else
  return {"", "a piece is compressed by LZ4, which this build of warpipe does not have (Debian: liblz4-dev)"};
#endif
}

Unpacked unpack_zstd([[maybe_unused]] std::string_view packed, [[maybe_unused]] std::string text) {
#ifdef WARPIPE_HAS_ZSTD
  const auto size = ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
  if (ZSTD_isError(size) != 0) return {"", "a piece that Zstandard has compressed is damaged"};
  text.resize(size);
  return {std::move(text), ""};
#else
  return {"", "a piece is compressed by Zstandard, which this build of warpipe does not have (Debian: libzstd-dev)"};
#endif
}

Unpacked contents_of(const elf::Piece& piece) {
  using Packing = elf::Piece::Packing;
  if (piece.packing == Packing::None) return {std::string(piece.contents), ""};
  if (piece.plain_bytes > kMostBytes || piece.packed_bytes > piece.contents.size())
    return {"", "a compressed piece is damaged"};
  const auto packed = piece.contents.substr(0, piece.packed_bytes);
  std::string room(piece.plain_bytes, '\0');
  return piece.packing == Packing::Lz4 ? unpack_lz4(packed, std::move(room)) : unpack_zstd(packed, std::move(room));
}

/// "sm_90" -> 90; 0 for other text.
int number_of(const std::string& target) {
  int number = 0;
  for (const char c : target)
    if (c >= '0' && c <= '9') number = number * 10 + (c - '0');
  return number;
}

}  // namespace

std::string_view fat_binary_of(const void* wrapper) {
  if (wrapper == nullptr) return {};
  const auto* const words = static_cast<const char*>(wrapper);
  const bool is_wrapper = read_at<std::uint32_t>(words) == kWrapper;
  const auto* const data = is_wrapper ? read_at<const char*>(words + 8) : words;
  if (data == nullptr || read_at<std::uint32_t>(data) != kFatBinary) return {};
  return {data, read_at<std::uint16_t>(data + 6) + static_cast<std::size_t>(read_at<std::uint64_t>(data + 8))};
}

/// @source fatbinary_section.h of the toolkit: version 2 has a list of the parts behind the linked code
std::vector<std::string_view> parts_of(const void* wrapper) {
  constexpr std::uint32_t kLinked = 2;
  std::vector<std::string_view> parts;
  const auto* const words = static_cast<const char*>(wrapper);
  if (wrapper == nullptr || read_at<std::uint32_t>(words) != kWrapper || read_at<std::uint32_t>(words + 4) != kLinked)
    return parts;
  const auto* list = read_at<const void* const*>(words + 16);
  for (; list != nullptr && *list != nullptr; ++list)
    if (const auto part = fat_binary_of(*list); !part.empty()) parts.push_back(part);
  return parts;
}

void add_ptx_of_parts(ImageTexts& texts, const std::vector<std::string_view>& parts, const std::string& device) {
  if (!texts.ptx.empty()) return;
  std::vector<std::string> modules;
  for (const auto part : parts) {
    auto read = read_code(part, device);
    if (!read.ptx.empty()) modules.push_back(std::move(read.ptx));
    if (texts.problem.empty()) texts.problem = read.problem;
  }
  if (!modules.empty()) texts.ptx = ptx::link_ptx(modules);
}

ImageTexts read_code(std::string_view bytes, const std::string& device) {
  ImageTexts texts;
  if (elf::kind_of(bytes) == elf::Kind::None) {
    texts.ptx = bytes;
    return texts;
  }
  if (bytes.size() < kFatHeader) return texts;
  const elf::Piece *ptx = nullptr, *code = nullptr;
  const auto pieces = elf::read_pieces(bytes, "the program's fat binary");
  code = elf::piece_for(pieces, "sm_", device);
  for (const auto& piece : pieces) {
    if (piece.is_machine_code) continue;
    // The latest target that the device may run, else the earliest.
    const auto rank = [&](const elf::Piece& one) {
      const auto number = number_of(one.target);
      return number <= number_of(device) ? number : -number;
    };
    if (ptx == nullptr || rank(piece) > rank(*ptx)) ptx = &piece;
  }
  if (ptx != nullptr) {
    auto [text, problem] = contents_of(*ptx);
    if (const auto end = text.find('\0'); end != std::string::npos) text.resize(end);
    texts.ptx = std::move(text);
    texts.problem = problem;
  }
  if (code != nullptr && (texts.ptx.empty() || elf::runs_on(code->target, device))) {
    auto [text, problem] = contents_of(*code);
    texts.machine_code = std::move(text);
    if (texts.problem.empty()) texts.problem = problem;
  }
  return texts;
}

}  // namespace warpipe::programs
