#include "warpipe/programs/memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace warpipe::programs {
namespace {

constexpr std::size_t kPage = 4096, kPageOfDevice = std::size_t{2} << 20;

std::size_t pages_of(std::size_t bytes, std::size_t page = kPage) {
  return (std::max<std::size_t>(bytes, 1) + page - 1) / page * page;
}

bool counts(Place place) { return place == Place::Device || place == Place::Managed; }

std::size_t mapped_of(std::size_t bytes, Place place) { return pages_of(bytes, counts(place) ? kPageOfDevice : kPage); }

}  // namespace

void* Memory::allocate(std::size_t bytes, Place place) {
  if (counts(place) && (bytes > capacity_ || used_ > capacity_ - bytes)) return nullptr;
  if (bytes > SIZE_MAX / 4) return nullptr;
  const auto size = mapped_of(bytes, place);
  auto* const made =
      mmap(nullptr, size + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made == MAP_FAILED) return nullptr;
  // Pages as large as the device's: fewer faults, and neighbours of a gather stay in the host's table of pages.
  if (counts(place)) madvise(made, size, MADV_HUGEPAGE);
  mprotect(static_cast<char*>(made) + size, kPage, PROT_NONE);
  const auto begin = reinterpret_cast<std::uintptr_t>(made);
  all_[begin] = {begin, bytes, place};
  if (counts(place)) used_ += bytes;
  return made;
}

bool Memory::add(const void* begin, std::size_t bytes, Place place) {
  const auto from = reinterpret_cast<std::uintptr_t>(begin);
  const auto next = all_.upper_bound(from);
  if (next != all_.end() && next->first - from < bytes) return false;
  if (find(begin)) return false;
  all_[from] = {from, bytes, place};
  return true;
}

bool Memory::release(const void* begin, Place place) {
  const auto found = all_.find(reinterpret_cast<std::uintptr_t>(begin));
  if (found == all_.end()) return false;
  const auto is = found->second.place;
  const bool fits = is == place || (place == Place::Device && is == Place::Managed);
  if (!fits) return false;
  if (counts(is)) used_ -= found->second.bytes;
  if (is != Place::Registered && is != Place::Variable)
    munmap(reinterpret_cast<void*>(found->first),
           mapped_of(found->second.bytes, is) + kPage);  // NOLINT: as it was made
  all_.erase(found);
  return true;
}

std::size_t Memory::room_behind(std::size_t bytes, Place place) { return mapped_of(bytes, place) - bytes; }

std::optional<Allocation> Memory::find(const void* address) const {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  auto behind = all_.upper_bound(at);
  if (behind == all_.begin()) return std::nullopt;
  const auto& before = std::prev(behind)->second;
  if (at - before.begin >= std::max<std::size_t>(before.bytes, 1)) return std::nullopt;
  return before;
}

bool is_mapped(const void* begin, std::size_t bytes) {
  constexpr std::size_t kPagesOfCall = 4096;
  std::array<unsigned char, kPagesOfCall> resident{};
  auto at = reinterpret_cast<std::uintptr_t>(begin) / kPage * kPage;
  const auto end = reinterpret_cast<std::uintptr_t>(begin) + bytes;
  if (end < reinterpret_cast<std::uintptr_t>(begin)) return false;
  while (at < end) {
    const auto size = std::min<std::uintptr_t>(pages_of(end - at), kPagesOfCall * kPage);
    if (mincore(reinterpret_cast<void*>(at), size, resident.data()) != 0) return false;  // NOLINT: an address
    at += size;
  }
  return true;
}

}  // namespace warpipe::programs
