#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "warpipe/engine/critical_path.hpp"

namespace warpipe {

inline constexpr std::uint32_t kNoNode = UINT32_MAX;

/// An event, with the event that decided its time.
struct PathNode {
  std::int64_t time = 0;
  std::uint32_t parent = kNoNode;  ///< not later
  std::uint32_t holders = 0;       ///< references to it: its children, and the tracer's
  PathPoint point;
  std::uint16_t pipeline = 0;
  PathEdge edge = PathEdge::Launch;  ///< from its parent
};

/// Events that may still be part of the critical path, each with its parent: a tree, growing at its leaves. Events are
/// reference-counted: unreferenced events are freed, and the prefix shared by all paths can be reported and dropped.
class PathNodes {
 public:
  /// @return a new node without references, holding a reference to its parent
  std::uint32_t make(const PathNode& node);
  void hold(std::uint32_t node) { ++nodes_[node].holders; }
  void release(std::uint32_t node);

  const PathNode& operator[](std::uint32_t node) const { return nodes_[node]; }
  std::size_t size() const { return nodes_.size() - free_.size(); }

  /// @return the node itself or its nearest ancestor not later than a time
  std::uint32_t at_or_before(std::uint32_t node, std::int64_t time) const {
    while (nodes_[node].time > time) node = nodes_[node].parent;
    return node;
  }

  /// Reports all links down to a node, from the first on.
  void report(std::uint32_t node, const std::function<void(const PathLink&)>& on_link) const;
  /// Reports the links shared by all paths, and drops them.
  /// @param node  any referenced node
  void drop_common_prefix(std::uint32_t node, const std::function<void(const PathLink&)>& on_link);

 private:
  std::vector<std::uint32_t> path_to(std::uint32_t node) const;
  PathLink link_to(std::uint32_t node) const;

  std::vector<PathNode> nodes_;
  std::vector<std::uint32_t> free_;  ///< unused nodes
};

}  // namespace warpipe
