#include "path_nodes.hpp"

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

std::vector<std::uint32_t> PathNodes::line_to(std::uint32_t node) const {
  std::vector<std::uint32_t> line;
  for (; node != kNoNode; node = nodes_[node].parent) line.push_back(node);
  std::ranges::reverse(line);
  return line;
}

PathLink PathNodes::link_to(std::uint32_t node) const {
  const PathNode& effect = nodes_[node];
  const PathNode& cause = nodes_[effect.parent];
  return {effect.edge, effect.pipeline, cause.point, effect.point, Ticks{cause.time}, Ticks{effect.time}};
}

void PathNodes::tell(std::uint32_t node, const std::function<void(const PathLink&)>& hear) const {
  const std::vector<std::uint32_t> line = line_to(node);
  for (std::size_t i = 1; i < line.size(); ++i) hear(link_to(line[i]));
}

void PathNodes::cut_trunk(std::uint32_t node, const std::function<void(const PathLink&)>& hear) {
  const std::vector<std::uint32_t> line = line_to(node);
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    if (nodes_[line[i]].holders > 1) return;  // another path leaves here, or somebody may yet go on from here
    hear(link_to(line[i + 1]));
    nodes_[line[i + 1]].parent = kNoNode;
    free_.push_back(line[i]);
  }
}

}  // namespace warpipe
