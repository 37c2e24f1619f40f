#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "warpipe/idg/kernel.hpp"

/// A walk over all numbers of a kernel's body that may depend on parameters.

namespace warpipe {

/// A number of a kernel's body, valid as long as its kernel.
struct KernelNumber {
  const Expression& expression;
  std::optional<std::int64_t> least;        ///< of a whole number; empty where any number will do
  std::string_view owner;                   ///< JSON path of the instruction, loop or condition
  std::string_view key;                     ///< in its owner: "conflict_degree", "access/width_bytes"
  std::optional<std::size_t> element = {};  ///< its index, where the key holds a list
  bool is_address = false;                  ///< it also sees the names of its place and the counters of loops

  std::string where() const;  ///< JSON path, for messages
};

/// Calls visit(KernelNumber) for the numbers of an instruction, in the order of the format's description.
template <class Visit>
void for_each_number(const Instruction& instruction, const Visit& visit) {
  constexpr std::int64_t kAny = -kLargestWhole;
  const auto call = [&](const Expression& expression, std::optional<std::int64_t> least, std::string_view key,
                        std::optional<std::size_t> element = {}) {
    visit(KernelNumber{expression, least, instruction.where, key, element});
  };
  for (const Dependence& dependence : instruction.after) call(dependence.back, 1, "after");
  if (instruction.conflict_degree) call(*instruction.conflict_degree, 1, "conflict_degree");
  if (instruction.transactions) call(*instruction.transactions, 1, "transactions");
  if (instruction.lines) call(*instruction.lines, 1, "lines");
  if (instruction.turns) call(*instruction.turns, 1, "turns");
  for (const LevelUse& use : instruction.levels) {
    if (use.share) call(*use.share, {}, "levels/" + use.level + "/share");
    if (use.sectors) call(*use.sectors, {}, "levels/" + use.level + "/sectors");
  }
  if (!instruction.access) return;
  call(instruction.access->width_bytes, 1, "access/width_bytes");
  const auto& lanes = instruction.access->lanes;
  if (const auto* strided = std::get_if<AccessPattern::Strided>(&lanes))
    call(strided->stride_bytes, kAny, "access/stride_bytes");
  if (const auto* per_lane = std::get_if<AccessPattern::PerLane>(&lanes))
    for (std::size_t i = 0; i < per_lane->offsets_bytes.size(); ++i)
      call(per_lane->offsets_bytes[i], kAny, "access/lane_offsets_bytes", i);
  if (const auto* addressed = std::get_if<AccessPattern::Addressed>(&lanes))
    visit(KernelNumber{addressed->address, kAny, instruction.where, "access/address", {}, true});
}

/// Calls visit(KernelNumber) for the trip counts and conditions of a body and of the bodies in it, in program order.
template <class Visit>
void for_each_number(const std::vector<Item>& body, const Visit& visit) {
  for (const Item& item : body) {
    if (const auto* loop = std::get_if<Loop>(&item.node)) {
      visit(KernelNumber{loop->trip_count, 0, loop->where, "trip_count"});
      for_each_number(loop->body, visit);
    }
    if (const auto* when = std::get_if<When>(&item.node)) {
      visit(KernelNumber{when->condition, {}, when->where, "when"});
      for_each_number(when->body, visit);
    }
  }
}

}  // namespace warpipe
