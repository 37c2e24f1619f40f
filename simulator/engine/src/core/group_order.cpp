#include "warpipe/engine/group_order.hpp"

#include <algorithm>

#include "core/time.hpp"

namespace warpipe {

GroupOrder::GroupOrder(const std::vector<Run>& runs) {
  std::int64_t end = 0;
  for (const Run& run : runs) {
    end = time_sum(end, run.groups);
    if (!runs_.empty() && runs_.back().kind == run.kind) {
      runs_.back().groups += run.groups;
      ends_.back() = end;
    } else {
      runs_.push_back(run);
      ends_.push_back(end);
    }
  }
  if (runs_.size() == 1) runs_.front().groups = ends_.front() = 1;  // all alike, however many
}

std::size_t GroupOrder::run_at(std::int64_t in_cycle) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(ends_, in_cycle) - ends_.begin());
}

std::uint32_t GroupOrder::kind_of(std::int64_t age) const {
  if (runs_.size() == 1) return runs_.front().kind;
  return runs_[run_at(age % ends_.back())].kind;
}

std::vector<std::int64_t> GroupOrder::counts(std::size_t kinds, std::int64_t groups) const {
  std::vector<std::int64_t> counts(kinds, 0);
  const std::int64_t cycles = groups / ends_.back();
  std::int64_t left = groups % ends_.back();
  for (const Run& run : runs_) {
    const std::int64_t of_last_cycle = std::min(left, run.groups);
    counts[run.kind] += cycles * run.groups + of_last_cycle;
    left -= of_last_cycle;
  }
  return counts;
}

std::vector<std::vector<std::int64_t>> GroupOrder::counts_by_age(std::size_t kinds, std::int64_t groups,
                                                                 std::int64_t modulus) const {
  std::vector<std::vector<std::int64_t>> counts(kinds, std::vector<std::int64_t>(static_cast<std::size_t>(modulus), 0));
  const auto add = [&](std::uint32_t kind, std::int64_t age, std::int64_t times) {
    counts[kind][static_cast<std::size_t>(age % modulus)] += times;
  };
  // Adds `repetitions` of the list; the first begins at an age.
  const auto add_list = [&](std::int64_t age, std::int64_t left, std::int64_t repetitions) {
    for (const Run& run : runs_) {
      const std::int64_t here = std::min(left, run.groups);
      for (std::int64_t i = 0; i < std::min(here, modulus); ++i)
        add(run.kind, age + i, repetitions * ((here - 1 - i) / modulus + 1));
      age += here;
      left -= here;
    }
  };
  const std::int64_t list = ends_.back(), lists = groups / list;
  // Lists with equal first ages, modulo the modulus, are `modulus` lists apart.
  for (std::int64_t i = 0; i < std::min(lists, modulus); ++i) add_list(i * list, list, (lists - 1 - i) / modulus + 1);
  add_list(lists * list, groups % list, 1);
  return counts;
}

std::int64_t GroupOrder::repeats(std::int64_t first, std::int64_t distance, std::int64_t most) const {
  const std::int64_t cycle = ends_.back();
  if (distance % cycle == 0 || runs_.size() == 1) return most;
  std::int64_t before = (first - distance) % cycle, now = first % cycle;
  std::size_t run_before = run_at(before), run_now = run_at(now);
  // Both positions move together: after agreement over a whole cycle they agree for ever.
  for (std::int64_t agreed = 0; agreed < std::min(cycle, most);) {
    if (runs_[run_before].kind != runs_[run_now].kind) return agreed;
    const std::int64_t step = std::min(ends_[run_before] - before, ends_[run_now] - now);
    agreed += step;
    const auto advance = [&](std::int64_t& at, std::size_t& run) {
      at += step;
      if (at == ends_[run] && ++run == runs_.size()) at = 0, run = 0;
    };
    advance(before, run_before);
    advance(now, run_now);
  }
  return most;
}

}  // namespace warpipe
