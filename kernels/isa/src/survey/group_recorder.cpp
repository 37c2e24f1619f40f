#include "survey/group_recorder.hpp"

#include <bit>

#include "survey/address_log.hpp"
#include "survey/meeting_lanes.hpp"
#include "survey/touched_sectors.hpp"

namespace warpipe::isa {

void GroupRecorder::iterations(std::uint32_t record, std::int64_t times) {
  if (groups_ == 0) return;
  if (record >= survey_.statistics.size()) survey_.statistics.resize(record + 1);
  survey_.statistics[record].iterations += groups_ * static_cast<double>(times);
}

void GroupRecorder::access(const Interpreter& warp, std::uint32_t record, const Step& step, AddressEvent& event,
                           Repetitions repeated) {
  const auto& access = *step.instruction->access;
  event.combines = access.combines && survey_.meeting && survey_.meeting->is_alike(step.index);
  passes_.clear();
  for (const auto& frame : warp.frames()) passes_.push_back(frame.iterations - 1);
  const auto array = survey_.log->add(event, static_cast<std::uint32_t>(warp.warp()), passes_, repeated.known);
  if (groups_ == 0) return;
  auto& statistics = survey_.statistics[record].accesses[step.index];
  account(statistics, event, repeated.all, groups_);
  statistics.sampled |= repeated.known < repeated.all;
  touch_sectors(access, event, array, repeated);
}

/// Counts executions with known addresses; further executions have other, unknown addresses and do not count.
/// @param array  of the log
void GroupRecorder::touch_sectors(const Access& access, const AddressEvent& event, std::uint32_t array,
                                  Repetitions repeated) {
  const auto first = event.mask == 0 ? 0 : event.addresses[static_cast<std::size_t>(std::countr_zero(event.mask))];
  const bool global = access.space == Space::Global || (access.space == Space::Generic && (first & kWindowMask) == 0);
  if (!global) return;
  const bool stores = access.kind == Access::Kind::Store, atomic = access.kind == Access::Kind::Atomic;
  if (atomic) survey_.meeting->add(event, repeated.known);
  survey_.touched->add(event, array, repeated.known, repeated.known < repeated.all, !stores, stores || atomic);
}

void GroupRecorder::block(std::uint32_t record, std::uint32_t block, LaneMask mask, std::int64_t times) {
  if (groups_ == 0) return;
  auto& statistics = survey_.statistics[record].blocks[block];
  statistics.executions += groups_ * static_cast<double>(times);
  statistics.lanes += groups_ * static_cast<double>(times) * std::popcount(mask);
}

}  // namespace warpipe::isa
