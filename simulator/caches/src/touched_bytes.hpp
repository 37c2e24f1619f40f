#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace warpipe {

/// The parts of lines that were ever touched.
class TouchedBytes {
 public:
  /// @return those of the parts that were not touched before
  std::uint32_t add(std::int64_t line, std::uint32_t parts) {
    const std::size_t page = static_cast<std::size_t>(line) / kPage;
    if (page >= pages_.size()) pages_.resize(page + 1);
    if (!pages_[page]) pages_[page] = std::make_unique<Page>();
    std::uint32_t& touched = (*pages_[page])[static_cast<std::size_t>(line) % kPage];
    const std::uint32_t first = parts & ~touched;
    touched |= parts;
    return first;
  }

 private:
  static constexpr std::size_t kPage = 4096;  // lines
  using Page = std::array<std::uint32_t, kPage>;
  std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace warpipe
