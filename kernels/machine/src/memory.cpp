#include "warpipe/machine/memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace warpipe::machine {
namespace {

constexpr std::uint64_t kPage = 4096, kLargePage = std::uint64_t{2} << 20, kHeapAlignment = 16;

}  // namespace

Memory::~Memory() {
  for (const auto& [begin, entry] : entries_)
    if (entry.mapped > 0) munmap(reinterpret_cast<void*>(begin), entry.mapped);  // NOLINT
}

std::uint64_t Memory::allocate(std::uint64_t bytes, std::uint64_t alignment, std::string name) {
  if (bytes > UINT64_MAX / 2 || alignment > kPage) return 0;
  // The rest of the page behind the last byte stays unused, so that neighbours are no continuation of each other.
  const auto mapped = (std::max<std::uint64_t>(1, bytes) + kPage - 1) / kPage * kPage;
  void* const found = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (found == MAP_FAILED) return 0;  // NOLINT
  if (mapped >= kLargePage) madvise(found, mapped, MADV_HUGEPAGE);
  const auto address = reinterpret_cast<std::uint64_t>(found);  // NOLINT
  const std::lock_guard lock(mutex_);
  // Variables of a device lie close together: behind one a kernel reaches more of their pages.
  const auto room = name.empty() ? 0 : mapped - bytes;
  entries_[address] = {address + bytes, std::move(name), mapped, room};
  allocated_ += bytes;
  return address;
}

bool Memory::free(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(address);
  if (found == entries_.end() || found->second.mapped == 0) return false;
  munmap(reinterpret_cast<void*>(address), found->second.mapped);  // NOLINT
  allocated_ -= found->second.end - address;
  entries_.erase(found);
  return true;
}

void Memory::add(std::uint64_t address, std::uint64_t bytes, std::string name, std::uint64_t room) {
  const std::lock_guard lock(mutex_);
  entries_[address] = {address + bytes, std::move(name), 0, room};
}

bool Memory::remove(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(address);
  if (found == entries_.end() || found->second.mapped > 0) return false;
  entries_.erase(found);
  return true;
}

void Memory::make_heap(std::uint64_t bytes) {
  if (heap_ != 0) return;
  heap_ = allocate(bytes, kPage, "the heap of kernels");
  // The heap's own address is no address of a piece of it: it is not freed as such.
  const std::lock_guard lock(mutex_);
  if (heap_ != 0 && bytes > kHeapAlignment) add_left(heap_ + kHeapAlignment, bytes - kHeapAlignment);
}

void Memory::add_left(std::uint64_t address, std::uint64_t bytes) {
  left_[address] = bytes;
  left_by_size_.emplace(bytes, address);
}

void Memory::remove_left(std::uint64_t address) {
  const auto found = left_.find(address);
  left_by_size_.erase({found->second, address});
  left_.erase(found);
}

std::uint64_t Memory::take_of_heap(std::uint64_t bytes) {
  if (bytes > UINT64_MAX / 2) return 0;
  const auto needed = (std::max<std::uint64_t>(1, bytes) + kHeapAlignment - 1) / kHeapAlignment * kHeapAlignment;
  const std::lock_guard lock(mutex_);
  const auto best = left_by_size_.lower_bound({needed, 0});
  if (best == left_by_size_.end()) return 0;
  const auto [size, address] = *best;
  remove_left(address);
  if (size > needed) add_left(address + needed, size - needed);
  taken_[address] = needed;
  return address;
}

bool Memory::give_to_heap(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto found = taken_.find(address);
  if (found == taken_.end()) return false;
  auto begin = address, end = address + found->second;
  taken_.erase(found);
  if (const auto behind = left_.find(end); behind != left_.end()) {
    end += behind->second;
    remove_left(behind->first);
  }
  if (auto before = left_.lower_bound(begin); before != left_.begin() && (--before)->first + before->second == begin) {
    begin = before->first;
    remove_left(begin);
  }
  add_left(begin, end - begin);
  return true;
}

std::uint64_t Memory::add_texture(const Texture& texture) {
  const std::lock_guard lock(mutex_);
  textures_[next_texture_] = texture;
  return next_texture_++;
}

bool Memory::remove_texture(std::uint64_t object) {
  const std::lock_guard lock(mutex_);
  return textures_.erase(object) > 0;
}

std::map<std::uint64_t, Texture> Memory::textures() const {
  const std::lock_guard lock(mutex_);
  return textures_;
}

std::optional<Range> Memory::find(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  auto found = entries_.upper_bound(address);
  if (found == entries_.begin()) return std::nullopt;
  --found;
  if (address >= found->second.end) return std::nullopt;
  return Range{found->first, found->second.end, found->second.name, found->second.room};
}

std::vector<Range> Memory::ranges() const {
  const std::lock_guard lock(mutex_);
  std::vector<Range> all;
  for (const auto& [begin, entry] : entries_) all.push_back({begin, entry.end, entry.name, entry.room});
  return all;
}

Variables::~Variables() {
  for (const auto& [name, range] : found_) memory_.free(range.begin);
}

void Variables::add(std::span<const isa::MemoryRegion> regions) {
  std::vector<const isa::MemoryRegion*> made;
  for (const auto& region : regions) {
    const bool global = region.space == isa::Space::Global || region.space == isa::Space::Constant;
    if (!global || found_.contains(region.name)) continue;
    const auto bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, region.bytes()));
    const auto address = memory_.allocate(bytes, 256, region.label.empty() ? region.name : region.label);
    if (address == 0) continue;
    found_[region.name] = {address, address + bytes, region.name, 0};
    made.push_back(&region);
  }
  for (const auto* region : made) fill(*region);
}

/// Writes initial values: numbers, and addresses of variables that have their places by now.
void Variables::fill(const isa::MemoryRegion& region) {
  const auto& place = found_.at(region.name);
  const auto width = static_cast<std::uint64_t>(region.element.bits / 8);
  const auto put = [&](std::size_t index, std::uint64_t value) {
    const auto address = place.begin + index * width;
    if (address + width <= place.end) std::memcpy(reinterpret_cast<void*>(address), &value, width);  // NOLINT
  };
  for (std::size_t i = 0; i < region.values.size(); ++i) put(i, region.values[i]);
  for (const auto& one : region.addresses)
    if (const auto of = find(one.name)) put(one.index, one.bits_of(of->begin));
}

std::optional<Range> Variables::find(const std::string& name) const {
  const auto found = found_.find(name);
  return found == found_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace warpipe::machine
