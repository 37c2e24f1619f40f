#include "answers/sha256.hpp"

#include <fmt/format.h>
#include <nettle/sha2.h>

#include <array>
#include <cstdint>

namespace warpipe::app {

std::string sha256(std::string_view text) {
  sha256_ctx state;
  nettle_sha256_init(&state);
  nettle_sha256_update(&state, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  nettle_sha256_digest(&state, digest.size(), digest.data());
  std::string digits;
  for (const auto byte : digest) digits += fmt::format("{:02x}", byte);
  return digits;
}

}  // namespace warpipe::app
