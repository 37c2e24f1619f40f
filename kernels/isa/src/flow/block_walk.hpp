#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "warpipe/isa/control_flow.hpp"

namespace warpipe::isa {

/// Walks over the blocks of a program until their entry states no longer grow; a block is walked again after its entry
/// state grows.
/// @param entering  by block: the state at its start
/// @param execute   (block, state) turns the start state into the end state
/// @param join      (into, from) adds a predecessor's end state, and returns whether it added anything
template <class State, class Execute, class Join>
void walk_blocks(const ControlFlow& flow, std::vector<State>& entering, const Execute& execute, const Join& join) {
  std::set<std::uint32_t> waiting;
  for (std::uint32_t block = 0; block < flow.blocks.size(); ++block) waiting.insert(block);
  while (!waiting.empty()) {
    const auto block = *waiting.begin();
    waiting.erase(waiting.begin());
    auto leaving = entering[block];
    execute(block, leaving);
    for (const auto successor : flow.blocks[block].successors)
      if (join(entering[successor], leaving)) waiting.insert(successor);
  }
}

/// A `join` of sets.
template <class Element>
bool insert_all(std::set<Element>& into, const std::set<Element>& from) {
  const auto before = into.size();
  into.insert(from.begin(), from.end());
  return into.size() != before;
}

}  // namespace warpipe::isa
