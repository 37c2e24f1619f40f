#include "lanes/load_index.hpp"

#include <algorithm>
#include <utility>

#include "warpipe/isa/lane_operation.hpp"

namespace warpipe::isa {
namespace {

constexpr std::uint8_t kWarp = 0xff;  // in place of a lane
constexpr std::size_t kFirstSlots = 256;

}  // namespace

LoadIndex::LoadIndex(const RecordedWarp& warp, const RecordedMemory& memory) : slots_(kFirstSlots) {
  for (const auto& load : warp.loads) {
    bool of_warp = load.by != RecordedLoad::By::Load && load.places == RecordedLoad::Places::One;
    warp.for_each_lane(load, [&](std::size_t lane, std::uint64_t address, std::uint64_t value) {
      if (load.bytes == 8) value = memory.imported(value);
      add({address, static_cast<std::uint8_t>(lane), load.by}, load.bytes, value, load.phase);
      if (of_warp) add({address, kWarp, load.by}, load.bytes, value, load.phase);
      of_warp = false;
    });
  }
}

/// The slot of a key, or the empty slot for it.
LoadIndex::Slot& LoadIndex::slot_of(const Key& key) {
  const auto rest = std::uint64_t{key.lane} << 8 | static_cast<std::uint64_t>(key.by);
  auto at = key.address * 0x9e3779b97f4a7c15 ^ rest * 0xbf58476d1ce4e5b9;
  at ^= at >> 32;
  for (;; ++at) {
    auto& slot = slots_[at & (slots_.size() - 1)];
    if (slot.bytes == 0 || slot.key == key) return slot;
  }
}

void LoadIndex::grow() {
  auto before = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
  for (auto& slot : before)
    if (slot.bytes != 0) slot_of(slot.key) = slot;
}

void LoadIndex::add(const Key& key, std::uint8_t bytes, std::uint64_t value, std::uint32_t phase) {
  const Run made{value, phase, phase, 1};
  auto* slot = &slot_of(key);
  if (slot->bytes == 0) {
    if (2 * ++used_ > slots_.size()) {
      grow();
      slot = &slot_of(key);
    }
    *slot = {key, bytes, kConstant, made};
    return;
  }
  if (slot->bytes != bytes) {  // the same place as numbers of several widths: the wider number tells all
    if (slot->bytes < bytes) *slot = {key, bytes, kConstant, made};
    return;
  }
  auto& last = slot->history == kConstant ? slot->run : histories_[slot->history].runs.back();
  if (last.value == value) {
    last.times = last.last_phase == phase ? last.times + 1 : 1;
    last.last_phase = phase;
    return;
  }
  if (slot->history == kConstant) {
    slot->history = static_cast<std::uint32_t>(histories_.size());
    histories_.push_back({{slot->run}, 0, 0, 0});
  }
  histories_[slot->history].runs.push_back(made);
}

/// To the first number of a phase; without any, to the last number before.
void LoadIndex::History::move_to(std::uint32_t now) {
  if (phase == now) return;
  phase = now;
  taken = 0;
  while (run + 1 < runs.size() && runs[run].last_phase < now && runs[run + 1].first_phase <= now) ++run;
}

void LoadIndex::skip(std::uint32_t index, std::int64_t times) {
  auto& history = histories_[index];
  history.move_to(phase_);
  while (times > 0) {
    const auto& run = history.runs[history.run];
    const bool changes = history.run + 1 < history.runs.size() && run.last_phase == phase_ &&
                         history.runs[history.run + 1].first_phase == phase_;
    if (!changes) return;
    const auto step = std::min<std::int64_t>(times, run.times - history.taken);
    times -= step;
    history.taken += static_cast<std::uint32_t>(step);
    if (history.taken < run.times) continue;
    ++history.run;
    history.taken = 0;
  }
}

/// A number of so many bytes, starting at a recorded address.
std::optional<LoadIndex::Found> LoadIndex::find(const Key& key, int bytes) {
  const auto& slot = slot_of(key);
  if (slot.bytes < bytes) return std::nullopt;
  Found found{slot.run.value, std::nullopt};
  if (slot.history != kConstant) {
    auto& history = histories_[slot.history];
    history.move_to(phase_);
    found = {history.runs[history.run].value, slot.history};
    skip(slot.history, 1);
  }
  found.value = truncated(found.value, 8 * bytes);
  return found;
}

/// A number recorded in two halves, or as the upper part of a wider number.
std::optional<LoadIndex::Found> LoadIndex::join(const Key& key, int bytes) {
  for (const int wide : {2, 4, 8}) {
    auto of_whole = key;
    of_whole.address &= ~static_cast<std::uint64_t>(wide - 1);
    const auto before = static_cast<int>(key.address - of_whole.address);
    if (before == 0 || before + bytes > wide) continue;
    auto whole = find(of_whole, wide);
    if (!whole) continue;
    whole->value = truncated(whole->value >> (8 * before), 8 * bytes);
    return whole;
  }
  if (bytes == 1) return std::nullopt;
  auto upper_key = key;
  upper_key.address += static_cast<std::uint64_t>(bytes / 2);
  const auto get = [&](const Key& half) {
    auto found = find(half, bytes / 2);
    return found || bytes == 2 ? found : join(half, bytes / 2);
  };
  auto lower = get(key);
  if (!lower) return std::nullopt;
  const auto upper = get(upper_key);
  if (!upper) return std::nullopt;
  lower->value |= upper->value << (4 * bytes);
  if (!lower->history) lower->history = upper->history;
  return lower;
}

std::optional<LoadIndex::Found> LoadIndex::next(std::size_t lane, std::uint64_t address, int bytes,
                                                RecordedLoad::By by) {
  const Key key{address, static_cast<std::uint8_t>(lane), by};
  if (auto found = find(key, bytes)) return found;
  return join(key, bytes);
}

std::optional<LoadIndex::Found> LoadIndex::next_of_warp(std::uint64_t address, int bytes, RecordedLoad::By by) {
  return find({address, kWarp, by}, bytes);
}

}  // namespace warpipe::isa
