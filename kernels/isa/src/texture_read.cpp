#include "warpipe/isa/texture_read.hpp"

#include <algorithm>

namespace warpipe::isa {

int turns_of(const TextureRead& read) {
  if (read.surface) return read.words;
  if (!read.linear) return std::max(2, read.words);
  if (!read.solid) return 2 * read.words;
  return read.words > 2 ? 32 : 4 * read.words;
}

}  // namespace warpipe::isa
