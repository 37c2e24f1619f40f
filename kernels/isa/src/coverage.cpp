#include "warpipe/isa/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <map>
#include <set>

namespace warpipe::isa {
namespace {

/// An instruction under way on a counter, and how many raised it since: the most that a wait lets pend stands for more.
struct Pending {
  std::uint8_t counter = 0;
  std::uint32_t instruction = 0;
  std::uint32_t younger = 0;
  auto operator<=>(const Pending&) const = default;
};
using Queues = std::set<Pending>;

class Check {
 public:
  Check(const Program& program, const ControlFlow& flow, const CounterFilter& of_results)
      : program_(program), flow_(flow), of_results_(of_results), entering_(flow.blocks.size()) {
    for (const auto& instruction : program.instructions) {
      written_.push_back(written_registers(instruction));
      for (const auto& wait : instruction.timing.waits)
        most_pending_[wait.counter] = std::max(most_pending_[wait.counter], wait.pending);
    }
  }

  Coverage run() {
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
    return {pairs(), {gaps_.begin(), gaps_.end()}};
  }

 private:
  void execute(std::uint32_t index, Queues& queues) {
    const auto& instruction = program_.instructions[index];
    for (const auto& wait : instruction.timing.waits)
      std::erase_if(queues, [&](const Pending& pending) {
        return pending.counter == wait.counter && pending.younger >= wait.pending;
      });
    look_at(index, queues);
    for (const auto counter : instruction.timing.raises) {
      age(counter, queues);
      join(index, counter, queues);
    }
    for (const auto counter : instruction.timing.joins) join(index, counter, queues);
    for (const auto counter : instruction.timing.commits) age(counter, queues);
  }

  void join(std::uint32_t index, std::uint8_t counter, Queues& queues) {
    if (!written_[index].empty() && (!of_results_ || of_results_(program_.instructions[index], counter)))
      queues.insert({counter, index, 0});
  }

  void age(std::uint8_t counter, Queues& queues) {
    const auto most = most_pending_[counter];
    Queues later;
    for (auto pending : queues) {
      if (pending.counter == counter) pending.younger = std::min(pending.younger + 1, most);
      later.insert(pending);
    }
    queues = std::move(later);
  }

  void look_at(std::uint32_t index, const Queues& queues) {
    if (queues.empty()) return;
    const auto& instruction = program_.instructions[index];
    const auto reads = read_registers(program_, instruction);
    const auto& timing = instruction.timing;
    for (const auto& pending : queues)
      for (const auto reg : written_[pending.instruction]) {
        const bool is_read = std::ranges::find(reads, reg) != reads.end();
        const bool is_written = std::ranges::find(written_[index], reg) != written_[index].end();
        const bool in_order = std::ranges::find(timing.raises, pending.counter) != timing.raises.end() ||
                              std::ranges::find(timing.joins, pending.counter) != timing.joins.end();
        if (is_read || (is_written && !in_order))
          gaps_.insert({index, pending.instruction, reg, pending.counter, !is_read});
      }
  }

  /// Uses of what instructions with counters write, gaps included: whoever wrote the register last.
  std::size_t pairs() const {
    const ReachingWriters writers(*this);
    return writers.count;
  }

  /// A count of uses within blocks and between them, by the last writers of each register.
  struct ReachingWriters {
    explicit ReachingWriters(const Check& check) {
      const auto& blocks = check.flow_.blocks;
      std::vector<std::map<std::uint32_t, std::set<std::uint32_t>>> entering(blocks.size());
      std::set<std::pair<std::uint32_t, std::uint32_t>> found;
      std::set<std::uint32_t> waiting;
      for (std::uint32_t block = 0; block < blocks.size(); ++block) waiting.insert(block);
      while (!waiting.empty()) {
        const auto block = *waiting.begin();
        waiting.erase(waiting.begin());
        auto writers = entering[block];
        for (auto i = blocks[block].first; i < blocks[block].last; ++i) {
          const auto& instruction = check.program_.instructions[i];
          for (const auto reg : read_registers(check.program_, instruction))
            if (const auto known = writers.find(reg); known != writers.end())
              for (const auto writer : known->second) found.emplace(writer, i);
          const bool counts = !instruction.timing.raises.empty() || !instruction.timing.joins.empty();
          for (const auto reg : check.written_[i]) {
            if (counts)
              writers[reg] = {i};
            else
              writers.erase(reg);
          }
        }
        for (const auto successor : blocks[block].successors) {
          bool changed = false;
          for (const auto& [reg, of_register] : writers)
            for (const auto writer : of_register) changed |= entering[successor][reg].insert(writer).second;
          if (changed) waiting.insert(successor);
        }
      }
      count = found.size();
    }
    std::size_t count = 0;
  };

  const Program& program_;
  const ControlFlow& flow_;
  const CounterFilter& of_results_;
  std::vector<Queues> entering_;                        ///< by block
  std::vector<std::vector<std::uint32_t>> written_;     ///< by instruction
  std::map<std::uint8_t, std::uint32_t> most_pending_;  ///< that a wait for a counter allows
  std::set<CoverageGap> gaps_;
};

}  // namespace

Coverage check_coverage(const Program& program, const ControlFlow& flow, const CounterFilter& of_results) {
  return Check(program, flow, of_results).run();
}

std::string text_of(const CoverageGap& gap, const Program& program) {
  const auto& user = program.instructions[gap.instruction];
  const auto& producer = program.instructions[gap.producer];
  return fmt::format("line {}, \"{}\": {} {} while {} on line {} may be about to write it", user.line, user.text,
                     gap.overwrites ? "writes" : "reads", program.registers[gap.reg].name, producer.name,
                     producer.line);
}

}  // namespace warpipe::isa
