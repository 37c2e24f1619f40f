#include "warpipe/isa/wait_counters.hpp"

#include <algorithm>
#include <map>

#include "flow/block_walk.hpp"
#include "flow/pending_queues.hpp"

namespace warpipe::isa {
namespace {

constexpr std::uint32_t kMostAgain = 64;  // executions of an instruction, told apart

class Simulation {
 public:
  Simulation(const Program& program, const ControlFlow& flow)
      : program_(program), flow_(flow), entering_(flow.blocks.size()), back_(program.instructions.size()) {
    for (const auto& instruction : program.instructions)
      for (const auto& wait : instruction.timing.waits)
        most_pending_[wait.counter] = std::max(most_pending_[wait.counter], wait.pending);
  }

  std::vector<std::vector<Awaited>> run() {
    const auto run_block = [&](std::uint32_t block, PendingQueues& queues) {
      for (auto i = flow_.blocks[block].first; i < flow_.blocks[block].last; ++i) execute(i, queues);
    };
    walk_blocks(flow_, entering_, run_block,
                [](PendingQueues& into, const PendingQueues& from) { return into.join(from); });
    std::vector<std::vector<Awaited>> result;
    for (const auto& of_instruction : back_) {
      auto& awaited = result.emplace_back();
      for (const auto& [instruction, back] : of_instruction) awaited.push_back({instruction, back});
    }
    return result;
  }

 private:
  void execute(std::uint32_t index, PendingQueues& queues) {
    const auto& timing = program_.instructions[index].timing;
    for (const auto& wait : timing.waits) drain(wait, index, queues);
    for (const auto counter : timing.raises) {
      age(counter, queues);
      join(counter, index, queues);
    }
    for (const auto counter : timing.joins) join(counter, index, queues);
    for (const auto counter : timing.commits) age(counter, queues);
  }

  /// Of several ending executions of an instruction, the most recent stands for all.
  void drain(const Wait& wait, std::uint32_t index, PendingQueues& queues) {
    queues.erase_if([&](const Pending& pending) {
      const bool ends = pending.counter == wait.counter && pending.younger >= wait.pending;
      if (!ends) return false;
      const auto [place, is_new] = back_[index].emplace(pending.instruction, pending.again + 1);
      if (!is_new) place->second = std::min(place->second, pending.again + 1);
      return true;
    });
  }

  void age(std::uint8_t counter, PendingQueues& queues) const {
    if (const auto most = most_pending_.find(counter); most != most_pending_.end()) queues.age(counter, most->second);
  }

  void join(std::uint8_t counter, std::uint32_t index, PendingQueues& queues) const {
    if (most_pending_.contains(counter)) queues.insert(counter, index, kMostAgain);
  }

  const Program& program_;
  const ControlFlow& flow_;
  std::vector<PendingQueues> entering_;                       ///< by block
  std::vector<std::map<std::uint32_t, std::uint32_t>> back_;  ///< by instruction: the awaited instructions
  std::map<std::uint8_t, std::uint32_t> most_pending_;        ///< allowed by a wait for a counter
};

}  // namespace

std::vector<std::vector<Awaited>> waited_for(const Program& program, const ControlFlow& flow) {
  return Simulation(program, flow).run();
}

}  // namespace warpipe::isa
