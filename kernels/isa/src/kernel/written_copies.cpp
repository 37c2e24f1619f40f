#include "kernel/written_copies.hpp"

#include <algorithm>
#include <iterator>

namespace warpipe::isa {

void WrittenCopies::open_loop(std::size_t first) {
  loops_.push_back({first, first, innermost_});
  innermost_ = loops_.size() - 1;
}

void WrittenCopies::close_loop(std::size_t last) {
  loops_[innermost_].last = last;
  innermost_ = loops_[innermost_].around;
}

void WrittenCopies::add(std::uint32_t instruction, std::size_t first, std::size_t last, const Slots& slots) {
  copies_[instruction].push_back({first, last, &*slots_.insert(slots).first, innermost_});
}

/// Goes back through the text from `last` to `first`: the first copy on the way is the last copy executed by a warp.
/// @param waiting  the warps without a copy so far; warps that meet a copy are taken away
void WrittenCopies::take(std::uint32_t producer, std::size_t first, std::size_t last, Slots& waiting,
                         std::vector<std::size_t>& taken) const {
  const auto& copies = copies_[producer];
  auto copy = std::ranges::lower_bound(copies, last, {}, &Copy::last);
  while (!waiting.empty() && copy != copies.begin() && (--copy)->last >= first) {
    Slots others;
    if (waiting != *copy->slots) std::ranges::set_difference(waiting, *copy->slots, std::back_inserter(others));
    if (others.size() == waiting.size()) continue;
    taken.push_back(copy->last);
    waiting = std::move(others);
  }
}

std::vector<std::size_t> WrittenCopies::last_before(const Copy& consumer, std::uint32_t producer) const {
  std::vector<std::size_t> taken;
  auto waiting = *consumer.slots;
  auto end = consumer.first;
  for (auto loop = consumer.loop; loop != kNoLoop; loop = loops_[loop].around) {
    take(producer, loops_[loop].first, end, waiting, taken);
    // In its first iteration nothing of this loop came before; in later iterations the text behind the consumer did.
    auto coming_back = waiting;
    take(producer, consumer.first, loops_[loop].last, coming_back, taken);
    end = loops_[loop].first;
  }
  take(producer, 0, end, waiting, taken);
  std::ranges::sort(taken);
  taken.erase(std::unique(taken.begin(), taken.end()), taken.end());
  return taken;
}

}  // namespace warpipe::isa
