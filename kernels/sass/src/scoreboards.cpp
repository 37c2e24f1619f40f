#include "scoreboards.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "lane_maker.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::sass {
namespace {

/// Of registers whose new values are under way, the instructions that bring them.
using Pending = std::map<std::uint32_t, std::set<std::uint32_t>>;

class Check {
 public:
  Check(const Module& module, const Kernel& kernel, const ReadKernel& read, const isa::ControlFlow& flow)
      : module_(module), kernel_(kernel), read_(read), flow_(flow), entering_(flow.blocks.size()) {}

  Coverage run() {
    std::set<std::uint32_t> waiting{0};
    std::vector<bool> visited(flow_.blocks.size(), false);
    while (!waiting.empty()) {
      const auto block = *waiting.begin();
      waiting.erase(waiting.begin());
      visited[block] = true;
      auto pending = entering_[block];
      for (auto i = flow_.blocks[block].first; i < flow_.blocks[block].last; ++i) execute(i, pending, false);
      for (const auto successor : flow_.blocks[block].successors)
        if (join(entering_[successor], pending) || !visited[successor]) waiting.insert(successor);
    }
    for (std::size_t block = 0; block < flow_.blocks.size(); ++block) {
      auto pending = entering_[block];
      for (auto i = flow_.blocks[block].first; visited[block] && i < flow_.blocks[block].last; ++i)
        execute(i, pending, true);
    }
    return std::move(found_);
  }

 private:
  static bool join(Pending& into, const Pending& from) {
    bool changed = false;
    for (const auto& [reg, writers] : from)
      for (const auto writer : writers) changed |= into[reg].insert(writer).second;
    return changed;
  }

  unsigned board_of(std::uint32_t instruction) const { return read_.decoded[instruction].control.write_barrier; }

  void execute(std::uint32_t index, Pending& pending, bool counts) {
    const auto& instruction = read_.program.instructions[index];
    // What a decoder adds for itself reads nothing that its instruction does not.
    if (instruction.ops.empty() && instruction.timing.waits.empty() && instruction.timing.raises.empty()) return;
    for (const auto& wait : instruction.timing.waits)
      if (wait.pending == 0 || read_.decoded[index].control.waits == 0) drain(wait, index, pending);
    for (const auto& range : instruction.reads)
      for (std::uint32_t k = 0; k < range.count; ++k) use(range.first + k, index, pending, counts);
    for (const auto& range : instruction.writes)
      for (std::uint32_t k = 0; k < range.count; ++k) write(range.first + k, index, pending);
  }

  void drain(const isa::Wait& wait, std::uint32_t, Pending& pending) const {
    for (auto& [reg, writers] : pending)
      std::erase_if(writers, [&](std::uint32_t writer) { return board_of(writer) == wait.counter; });
    std::erase_if(pending, [](const auto& one) { return one.second.empty(); });
  }

  void use(std::uint32_t reg, std::uint32_t index, const Pending& pending, bool counts) {
    if (!counts) return;
    const auto found = pending.find(reg);
    ++found_.uses;
    if (found == pending.end()) return;
    ++found_.uncovered;
    if (!found_.first.empty()) return;
    const auto writer = *found->second.begin();
    found_.first = fmt::format("{} at {:#x} reads {}, which {} at {:#x} writes, without a wait for scoreboard {}",
                               read_.decoded[index].name, read_.decoded[index].address,
                               read_.program.registers[reg].name, read_.decoded[writer].name,
                               read_.decoded[writer].address, board_of(writer));
  }

  void write(std::uint32_t reg, std::uint32_t index, Pending& pending) const {
    const auto& raises = read_.program.instructions[index].timing.raises;
    if (!raises.empty()) {
      auto& writers = pending[reg];
      if (!read_.program.instructions[index].guard) writers.clear();
      writers.insert(index);
    } else if (!read_.program.instructions[index].guard) {
      pending.erase(reg);
    }
  }

  const Module& module_;
  const Kernel& kernel_;
  const ReadKernel& read_;
  const isa::ControlFlow& flow_;
  std::vector<Pending> entering_;
  Coverage found_;
};

[[noreturn]] void disagree(const Module& module, const Kernel& kernel, std::uint64_t address, std::string found) {
  throw InputError(Diagnostic{place_of(module, kernel, address), "decoder and file disagree", std::move(found),
                              "the file is damaged, or this program reads its instructions wrongly: import the PTX, "
                              "and send the file"});
}

void require_registers(const Module& module, const Kernel& kernel, const ReadKernel& read) {
  if (kernel.registers <= 0) return;
  const auto check = [&](const Decoded& one, const Operand& operand) {
    if (operand.kind != Operand::Kind::Register || is_nothing(operand)) return;
    const auto last = operand.number + static_cast<unsigned>(operand.words) - 1;
    if (last >= kernel.registers)
      disagree(module, kernel, one.address,
               fmt::format("{} uses R{}, a thread has {} registers", one.name, last, kernel.registers));
  };
  for (const auto& one : read.decoded) {
    for (const auto& result : one.results) check(one, result);
    for (const auto& source : one.sources) check(one, source);
    if (one.has_place) check(one, one.place.base);
  }
}

}  // namespace

Coverage check_waits(const Module& module, const Kernel& kernel, const ReadKernel& read, const isa::ControlFlow& flow) {
  return Check(module, kernel, read, flow).run();
}

void require_agreement(const Module& module, const Kernel& kernel, const ReadKernel& read,
                       const isa::ControlFlow& flow) {
  require_registers(module, kernel, read);
  const auto coverage = check_waits(module, kernel, read, flow);
  if (coverage.uncovered > 0)
    disagree(module, kernel, 0,
             fmt::format("{} uses without a wait; {}", coverage.uncovered, coverage.first));
}

}  // namespace warpipe::sass
