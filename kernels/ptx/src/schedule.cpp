#include "schedule.hpp"

#include <algorithm>
#include <set>
#include <span>

namespace warpipe::ptx {
namespace {

constexpr std::uint32_t kWindow = 256;  // instructions considered together

bool is_load(const Instruction& instruction) {
  return is_access(instruction) && instruction.opcode() == "ld" && !instruction.has("volatile");
}

/// Registers of 32 bits that a load fills.
std::size_t words(const Instruction& load) {
  const int bits = std::max(32, load.type().bits) * load.vector_length();
  return static_cast<std::size_t>(bits / 32);
}

class Window {
 public:
  Window(const Routine& routine, std::uint32_t first, std::uint32_t last)
      : routine_(routine), first_(first), size_(last - first) {
    for (std::uint32_t i = 0; i < size_; ++i) {
      reads_.push_back(sorted(read_registers(at(i))));
      writes_.push_back(sorted(written_registers(at(i))));
    }
  }

  std::vector<std::uint32_t> order(std::size_t most_waiting, std::size_t& moved) {
    find_dependences();
    std::vector<std::uint32_t> result;
    std::vector<bool> issued(size_, false);
    std::set<std::uint32_t> waiting;  // loads not yet used
    while (result.size() < size_) {
      std::size_t ahead = 0;
      for (const auto load : waiting) ahead += words(at(load));
      const auto next = choose(issued, ahead, most_waiting);
      issued[next] = true;
      moved += std::find(issued.begin(), issued.begin() + next, false) != issued.begin() + next ? 1U : 0U;
      for (const auto producer : before_[next]) waiting.erase(producer);
      if (is_load(at(next))) waiting.insert(next);
      result.push_back(first_ + next);
    }
    return result;
  }

 private:
  const Instruction& at(std::uint32_t i) const { return routine_.instructions[first_ + i]; }

  static std::vector<std::uint32_t> sorted(std::vector<std::uint32_t> registers) {
    std::ranges::sort(registers);
    return registers;
  }

  static bool meet(const std::vector<std::uint32_t>& one, const std::vector<std::uint32_t>& other) {
    return std::ranges::any_of(one, [&](std::uint32_t reg) { return std::ranges::binary_search(other, reg); });
  }

  bool must_follow(std::uint32_t later, std::uint32_t earlier) const {
    const auto& one = at(later);
    const auto& other = at(earlier);
    // Only loads move; all else stays in order.
    if (!is_load(one) && !is_load(other)) return true;
    if (meet(reads_[later], writes_[earlier]) || meet(writes_[later], reads_[earlier]) ||
        meet(writes_[later], writes_[earlier]))
      return true;
    if (orders_memory(one) || orders_memory(other)) return true;
    const bool stores = one.opcode() == "st" || other.opcode() == "st";
    return stores && may_meet(one, other);
  }

  void find_dependences() {
    before_.resize(size_);
    for (std::uint32_t later = 0; later < size_; ++later)
      for (std::uint32_t earlier = 0; earlier < later; ++earlier)
        if (must_follow(later, earlier)) before_[later].push_back(earlier);
  }

  bool is_ready(std::uint32_t i, const std::vector<bool>& issued) const {
    return !issued[i] && std::ranges::all_of(before_[i], [&](std::uint32_t producer) { return issued[producer]; });
  }

  std::uint32_t choose(const std::vector<bool>& issued, std::size_t ahead, std::size_t most_waiting) const {
    std::uint32_t first = size_;
    const auto next_of_text = static_cast<std::uint32_t>(std::ranges::find(issued, false) - issued.begin());
    for (std::uint32_t i = 0; i < size_; ++i) {
      if (!is_ready(i, issued)) continue;
      const bool load = is_load(at(i));
      if (load && (ahead == 0 || ahead + words(at(i)) <= most_waiting || i == next_of_text)) return i;
      if (first == size_ || (!load && is_load(at(first)))) first = i;
    }
    return first;
  }

  const Routine& routine_;
  std::uint32_t first_, size_;
  std::vector<std::vector<std::uint32_t>> reads_, writes_, before_;
};

}  // namespace

Schedule schedule_loads(const Routine& routine, const isa::ControlFlow& flow, std::size_t most_waiting) {
  Schedule schedule;
  for (const auto& block : flow.blocks) {
    auto& order = schedule.blocks.emplace_back();
    for (auto first = block.first; first < block.last; first += kWindow) {
      const auto last = std::min(block.last, first + kWindow);
      const std::span window(routine.instructions.begin() + first, routine.instructions.begin() + last);
      if (most_waiting == 0 || std::ranges::none_of(window, is_load)) {
        for (auto i = first; i < last; ++i) order.push_back(i);
        continue;
      }
      const auto part = Window(routine, first, last).order(most_waiting, schedule.moved);
      order.insert(order.end(), part.begin(), part.end());
    }
  }
  return schedule;
}

}  // namespace warpipe::ptx
