#include "support/reference_stream.hpp"

#include <utility>

namespace warpipe::reference {

InstructionStream::InstructionStream(const Kernel& kernel, Values values) : values_(std::move(values)) {
  enter(kernel.body, 1);
}

void InstructionStream::enter(const std::vector<Item>& body, std::int64_t trips) {
  if (trips > 0) open_.push_back({&body, 0, trips});
}

std::optional<std::size_t> InstructionStream::next() {
  while (!open_.empty()) {
    OpenBody& innermost = open_.back();
    if (innermost.position == innermost.body->size()) {
      innermost.position = 0;
      if (--innermost.trips_left == 0) open_.pop_back();
      continue;
    }
    const Item& item = (*innermost.body)[innermost.position++];
    if (const auto* instruction = std::get_if<std::size_t>(&item.node)) return *instruction;
    // "A loop runs its body `trip_count` times; a `when` block runs where its condition is not zero".
    if (const auto* loop = std::get_if<Loop>(&item.node))
      enter(loop->body, loop->trip_count.evaluate_whole(values_, 0));
    else if (const auto* when = std::get_if<When>(&item.node))
      enter(when->body, when->condition.evaluate(values_) != 0 ? 1 : 0);
  }
  return {};
}

}  // namespace warpipe::reference
