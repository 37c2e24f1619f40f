#include "register_banks.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>

#include "matrix.hpp"
#include "rows.hpp"

namespace warpipe::sass {
namespace {

constexpr std::size_t kBanks = 2;
constexpr std::size_t kGathered = 2;  // instructions whose operands are gathered at a time

bool ends_block(const Decoded& one) { return one.row != nullptr && one.row->layout == Layout::Branch; }

/// Whether its operands are read as it issues: arithmetic with a latency known to the compiler.
bool reads_at_issue(const Decoded& one) {
  return is_known(one) && !one.has_place && !ends_block(one) && one.control.write_barrier == Control::kNone &&
         one.control.read_barrier == Control::kNone && !matrix_product(one);
}

/// The times at which the banks have given the operands of a block's instructions, in turn.
class Banks {
 public:
  /// @return its issue
  int issue(const Decoded& one) {
    const int now = std::max(issued_ + 1, gathered_[kGathered - 1]);
    int all = now + 1;
    const auto operands = read(one);
    for (std::size_t bank = 0; bank < kBanks; ++bank) {
      if (operands[bank] > 0) free_[bank] = std::max(free_[bank], now) + operands[bank];
      all = std::max(all, free_[bank]);
    }
    std::rotate(gathered_.begin(), gathered_.end() - 1, gathered_.end());
    gathered_.front() = all;
    issued_ = now;
    return now;
  }

 private:
  /// How many operands each bank gives.
  std::array<int, kBanks> read(const Decoded& one) {
    std::array<std::set<unsigned>, kBanks> read;
    std::vector<const Operand*> kept(one.sources.size());
    for (std::size_t i = 0; i < one.sources.size(); ++i) {
      const auto& operand = one.sources[i];
      if (operand.kind != Operand::Kind::Register || is_nothing(operand)) continue;
      if (operand.reuse) kept[i] = &operand;
      const bool is_kept = i < kept_.size() && kept_[i] != nullptr && kept_[i]->number == operand.number;
      for (int word = 0; word < operand.words && !is_kept; ++word) {
        const unsigned number = operand.number + static_cast<unsigned>(word);
        read[number % kBanks].insert(number);
      }
    }
    kept_ = std::move(kept);
    if (!reads_at_issue(one)) return {};
    return {static_cast<int>(read[0].size()), static_cast<int>(read[1].size())};
  }

  int issued_ = -1;
  std::array<int, kBanks> free_{};
  std::array<int, kGathered> gathered_{};  ///< when the operands of the last instructions are there, the latest first
  std::vector<const Operand*> kept_;       ///< by operand of the instruction before; null: none
};

/// The starts of blocks, and the end of the last block.
std::vector<std::size_t> blocks_of(const std::vector<Decoded>& code) {
  std::set<std::uint64_t> begins;
  for (const auto& one : code)
    if (ends_block(one)) begins.insert({one.target, one.address + 16});
  std::vector<std::size_t> blocks;
  for (std::size_t i = 0; i < code.size(); ++i)
    if (i == 0 || begins.contains(code[i].address)) blocks.push_back(i);
  blocks.push_back(code.size());
  return blocks;
}

}  // namespace

std::vector<int> register_reads(const std::vector<Decoded>& code) {
  std::vector<int> reads(code.size(), 1);
  const auto blocks = blocks_of(code);
  for (std::size_t block = 0; block + 1 < blocks.size(); ++block) {
    const auto first = blocks[block], end = blocks[block + 1];
    Banks banks;
    for (auto i = first; i < end; ++i) banks.issue(code[i]);
    int before = banks.issue(code[first]);
    for (auto i = first; i < end; ++i) {
      const int next = banks.issue(code[i + 1 < end ? i + 1 : first]);
      reads[i] = next - before;
      before = next;
    }
  }
  return reads;
}

}  // namespace warpipe::sass
