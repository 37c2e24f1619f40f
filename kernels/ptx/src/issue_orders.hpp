#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "live_values.hpp"

namespace warpipe::ptx {

/// Two issue orders for the instructions of a block, for compilers to choose between. Each keeps reads behind writes,
/// and accesses that may reach the same bytes in the order of the text.
class IssueOrders {
 public:
  /// Of the instructions [first, last) of a block.
  /// @param behind  registers alive behind them
  IssueOrders(const Routine& routine, const LiveValues& values, std::uint32_t first, std::uint32_t last,
              const RegisterSet& behind);

  /// Keeps few values alive: from the end, each time picks the instruction freeing most of them.
  std::vector<std::uint32_t> tight() const;
  /// Waits as little as it can: picks each cycle the instruction at the head of the longest chain.
  std::vector<std::uint32_t> early() const;

 private:
  void find_dependences(std::uint32_t last);
  void add_memory(std::uint32_t node);
  const Instruction& at(std::uint32_t node) const { return routine_.instructions[nodes_[node]]; }
  std::int64_t growth(std::uint32_t node, const RegisterSet& live) const;
  std::vector<int> longest_chains() const;
  /// Cycles from the start of a node to the earliest start of a node behind it.
  int distance(std::uint32_t producer, std::uint32_t consumer) const;

  const Routine& routine_;
  const LiveValues& values_;
  const RegisterSet& behind_;
  std::vector<std::uint32_t> nodes_;                     ///< remaining instructions
  std::vector<std::set<std::uint32_t>> before_;          ///< by node: earlier nodes to wait for
  std::vector<std::set<std::uint32_t>> producers_;       ///< by node: producers of its inputs
  std::vector<std::uint32_t> loads_, writers_, fences_;  ///< nodes so far with an access; fences_: at most the last
};

}  // namespace warpipe::ptx
