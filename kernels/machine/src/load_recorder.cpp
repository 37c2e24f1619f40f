#include "warpipe/machine/load_recorder.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "warpipe/machine/machine.hpp"

namespace warpipe::machine {
namespace {

constexpr std::size_t kHeaviest = 16;     // groups kept, drawn or not
constexpr std::size_t kPartOfAGroup = 8;  // of all bytes to keep

/// Numbers in seeming disorder, the same everywhere.
std::uint64_t scattered(std::uint64_t x) {
  x = (x + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 29)) * 0x94d049bb133111eb;
  return x ^ (x >> 32);
}

}  // namespace

LoadRecorder::LoadRecorder(std::vector<bool> loads, std::size_t most) : loads_(std::move(loads)), most_(most) {}

bool LoadRecorder::is_drawn(std::int64_t group) const {
  return (scattered(static_cast<std::uint64_t>(group)) & ((std::uint64_t{1} << level_) - 1)) == 0;
}

LoadRecorder::Recording* LoadRecorder::begin(std::int64_t group, std::size_t warps) {
  const std::lock_guard lock(mutex_);
  if (!is_drawn(group)) return nullptr;
  auto& recording = recordings_[group];
  recording.group.number = group;
  recording.group.warps.resize(warps);
  return &recording;
}

void LoadRecorder::add(Recording& recording, std::int64_t warp, std::uint64_t lanes, std::uint32_t phase, int bytes,
                       isa::RecordedLoad::By by, const std::uint64_t* addresses, const std::uint64_t* values) {
  if (recording.bytes > most_ / kPartOfAGroup) {
    recording.group.is_whole = false;
    return;
  }
  auto& of_warp = recording.group.warps[static_cast<std::size_t>(warp)];
  const auto before = of_warp.bytes();
  of_warp.add(lanes, phase, bytes, by, addresses, values);
  recording.bytes += of_warp.bytes() - before;
  bytes_ += of_warp.bytes() - before;
}

void LoadRecorder::end(Recording& recording, std::uint64_t instructions) {
  recording.instructions = instructions;
  const std::lock_guard lock(mutex_);
  recording.has_ended = true;
  while (bytes_ > most_ && recordings_.size() > 2 * kHeaviest) keep_fewer();
}

void LoadRecorder::keep_fewer() {
  ++level_;
  std::vector<std::uint64_t> work;
  for (const auto& [number, recording] : recordings_)
    if (recording.has_ended) work.push_back(recording.instructions);
  if (work.size() <= kHeaviest) return;
  std::ranges::nth_element(work, work.begin() + kHeaviest, std::greater<>());
  std::erase_if(recordings_, [&, least = work[kHeaviest]](const auto& entry) {
    const auto& recording = entry.second;
    const bool goes = recording.has_ended && recording.instructions <= least && !is_drawn(entry.first);
    if (goes) bytes_ -= recording.bytes;
    return goes;
  });
}

isa::RecordedLoads LoadRecorder::take(const Outcome& outcome, const isa::Program& program, const Variables& variables,
                                      const Memory& memory) {
  isa::RecordedLoads recorded;
  recorded.instructions = outcome.of_groups;
  for (auto& [number, recording] : recordings_)
    if (recording.has_ended) recorded.groups.push_back(std::move(recording.group));
  recordings_.clear();
  bytes_ = 0;
  for (const auto& range : memory.ranges()) recorded.memory.push_back({range.begin, range.end});
  for (const auto& region : program.regions)
    if (const auto found = variables.find(region.name)) recorded.variables[region.name] = found->begin;
  return recorded;
}

}  // namespace warpipe::machine
