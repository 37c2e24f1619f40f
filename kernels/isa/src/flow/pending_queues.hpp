#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

namespace warpipe::isa {

/// A pending instruction on a counter, with the number of later instructions that raised the counter or committed a
/// group, and the number of later executions of the same instruction.
struct Pending {
  std::uint8_t counter = 0;
  std::uint32_t instruction = 0;
  std::uint32_t younger = 0, again = 0;
};

/// All instructions possibly pending at a place. They are independent of each other: the queues of all ways to the
/// place may be joined. Among executions of an instruction with as many younger instructions, the most recent stands
/// for all: they end together.
class PendingQueues {
 public:
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }
  bool empty() const { return all_.empty(); }

  /// The pending instructions on a counter get a further instruction behind them; `most` stands for more.
  void age(std::uint8_t counter, std::uint32_t most) {
    auto kept = all_.begin();
    for (auto pending : all_) {
      if (pending.counter == counter) pending.younger = std::min(pending.younger + 1, most);
      if (kept != all_.begin() && place_of(*(kept - 1)) == place_of(pending))
        (kept - 1)->again = std::min((kept - 1)->again, pending.again);
      else
        *kept++ = pending;
    }
    all_.erase(kept, all_.end());
  }

  /// An instruction executes; `most_again` stands for more executions.
  void insert(std::uint8_t counter, std::uint32_t instruction, std::uint32_t most_again = 0) {
    const Pending made{counter, instruction, 0, 0};
    const auto first = std::ranges::lower_bound(all_, place_of(made), {}, place_of);
    for (auto one = first; one != all_.end() && one->counter == counter && one->instruction == instruction; ++one)
      one->again = std::min(one->again + 1, most_again);
    if (first != all_.end() && place_of(*first) == place_of(made))
      first->again = 0;
    else
      all_.insert(first, made);
  }

  template <class Condition>
  void erase_if(const Condition& condition) {
    std::erase_if(all_, condition);
  }

  /// @return whether the join added anything
  bool join(const PendingQueues& other) {
    bool is_more = false;
    std::vector<Pending> merged;
    merged.reserve(all_.size() + other.all_.size());
    auto mine = all_.begin();
    for (const auto& theirs : other.all_) {
      while (mine != all_.end() && place_of(*mine) < place_of(theirs)) merged.push_back(*mine++);
      const bool known = mine != all_.end() && place_of(*mine) == place_of(theirs);
      is_more |= !known || theirs.again < mine->again;
      merged.push_back(known && mine->again < theirs.again ? *mine : theirs);
      if (known) ++mine;
    }
    merged.insert(merged.end(), mine, all_.end());
    all_ = std::move(merged);
    return is_more;
  }

 private:
  static std::tuple<std::uint8_t, std::uint32_t, std::uint32_t> place_of(const Pending& one) {
    return {one.counter, one.instruction, one.younger};
  }

  std::vector<Pending> all_;  ///< by counter, instruction and younger; each combination once
};

}  // namespace warpipe::isa
