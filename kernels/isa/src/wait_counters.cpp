#include "wait_counters.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace warpipe::isa {
namespace {

/// An instruction under way on a counter, and how many raised it since; the most that a wait lets pend stands for more.
struct Pending {
  std::uint8_t counter = 0;
  std::uint32_t instruction = 0;
  std::uint32_t younger = 0;
  auto operator<=>(const Pending&) const = default;
};
/// All that may be under way at a place. Whether one of them is does not depend on the others: the queues of all ways
/// to the place may be joined.
using Queues = std::set<Pending>;

class Simulation {
 public:
  Simulation(const Program& program, const ControlFlow& flow)
      : program_(program), flow_(flow), entering_(flow.blocks.size()), result_(program.instructions.size()) {
    for (const auto& instruction : program.instructions)
      for (const auto& wait : instruction.timing.waits)
        most_pending_[wait.counter] = std::max(most_pending_[wait.counter], wait.pending);
  }

  std::vector<std::vector<std::uint32_t>> run() {
    std::set<std::uint32_t> waiting;
    for (std::uint32_t block = 0; block < flow_.blocks.size(); ++block) waiting.insert(block);
    while (!waiting.empty()) {
      const auto block = *waiting.begin();
      waiting.erase(waiting.begin());
      auto queues = entering_[block];
      for (auto i = flow_.blocks[block].first; i < flow_.blocks[block].last; ++i) execute(i, queues);
      for (const auto successor : flow_.blocks[block].successors) {
        const auto before = entering_[successor].size();
        entering_[successor].insert(queues.begin(), queues.end());
        if (entering_[successor].size() != before) waiting.insert(successor);
      }
    }
    return std::move(result_);
  }

 private:
  void execute(std::uint32_t index, Queues& queues) {
    const auto& timing = program_.instructions[index].timing;
    for (const auto& wait : timing.waits) drain(wait, index, queues);
    for (const auto counter : timing.raises) raise(counter, index, queues);
  }

  void drain(const Wait& wait, std::uint32_t index, Queues& queues) {
    auto& found = result_[index];
    std::erase_if(queues, [&](const Pending& pending) {
      const bool ends = pending.counter == wait.counter && pending.younger >= wait.pending;
      if (ends) found.push_back(pending.instruction);
      return ends;
    });
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
  }

  void raise(std::uint8_t counter, std::uint32_t index, Queues& queues) {
    const auto most = most_pending_.find(counter);
    if (most == most_pending_.end()) return;
    Queues later;
    for (auto pending : queues) {
      if (pending.counter == counter) pending.younger = std::min(pending.younger + 1, most->second);
      later.insert(pending);
    }
    later.insert({counter, index, 0});
    queues = std::move(later);
  }

  const Program& program_;
  const ControlFlow& flow_;
  std::vector<Queues> entering_;  ///< by block
  std::vector<std::vector<std::uint32_t>> result_;
  std::map<std::uint8_t, std::uint32_t> most_pending_;  ///< that a wait for a counter allows
};

}  // namespace

std::vector<std::vector<std::uint32_t>> waited_for(const Program& program, const ControlFlow& flow) {
  return Simulation(program, flow).run();
}

}  // namespace warpipe::isa
