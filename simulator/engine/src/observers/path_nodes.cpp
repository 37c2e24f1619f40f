#include "observers/path_nodes.hpp"

#include <algorithm>

namespace warpipe {

std::uint32_t PathNodes::make(const PathNode& node) {
  if (node.parent != kNoNode) hold(node.parent);
  if (free_.empty()) {
    nodes_.push_back(node);
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  const std::uint32_t made = free_.back();
  free_.pop_back();
  nodes_[made] = node;
  return made;
}

void PathNodes::release(std::uint32_t node) {
  while (node != kNoNode && --nodes_[node].holders == 0) {
    free_.push_back(node);
    node = nodes_[node].parent;
  }
}

std::vector<std::uint32_t> PathNodes::path_to(std::uint32_t node) const {
  std::vector<std::uint32_t> path;
  for (; node != kNoNode; node = nodes_[node].parent) path.push_back(node);
  std::ranges::reverse(path);
  return path;
}

PathLink PathNodes::link_to(std::uint32_t node) const {
  const PathNode& effect = nodes_[node];
  const PathNode& cause = nodes_[effect.parent];
  return {effect.edge, effect.pipeline, cause.point, effect.point, Ticks{cause.time}, Ticks{effect.time}};
}

void PathNodes::report(std::uint32_t node, const std::function<void(const PathLink&)>& on_link) const {
  const std::vector<std::uint32_t> path = path_to(node);
  for (std::size_t i = 1; i < path.size(); ++i) on_link(link_to(path[i]));
}

void PathNodes::drop_common_prefix(std::uint32_t node, const std::function<void(const PathLink&)>& on_link) {
  const std::vector<std::uint32_t> path = path_to(node);
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    if (nodes_[path[i]].holders > 1) return;  // another path branches off here, or may still do so
    on_link(link_to(path[i + 1]));
    nodes_[path[i + 1]].parent = kNoNode;
    free_.push_back(path[i]);
  }
}

}  // namespace warpipe
