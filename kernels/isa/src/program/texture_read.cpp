#include "warpipe/isa/texture_read.hpp"

#include <algorithm>

namespace warpipe::isa {
namespace {

constexpr const char* kLevel = "l2";
constexpr int kTransactionsOfWords = 4;

}  // namespace

int turns_of(const TextureRead& read) {
  if (read.surface) return read.words;
  if (!read.linear) return std::max(2, read.words);
  if (!read.solid) return 2 * read.words;
  return read.words > 2 ? 32 : 4 * read.words;
}

void reach_texture(const TextureRead& read, Instruction& made) {
  made.level = kLevel;
  made.transactions = kTransactionsOfWords * read.words;
  made.texture_turns = turns_of(read);
}

}  // namespace warpipe::isa
