#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "warpipe/idg/error.hpp"

namespace warpipe::elf {

/// Reads numbers, low bytes first, from a text by a moving place.
class Bytes {
 public:
  /// @param place  of the text, for messages: "saxpy.cubin: .symtab"
  Bytes(std::string_view text, std::string place) : text_(text), place_(std::move(place)) {}

  std::uint64_t size() const { return text_.size(); }
  std::uint64_t at() const { return at_; }
  bool at_end() const { return at_ >= text_.size(); }
  const std::string& place() const { return place_; }

  /// @throws InputError where the place is not in the text
  void go_to(std::uint64_t at) {
    if (at > text_.size()) refuse(at, 0);
    at_ = at;
  }

  /// Reads on.
  /// @throws InputError where the text ends before
  template <class Number>
  Number read() {
    Number number{};
    std::memcpy(&number, take(sizeof number).data(), sizeof number);
    return number;
  }

  std::string_view take(std::uint64_t count) {
    if (count > text_.size() - at_) refuse(at_, count);
    const auto part = text_.substr(at_, count);
    at_ += count;
    return part;
  }

  /// Up to the next zero, which is passed over.
  std::string_view take_string() {
    const auto end = text_.find('\0', at_);
    if (end == std::string_view::npos) refuse(at_, text_.size() - at_ + 1);
    const auto text = take(end - at_);
    ++at_;
    return text;
  }

  /// Numbers of DWARF with a length of their own.
  std::uint64_t read_uleb() {
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = read<std::uint8_t>();
      if (shift < 64) number |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if ((byte & 0x80U) == 0) return number;
    }
  }
  std::int64_t read_sleb() {
    std::uint64_t number = 0;
    for (unsigned shift = 0;;) {
      const auto byte = read<std::uint8_t>();
      if (shift < 64) number |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      shift += 7;
      if ((byte & 0x80U) != 0) continue;
      if ((byte & 0x40U) != 0 && shift < 64) number |= ~std::uint64_t{0} << shift;
      return static_cast<std::int64_t>(number);
    }
  }

 private:
  [[noreturn]] void refuse(std::uint64_t at, std::uint64_t count) const {
    throw InputError(
        Diagnostic{place_, "the file is damaged: it ends too early",
                   "byte " + std::to_string(at) + " + " + std::to_string(count) + " of " + std::to_string(text_.size()),
                   "make the file again"});
  }

  std::string_view text_;
  std::string place_;
  std::uint64_t at_ = 0;
};

}  // namespace warpipe::elf
