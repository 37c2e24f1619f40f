#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace warpipe {

/// The parts of lines ever read or written: a hash table of neighbouring lines with open addressing, each at the spread
/// place of its number, or at the first free place behind it.
class TouchedBytes {
 public:
  enum Kind : std::size_t { Read, Written };

  /// Parts never touched before in the given way, and in no way; parts of the line touched before in the given way.
  struct First {
    std::uint32_t of_kind = 0, of_all = 0, before = 0;
  };

  First add(Kind kind, std::int64_t line, std::uint32_t parts) {
    if (2 * used_ >= neighbours_.size()) grow();
    Neighbours& found = neighbours_of(line / kLines);
    if (found.number == kFree) {
      found.number = line / kLines;
      ++used_;
    }
    std::array<std::uint32_t, 2>& touched = found.touched[static_cast<std::size_t>(line % kLines)];
    const First first{parts & ~touched[kind], parts & ~(touched[Read] | touched[Written]), touched[kind]};
    touched[kind] |= parts;
    return first;
  }

 private:
  static constexpr std::int64_t kLines = 8, kFree = -1;

  struct Neighbours {
    std::int64_t number = kFree;                                 ///< of the first / kLines
    std::array<std::array<std::uint32_t, 2>, kLines> touched{};  ///< by line, Kind
  };

  Neighbours& neighbours_of(std::int64_t number) {
    const std::size_t last = neighbours_.size() - 1;
    std::size_t at = (static_cast<std::uint64_t>(number) * 0x9e3779b97f4a7c15 >> 32) & last;
    while (neighbours_[at].number != number && neighbours_[at].number != kFree) at = (at + 1) & last;
    return neighbours_[at];
  }

  void grow() {
    const std::vector<Neighbours> before = std::exchange(neighbours_, std::vector<Neighbours>(2 * neighbours_.size()));
    for (const Neighbours& each : before)
      if (each.number != kFree) neighbours_of(each.number) = each;
  }

  std::vector<Neighbours> neighbours_ = std::vector<Neighbours>(256);  ///< its size is a power of two
  std::size_t used_ = 0;
};

}  // namespace warpipe
