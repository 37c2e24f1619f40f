#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#ifdef WARPIPE_HAS_LZ4
#include <lz4.h>
#endif
#ifdef WARPIPE_HAS_ZSTD
#include <zstd.h>
#endif

/// Fat binaries as compilers make them.

enum class Packing { None, Lz4, Zstandard };

template <class T>
void put(std::string& text, T value) {
  text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

inline std::string packed([[maybe_unused]] const std::string& text, Packing packing) {
  if (packing == Packing::None) return text;
  std::string made;
#ifdef WARPIPE_HAS_LZ4
  if (packing == Packing::Lz4) {
    made.resize(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(text.size()))));
    made.resize(static_cast<std::size_t>(
        LZ4_compress_default(text.data(), made.data(), static_cast<int>(text.size()), static_cast<int>(made.size()))));
  }
#endif
#ifdef WARPIPE_HAS_ZSTD
  if (packing == Packing::Zstandard) {
    made.resize(ZSTD_compressBound(text.size()));
    made.resize(ZSTD_compress(made.data(), made.size(), text.data(), text.size(), 3));
  }
#endif
  if (made.empty()) {
    std::puts("skipped: this build has no such compression");
    std::exit(0);
  }
  return made;
}

/// A fat binary with a single piece of PTX, laid out as by nvcc 13.
inline std::string fat_binary(const std::string& ptx, Packing packing) {
  const auto contents = packed(ptx + '\0', packing);
  const std::uint64_t flags = packing == Packing::Lz4 ? 0x2011 : packing == Packing::Zstandard ? 0x8011 : 0x11;
  const auto padded = (contents.size() + 7) / 8 * 8;
  std::string piece;
  put(piece, std::uint16_t{1});
  put(piece, std::uint16_t{0x101});
  put(piece, std::uint32_t{64});
  put(piece, std::uint64_t{padded});
  put(piece, static_cast<std::uint32_t>(packing == Packing::None ? 0 : contents.size()));
  put(piece, std::uint64_t{0});
  put(piece, std::uint32_t{80});
  put(piece, std::uint64_t{0});
  put(piece, flags);
  put(piece, std::uint64_t{0});
  put(piece, std::uint64_t{packing == Packing::None ? 0 : ptx.size() + 1});
  piece += contents + std::string(padded - contents.size(), '\0');
  std::string made;
  put(made, std::uint32_t{0xba55ed50});
  put(made, std::uint16_t{1});
  put(made, std::uint16_t{16});
  put(made, std::uint64_t{piece.size()});
  return made + piece;
}

struct Wrapper {
  std::uint32_t magic = 0x466243b1, version = 1;
  const void* data = nullptr;
  void* more = nullptr;
};
