#include "warpipe/ptx/execution.hpp"

#include <algorithm>
#include <optional>

#include "warp_run.hpp"

namespace warpipe::ptx {
namespace {

using Behaviour = std::vector<std::uint32_t>;

constexpr std::size_t kMostPositions = 8;  // along one dimension
constexpr std::size_t kMostGroups = 64;

/// Groups at a position along a dimension, and how many positions it stands for.
struct Position {
  std::int64_t at = 0;
  double stands_for = 1;
};

class Sampler {
 public:
  explicit Sampler(const ExecutionInput& input) : input_(input), kernel_(input) {
    execution_.local_memory = kernel_.memory.shared_bytes();
  }

  Execution run() {
    std::array<std::vector<Position>, 3> axes;
    for (std::size_t axis = 0; axis < 3; ++axis) axes[axis] = positions(axis);
    if (axes[0].size() * axes[1].size() * axes[2].size() > kMostGroups)
      for (std::size_t axis = 0; axis < 3; ++axis) axes[axis] = ends_and_middle(input_.launch.grid[axis]);
    for (const auto& z : axes[2])
      for (const auto& y : axes[1])
        for (const auto& x : axes[0]) add({x.at, y.at, z.at}, x.stands_for * y.stands_for * z.stands_for);
    std::ranges::stable_sort(execution_.classes, std::greater<>(), &GroupClass::groups);
    execution_.sampled_groups = behaviours_.size();
    return std::move(execution_);
  }

 private:
  const Behaviour& behaviour(const Dimensions& group) {
    const auto found = behaviours_.find(group);
    if (found != behaviours_.end()) return found->second;
    return behaviours_.emplace(group, run_group(group)).first->second;
  }

  Behaviour run_group(const Dimensions& group) {
    const auto& block = input_.launch.block;
    const auto warps = (block[0] * block[1] * block[2] + input_.launch.warp_size - 1) / input_.launch.warp_size;
    Behaviour made;
    for (std::int64_t warp = 0; warp < warps; ++warp) made.push_back(WarpRun(kernel_, execution_, group, warp).run());
    return made;
  }

  static std::vector<Position> ends_and_middle(std::int64_t size) {
    if (size == 1) return {{0, 1}};
    if (size == 2) return {{0, 1}, {1, 1}};
    return {{0, 1}, {size / 2, static_cast<double>(size - 2)}, {size - 1, 1}};
  }

  /// The first, the middle and the last, and by halving the places between them where the behaviour changes.
  std::vector<Position> positions(std::size_t axis) {
    const auto size = input_.launch.grid[axis];
    std::vector<Position> list = ends_and_middle(size);
    const auto at = [&](std::int64_t place) -> const Behaviour& {
      Dimensions group{input_.launch.grid[0] / 2, input_.launch.grid[1] / 2, input_.launch.grid[2] / 2};
      group[axis] = place;
      return behaviour(group);
    };
    for (std::size_t i = 0; i + 1 < list.size() && list.size() < kMostPositions; ++i) {
      auto low = list[i].at, high = list[i + 1].at;
      if (at(low) == at(high)) continue;
      while (high - low > 1) {
        const auto middle = low + (high - low) / 2;
        (at(middle) == at(low) ? low : high) = middle;
      }
      // The last that is like the one before, and the first that is not.
      if (high != list[i + 1].at) list.insert(list.begin() + static_cast<std::ptrdiff_t>(i) + 1, {high, 0});
      if (low != list[i].at) list.insert(list.begin() + static_cast<std::ptrdiff_t>(i) + 1, {low, 0});
      i += static_cast<std::size_t>(low != list[i].at);
    }
    share(list);
    return list;
  }

  /// What lies between two positions belongs to the later one of two that are alike.
  static void share(std::vector<Position>& list) {
    for (std::size_t i = 0; i < list.size(); ++i)
      list[i].stands_for = i == 0 ? 1 : static_cast<double>(list[i].at - list[i - 1].at);
  }

  /// Executes the group once more, now that it is known how many it stands for.
  void add(const Dimensions& group, double groups) {
    execution_.stands_for = groups;
    const auto warps = run_group(group);
    behaviours_.try_emplace(group, warps);
    const auto same = std::ranges::find(execution_.classes, warps, &GroupClass::warps);
    if (same == execution_.classes.end()) {
      execution_.classes.push_back({group, groups, warps});
      return;
    }
    same->groups += groups;
  }

  const ExecutionInput& input_;
  Prepared kernel_;
  Execution execution_;
  std::map<Dimensions, Behaviour> behaviours_;
};

}  // namespace

Execution execute(const ExecutionInput& input) { return Sampler(input).run(); }

}  // namespace warpipe::ptx
