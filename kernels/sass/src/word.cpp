#include "word.hpp"

namespace warpipe::sass {

Word word_at(std::string_view code, std::uint64_t address) {
  Word word;
  for (int i = 7; i >= 0; --i) {
    const auto place = address + static_cast<std::uint64_t>(i);
    word.low = (word.low << 8) | static_cast<std::uint8_t>(code[place]);
    word.high = (word.high << 8) | static_cast<std::uint8_t>(code[place + 8]);
  }
  return word;
}

Control control_of(const Word& word) {
  Control control;
  control.stall = static_cast<unsigned>(word.bits(105, 4));
  control.yield = !word.bit(109);
  control.write_barrier = static_cast<unsigned>(word.bits(110, 3));
  control.read_barrier = static_cast<unsigned>(word.bits(113, 3));
  control.waits = static_cast<unsigned>(word.bits(116, 6));
  return control;
}

bool is_reused(const Word& word, int place) {
  constexpr int kFirstOperand = 24, kSecondOperand = 32, kThirdOperand = 64, kFlags = 122;
  return (place == kFirstOperand && word.bit(kFlags)) || (place == kSecondOperand && word.bit(kFlags + 1)) ||
         (place == kThirdOperand && word.bit(kFlags + 2));
}

}  // namespace warpipe::sass
