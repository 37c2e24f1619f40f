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
    widths_ |= load.bytes;
    warp.for_each_lane(load, [&](std::size_t lane, std::uint64_t address, std::uint64_t value) {
      if (load.bytes == 8) value = memory.imported(value);
      add({address, static_cast<std::uint8_t>(lane), load.by, load.bytes}, value, load.phase);
      if (of_warp) add({address, kWarp, load.by, load.bytes}, value, load.phase);
      of_warp = false;
    });
  }
}

/// The slot of a key, or the empty slot for it.
LoadIndex::Slot& LoadIndex::slot_of(const Key& key) {
  const auto rest = std::uint64_t{key.bytes} << 16 | std::uint64_t{key.lane} << 8 | static_cast<std::uint64_t>(key.by);
  auto at = key.address * 0x9e3779b97f4a7c15 ^ rest * 0xbf58476d1ce4e5b9;
  at ^= at >> 32;
  for (;; ++at) {
    auto& slot = slots_[at & (slots_.size() - 1)];
    if (slot.key.bytes == 0 || slot.key == key) return slot;
  }
}

void LoadIndex::grow() {
  auto before = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
  for (auto& slot : before)
    if (slot.key.bytes != 0) slot_of(slot.key) = slot;
}

void LoadIndex::add(const Key& key, std::uint64_t value, std::uint32_t phase) {
  const Run made{value, phase, phase, 1};
  auto* slot = &slot_of(key);
  if (slot->key.bytes == 0) {
    if (2 * ++used_ > slots_.size()) {
      grow();
      slot = &slot_of(key);
    }
    *slot = {key, kConstant, made};
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

/// A number that was recorded so wide, from a recorded address.
std::optional<LoadIndex::Candidate> LoadIndex::of_width(Key key, int wide) {
  if ((widths_ & static_cast<unsigned>(wide)) == 0) return std::nullopt;
  key.bytes = static_cast<std::uint8_t>(wide);
  const auto& slot = slot_of(key);
  if (slot.key.bytes == 0) return std::nullopt;
  const auto* run = &slot.run;
  Candidate made;
  if (slot.history != kConstant) {
    auto& history = histories_[slot.history];
    history.move_to(phase_);
    run = &history.runs[history.run];
    made.histories[made.parts++] = slot.history;
  }
  made.value = run->value;
  made.age = run->first_phase > phase_ ? UINT32_MAX : phase_ - std::min(run->last_phase, phase_);
  return made;
}

/// The part of a number recorded wider: the latest.
std::optional<LoadIndex::Candidate> LoadIndex::in_wider(const Key& key, int bytes) {
  std::optional<Candidate> latest;
  for (int wide = 2 * bytes; wide <= 8; wide *= 2) {
    auto of_whole = key;
    of_whole.address &= ~static_cast<std::uint64_t>(wide - 1);
    auto whole = of_width(of_whole, wide);
    if (!whole || (latest && latest->age <= whole->age)) continue;
    whole->value = truncated(whole->value >> (8 * (key.address - of_whole.address)), 8 * bytes);
    latest = whole;
  }
  return latest;
}

/// A number recorded in two halves, of which each may be recorded in halves again.
std::optional<LoadIndex::Candidate> LoadIndex::of_halves(const Key& key, int bytes) {
  const auto half = bytes / 2;
  if ((widths_ & (static_cast<unsigned>(bytes) - 1)) == 0) return std::nullopt;
  const auto part = [&](const Key& of_half) {
    const auto whole = of_width(of_half, half);
    const auto halves = whole && whole->age == 0 ? std::nullopt : of_halves(of_half, half);
    return !whole || (halves && halves->age < whole->age) ? halves : whole;
  };
  auto upper_key = key;
  upper_key.address += static_cast<std::uint64_t>(half);
  auto made = part(key);
  if (!made) return std::nullopt;
  const auto upper = part(upper_key);
  if (!upper) return std::nullopt;
  made->value |= upper->value << (8 * half);
  made->age = std::max(made->age, upper->age);
  for (std::size_t i = 0; i < upper->parts; ++i) made->histories[made->parts++] = upper->histories[i];
  return made;
}

std::optional<LoadIndex::Found> LoadIndex::next(std::size_t lane, std::uint64_t address, int bytes,
                                                RecordedLoad::By by) {
  const Key key{address, static_cast<std::uint8_t>(lane), by, 0};
  auto best = of_width(key, bytes);
  for (const auto find : {&LoadIndex::in_wider, &LoadIndex::of_halves}) {
    if (best && best->age == 0) break;
    const auto other = (this->*find)(key, bytes);
    if (other && (!best || other->age < best->age)) best = other;
  }
  return take(best);
}

std::optional<LoadIndex::Found> LoadIndex::next_of_warp(std::uint64_t address, int bytes, RecordedLoad::By by) {
  return take(of_width({address, kWarp, by, 0}, bytes));
}

std::optional<LoadIndex::Found> LoadIndex::take(const std::optional<Candidate>& candidate) {
  if (!candidate) return std::nullopt;
  for (std::size_t i = 0; i < candidate->parts; ++i) skip(candidate->histories[i], 1);
  return Found{candidate->value, candidate->parts == 0 ? std::nullopt : std::optional(candidate->histories[0])};
}

}  // namespace warpipe::isa
