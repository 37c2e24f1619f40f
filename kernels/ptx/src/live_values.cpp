#include "live_values.hpp"

#include <algorithm>
#include <bit>

#include "warpipe/idg/error.hpp"

namespace warpipe::ptx {
namespace {

constexpr std::size_t kMostBits = 1'000'000'000;

}  // namespace

void RegisterSet::add(std::uint32_t reg) {
  if (has(reg)) return;
  bits_[reg / 64] |= std::uint64_t{1} << (reg % 64);
  words_ += (*sizes_)[reg];
}

void RegisterSet::remove(std::uint32_t reg) {
  if (!has(reg)) return;
  bits_[reg / 64] &= ~(std::uint64_t{1} << (reg % 64));
  words_ -= (*sizes_)[reg];
}

void RegisterSet::add(const RegisterSet& others) {
  for (std::uint32_t i = 0; i < bits_.size(); ++i)
    for (auto more = others.bits_[i] & ~bits_[i]; more != 0; more &= more - 1)
      add(64 * i + static_cast<std::uint32_t>(std::countr_zero(more)));
}

std::vector<std::uint32_t> RegisterSet::registers() const {
  std::vector<std::uint32_t> result;
  for (std::uint32_t i = 0; i < bits_.size(); ++i)
    for (auto left = bits_[i]; left != 0; left &= left - 1) {
      const auto reg = 64 * i + static_cast<std::uint32_t>(std::countr_zero(left));
      if ((*sizes_)[reg] > 0) result.push_back(reg);
    }
  return result;
}

LiveValues::LiveValues(const Routine& routine, const isa::Program& program, const isa::ControlFlow& flow,
                       const Lowered& lowered, const std::vector<bool>& uniform)
    : routine_(routine), flow_(flow), lowered_(lowered) {
  if (flow.blocks.size() > kMostBits / (program.registers.size() + 1))
    throw InputError(Diagnostic{program.file, "a kernel's basic blocks times its registers are at most 10^9",
                                "found more", "import a smaller kernel"});
  for (std::uint32_t reg = 0; reg < program.registers.size(); ++reg) {
    const auto& one = program.registers[reg];
    const bool takes_none = one.file != isa::File::Lane || (!uniform.empty() && uniform[reg]);
    words_.push_back(takes_none ? 0 : (one.bits + 31) / 32);
  }
  find_writers();
  solve();
}

void LiveValues::find_writers() {
  only_writer_.assign(words_.size(), UINT32_MAX);
  std::vector<bool> written(words_.size(), false);
  for (std::uint32_t i = 0; i < routine_.instructions.size(); ++i) {
    writes_.push_back(written_registers(routine_.instructions[i]));
    for (const auto reg : writes_.back()) {
      only_writer_[reg] = written[reg] ? UINT32_MAX : i;
      written[reg] = true;
    }
  }
  for (std::uint32_t i = 0; i < routine_.instructions.size(); ++i) {
    // A guarded write keeps the old value, unless there was none: no other instruction writes the register.
    const auto alone = [&](std::uint32_t reg) { return only_writer_[reg] == i; };
    overwrites_.push_back(!routine_.instructions[i].guard || std::ranges::all_of(writes_[i], alone));
    reads_.push_back(lowered_.instructions[i].reads);
    if (routine_.instructions[i].guard && overwrites_[i])
      std::erase_if(reads_[i], [&](auto reg) { return std::ranges::find(writes_[i], reg) != writes_[i].end(); });
  }
}

void LiveValues::solve() {
  entering_.assign(flow_.blocks.size(), RegisterSet(words_));
  for (bool changed = true; changed;) {
    changed = false;
    for (auto block = static_cast<std::uint32_t>(flow_.blocks.size()); block-- > 0;) {
      auto live = leaving(block);
      for (auto i = flow_.blocks[block].last; i-- > flow_.blocks[block].first;) step_back(i, live);
      if (live == entering_[block]) continue;
      entering_[block] = std::move(live);
      changed = true;
    }
  }
}

RegisterSet LiveValues::leaving(std::uint32_t block) const {
  RegisterSet live(words_);
  for (const auto successor : flow_.blocks[block].successors) live.add(entering_[successor]);
  return live;
}

bool LiveValues::is_left(std::uint32_t instruction, const RegisterSet& live) const {
  return !lowered_.instructions[instruction].gone ||
         std::ranges::any_of(writes_[instruction], [&](auto reg) { return live.has(reg); });
}

void LiveValues::step_back(std::uint32_t instruction, RegisterSet& live) const {
  const bool left = is_left(instruction, live);
  if (overwrites_[instruction])
    for (const auto reg : writes_[instruction]) live.remove(reg);
  if (!left) return;
  for (const auto reg : reads_[instruction]) live.add(reg);
}

}  // namespace warpipe::ptx
