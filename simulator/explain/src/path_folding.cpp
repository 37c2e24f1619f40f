#include "path_folding.hpp"

#include <algorithm>
#include <iterator>
#include <span>

namespace warpipe {
namespace {

bool same_shapes(std::span<const FoldedStretch> a, std::span<const FoldedStretch> b) {
  return std::ranges::equal(a, b, {}, &FoldedStretch::shape, &FoldedStretch::shape);
}

/// Adds a later stretch to an equal stretch.
void join(FoldedStretch& stretch, const FoldedStretch& later) {
  stretch.things += later.things;
  stretch.to = later.to;
  stretch.time = checked_add(stretch.time, later.time);
  if (!stretch.body.empty()) stretch.comes += later.comes;
  for (std::size_t i = 0; i < stretch.body.size(); ++i) join(stretch.body[i], later.body[i]);
}

void join_body(FoldedStretch& block, std::span<const FoldedStretch> later) {
  for (std::size_t i = 0; i < later.size(); ++i) {
    join(block.body[i], later[i]);
    block.things += later[i].things;
    block.time = checked_add(block.time, later[i].time);
  }
  block.to = later.back().to;
  ++block.comes;
}

/// Extends the last stretch of a block by later stretches with the same shapes, at any depth: its bodies end alike.
bool absorb(FoldedStretch& block, std::span<const FoldedStretch> later) {
  if (later.size() == 1 && block.shape == later.front().shape) {
    join(block, later.front());
    return true;
  }
  if (block.body.empty()) return false;
  if (same_shapes(block.body, later)) {
    join_body(block, later);
    return true;
  }
  if (!absorb(block.body.back(), later)) return false;
  block.to = later.back().to;
  for (const FoldedStretch& each : later) {
    block.things += each.things;
    block.time = checked_add(block.time, each.time);
  }
  return true;
}

}  // namespace

void PathFolding::add(std::uint32_t thing, Ticks from, Ticks to) {
  FoldedStretch stretch;
  stretch.shape = thing;
  stretch.things = 1;
  stretch.from = from;
  stretch.to = to;
  stretch.time = Ticks{to.count - from.count};
  stretches_.push_back(stretch);
  fold();
  if (stretches_.size() > kMost) omit_middle();
}

/// Folds as often as possible: a folded stretch may repeat in turn.
void PathFolding::fold() {
  for (std::size_t length = 1; length <= std::min(kLongestBody, stretches_.size() - 1);) {
    const bool folded = absorb_into_block(length) || make_block(length);
    length = folded ? 1 : length + 1;
  }
}

/// Folds the last stretches into the stretch before them, if they continue it.
bool PathFolding::absorb_into_block(std::size_t length) {
  const std::size_t before = stretches_.size() - length - 1;
  const std::span<const FoldedStretch> last = std::span(stretches_).last(length);
  if (!absorb(stretches_[before], last)) return false;
  stretches_.resize(stretches_.size() - length);
  return true;
}

/// Makes a block of the last stretches and of as many before them, if both are the same.
bool PathFolding::make_block(std::size_t length) {
  if (stretches_.size() < 2 * length) return false;
  const std::span<const FoldedStretch> last = std::span(stretches_).last(length);
  const std::span<const FoldedStretch> before = std::span(stretches_).last(2 * length).first(length);
  if (!same_shapes(last, before)) return false;
  FoldedStretch block;
  block.body.assign(before.begin(), before.end());
  block.shape = shape_of(block.body);
  block.from = before.front().from;
  for (const FoldedStretch& each : before) {
    block.things += each.things;
    block.time = checked_add(block.time, each.time);
  }
  join_body(block, last);
  stretches_.resize(stretches_.size() - 2 * length);
  stretches_.push_back(std::move(block));
  return true;
}

std::uint32_t PathFolding::shape_of(const std::vector<FoldedStretch>& body) {
  constexpr std::uint32_t kFirstBody = std::uint32_t{1} << 31;
  std::vector<std::uint32_t> shapes;
  std::ranges::transform(body, std::back_inserter(shapes), &FoldedStretch::shape);
  const auto next = kFirstBody + static_cast<std::uint32_t>(shapes_.size());
  return shapes_.emplace(std::move(shapes), next).first->second;
}

void PathFolding::omit_middle() {
  const auto first = stretches_.begin() + static_cast<std::ptrdiff_t>(kMost / 4);
  const auto last = stretches_.end() - static_cast<std::ptrdiff_t>(kMost / 4);
  FoldedStretch omitted;
  omitted.shape = kOmitted;
  omitted.from = first->from;
  for (auto each = first; each != last; ++each) {
    omitted.things += each->things;
    omitted.to = each->to;
    omitted.time = checked_add(omitted.time, each->time);
  }
  stretches_.erase(first + 1, last);
  stretches_[kMost / 4] = omitted;
}

}  // namespace warpipe
