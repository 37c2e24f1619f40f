#include "warpipe/isa/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "flow/block_walk.hpp"
#include "flow/pending_queues.hpp"

namespace warpipe::isa {
namespace {

class Check {
 public:
  Check(const Program& program, const ControlFlow& flow)
      : program_(program), flow_(flow), entering_(flow.blocks.size()) {
    for (const auto& instruction : program.instructions) {
      written_.push_back(written_registers(instruction));
      for (const auto& wait : instruction.timing.waits)
        most_pending_[wait.counter] = std::max(most_pending_[wait.counter], wait.pending);
    }
  }

  std::vector<CoverageGap> run() {
    const auto run_block = [&](std::uint32_t block, PendingQueues& queues) {
      for (auto i = flow_.blocks[block].first; i < flow_.blocks[block].last; ++i) execute(i, queues);
    };
    walk_blocks(flow_, entering_, run_block,
                [](PendingQueues& into, const PendingQueues& from) { return into.join(from); });
    return {gaps_.begin(), gaps_.end()};
  }

 private:
  void execute(std::uint32_t index, PendingQueues& queues) {
    const auto& instruction = program_.instructions[index];
    for (const auto& wait : instruction.timing.waits)
      queues.erase_if(
          [&](const Pending& pending) { return pending.counter == wait.counter && pending.younger >= wait.pending; });
    look_at(index, queues);
    for (const auto counter : instruction.timing.raises) {
      age(counter, queues);
      join(index, counter, queues);
    }
    for (const auto counter : instruction.timing.joins) join(index, counter, queues);
    for (const auto counter : instruction.timing.commits) age(counter, queues);
  }

  void join(std::uint32_t index, std::uint8_t counter, PendingQueues& queues) {
    if (!written_[index].empty()) queues.insert(counter, index);
  }

  /// The largest pending number of a wait stands for more.
  void age(std::uint8_t counter, PendingQueues& queues) { queues.age(counter, most_pending_[counter]); }

  void look_at(std::uint32_t index, const PendingQueues& queues) {
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
        if (exclude_each_other(pending.instruction, index)) continue;
        if (is_read || (is_written && !in_order))
          gaps_.insert({index, pending.instruction, reg, pending.counter, !is_read});
      }
  }

  /// Whether no lane takes part in both: a predicate guards one, its opposite the other, and nothing between writes the
  /// predicate.
  bool exclude_each_other(std::uint32_t first, std::uint32_t second) const {
    const auto &one = program_.instructions[first].guard, &other = program_.instructions[second].guard;
    if (!one || !other || first >= second || flow_.block_of[first] != flow_.block_of[second]) return false;
    if (one->registers != other->registers || one->negated == other->negated) return false;
    for (auto i = first; i < second; ++i)
      if (std::ranges::find(written_[i], one->registers.first) != written_[i].end()) return false;
    return true;
  }

  const Program& program_;
  const ControlFlow& flow_;
  std::vector<PendingQueues> entering_;                 ///< by block
  std::vector<std::vector<std::uint32_t>> written_;     ///< by instruction
  std::map<std::uint8_t, std::uint32_t> most_pending_;  ///< allowed by a wait for a counter
  std::set<CoverageGap> gaps_;
};

}  // namespace

std::vector<CoverageGap> check_coverage(const Program& program, const ControlFlow& flow) {
  return Check(program, flow).run();
}

std::size_t awaited_uses(const Program& program, const ControlFlow& flow) {
  using Writers = std::map<std::uint32_t, std::set<std::uint32_t>>;  // the last writers with a counter, by register
  std::vector<Writers> entering(flow.blocks.size());
  std::set<std::pair<std::uint32_t, std::uint32_t>> found;
  const auto run_block = [&](std::uint32_t block, Writers& writers) {
    for (auto i = flow.blocks[block].first; i < flow.blocks[block].last; ++i) {
      const auto& instruction = program.instructions[i];
      for (const auto reg : read_registers(program, instruction))
        if (const auto known = writers.find(reg); known != writers.end())
          for (const auto writer : known->second) found.emplace(writer, i);
      for (const auto reg : written_registers(instruction)) writers.erase(reg);
      if (instruction.timing.raises.empty() && instruction.timing.joins.empty()) continue;
      for (const auto reg : written_registers(instruction)) writers[reg] = {i};
    }
  };
  const auto join = [](Writers& into, const Writers& from) {
    bool is_more = false;
    for (const auto& [reg, writers] : from) is_more |= insert_all(into[reg], writers);
    return is_more;
  };
  walk_blocks(flow, entering, run_block, join);
  return found.size();
}

std::string text_of(const CoverageGap& gap, const Program& program) {
  const auto& user = program.instructions[gap.instruction];
  const auto& producer = program.instructions[gap.producer];
  return fmt::format("line {}, \"{}\": {} {} while {} on line {} may be about to write it", user.line, user.text,
                     gap.overwrites ? "writes" : "reads", program.registers[gap.reg].name, producer.name,
                     producer.line);
}

}  // namespace warpipe::isa
