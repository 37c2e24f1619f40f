#include "measured_records.hpp"

#include <algorithm>

namespace warpipe::isa {

void MeasuredRecords::add_sources(std::uint32_t record, Records& result) const {
  if (!result.insert(record).second) return;
  const auto mixed = made_from_.find(record);
  if (mixed == made_from_.end()) return;
  for (const auto source : mixed->second) add_sources(source, result);
}

const MeasuredRecords::Records& MeasuredRecords::sources_of(const std::vector<std::uint32_t>& records) {
  const auto [place, is_new] = sources_.emplace(records, nullptr);
  if (is_new) {
    Records all;
    for (const auto record : records) add_sources(record, all);
    // Many are mixed from the same ones: they differ in what is not measured.
    std::erase_if(all, [this](std::uint32_t record) { return execution_.seen_of(record) == nullptr; });
    place->second = &*different_.insert(std::move(all)).first;
  }
  return *place->second;
}

MeasuredRecords::Measured MeasuredRecords::measure(std::uint32_t instruction, const Records& records) const {
  Measured result;
  for (const auto record : records) {
    const auto& seen = *execution_.seen_of(record);
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
