#include "kernel/measured_records.hpp"

#include <algorithm>

namespace warpipe::isa {

/// @param mixed  gets the mixed records, to follow each of them once
void MeasuredRecords::add_sources(std::uint32_t record, std::set<std::uint32_t>& mixed, Records& result) const {
  // Many records are mixed from the same sources: they differ where nothing is measured.
  if (survey_.seen_of(record) != nullptr) result.push_back(record);
  const auto found = made_from_.find(record);
  if (found == made_from_.end() || !mixed.insert(record).second) return;
  for (const auto source : found->second) add_sources(source, mixed, result);
}

const MeasuredRecords::Records& MeasuredRecords::sources_of(const std::vector<std::uint32_t>& records) {
  const auto [place, is_new] = sources_.emplace(records, nullptr);
  if (is_new) {
    std::set<std::uint32_t> mixed;
    Records all;
    for (const auto record : records) add_sources(record, mixed, all);
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    place->second = &*different_.insert(std::move(all)).first;
  }
  return *place->second;
}

MeasuredRecords::Measured MeasuredRecords::measure(std::uint32_t instruction, const Records& records) const {
  Measured result;
  for (const auto record : records) {
    const auto& seen = *survey_.seen_of(record);
    const auto access = seen.accesses.find(instruction);
    const bool reached = access != seen.accesses.end();
    if (reached) result.accesses.add(access->second);
    if (const auto block = seen.blocks.find(flow_.block_of[instruction]); block != seen.blocks.end())
      result.idle += block->second.executions - (reached ? access->second.executions : 0);
  }
  result.idle = std::max(result.idle, 0.0);
  return result;
}

const MeasuredRecords::Measured& MeasuredRecords::of(std::uint32_t instruction,
                                                     const std::vector<std::uint32_t>& records) {
  const auto& sources = sources_of(records);
  const auto [place, is_new] = measured_.try_emplace({&sources, instruction});
  if (is_new) place->second = measure(instruction, sources);
  return place->second;
}

}  // namespace warpipe::isa
