#include "kernel/written_copies.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <vector>

namespace warpipe::test {
namespace {

using isa::Slots;
using isa::WrittenCopies;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint32_t kProducer = 0, kConsumer = 1;

TEST(WrittenCopies, OfEarlierOnesThoseCountWhoseWarpsMetNoLaterOne) {
  WrittenCopies copies(2);
  copies.add(kProducer, 0, 0, {0, 1, 2});
  copies.add(kProducer, 1, 1, {0, 1});
  copies.add(kProducer, 2, 2, {0});
  copies.add(kConsumer, 3, 3, {0, 1});
  copies.add(kConsumer, 4, 4, {2});
  EXPECT_THAT(copies.last_before(copies.of(kConsumer)[0], kProducer), ElementsAre(1, 2));
  EXPECT_THAT(copies.last_before(copies.of(kConsumer)[1], kProducer), ElementsAre(0));
}

TEST(WrittenCopies, OfOtherWarpsAreNotWaitedFor) {
  WrittenCopies copies(2);
  copies.add(kProducer, 0, 0, {0});
  copies.add(kConsumer, 1, 1, {1});
  EXPECT_THAT(copies.last_before(copies.of(kConsumer)[0], kProducer), IsEmpty());
}

TEST(WrittenCopies, WhatFollowsInALoopCountsTheNextTimeRound) {
  WrittenCopies copies(2);
  copies.add(kProducer, 0, 0, {0, 1});
  copies.open_loop(1);
  copies.add(kConsumer, 1, 1, {0, 1});
  copies.add(kProducer, 2, 2, {0, 1});
  copies.close_loop(3);
  copies.add(kConsumer, 3, 3, {0, 1});
  EXPECT_THAT(copies.last_before(copies.of(kConsumer)[0], kProducer), ElementsAre(0, 2));
  EXPECT_THAT(copies.last_before(copies.of(kConsumer)[1], kProducer), ElementsAre(2));
}

TEST(WrittenCopies, EachPassOfALoopThatIsWrittenOutWaitsForItsOwn) {
  WrittenCopies copies(2);
  for (std::size_t pass = 0; pass < 4; ++pass) {
    copies.add(kProducer, 2 * pass, 2 * pass, {0, 1});
    copies.add(kConsumer, 2 * pass + 1, 2 * pass + 1, {0, 1});
  }
  for (std::size_t pass = 0; pass < 4; ++pass)
    EXPECT_THAT(copies.last_before(copies.of(kConsumer)[pass], kProducer), ElementsAre(2 * pass));
}

TEST(WrittenCopies, AnInstructionThatReadsWhatItWroteWaitsForItself) {
  WrittenCopies copies(1);
  copies.add(kProducer, 0, 1, {0});
  copies.open_loop(2);
  copies.add(kProducer, 2, 3, {0});
  copies.close_loop(4);
  EXPECT_THAT(copies.last_before(copies.of(kProducer)[0], kProducer), IsEmpty());
  EXPECT_THAT(copies.last_before(copies.of(kProducer)[1], kProducer), ElementsAre(1, 3));
}

/// A random kernel of copies of two instructions: loops of three trips for all warps within, and sides taken by some
/// warps.
class RandomKernel {
 public:
  explicit RandomKernel(unsigned seed) : random_(seed), copies_(2) { body_ = items({0, 1, 2, 3}, 3); }

  const WrittenCopies& copies() const { return copies_; }

  /// By copy of the consumer: the copies of the producer executed last before it by some warp. Found by executing all,
  /// warp by warp.
  std::vector<std::set<std::size_t>> executed_last() {
    seen_.assign(copies_.of(kConsumer).size(), {});
    for (const auto slot : Slots{0, 1, 2, 3}) {
      last_.reset();
      execute(body_, slot);
    }
    return seen_;
  }

 private:
  struct Item {
    std::uint32_t instruction;
    std::size_t copy;  ///< of the instruction, in the order of the text
    Slots slots;
    std::vector<Item> loop;  ///< else its body
  };

  std::vector<Item> items(const Slots& slots, int depth) {
    std::vector<Item> made;
    for (auto left = random_() % 4 + 1; left > 0; --left) {
      const auto some = random_() % 3 == 0 ? part_of(slots) : slots;
      if (depth > 0 && random_() % 3 == 0) {
        copies_.open_loop(number_);
        made.push_back({0, 0, some, items(some, depth - 1)});
        copies_.close_loop(number_);
        continue;
      }
      const auto instruction = static_cast<std::uint32_t>(random_() % 2);
      copies_.add(instruction, number_, number_, some);
      ++number_;
      made.push_back({instruction, copies_.of(instruction).size() - 1, some, {}});
    }
    return made;
  }

  Slots part_of(const Slots& slots) {
    Slots part;
    for (const auto slot : slots)
      if (random_() % 2 == 0) part.push_back(slot);
    return part.empty() ? slots : part;
  }

  void execute(const std::vector<Item>& items, std::uint32_t slot) {
    for (const auto& item : items) {
      if (std::ranges::find(item.slots, slot) == item.slots.end()) continue;
      for (int pass = 0; !item.loop.empty() && pass < 3; ++pass) execute(item.loop, slot);
      if (!item.loop.empty()) continue;
      if (item.instruction == kProducer) last_ = copies_.of(kProducer)[item.copy].last;
      if (item.instruction == kConsumer && last_) seen_[item.copy].insert(*last_);
    }
  }

  std::mt19937 random_;
  WrittenCopies copies_;
  std::size_t number_ = 0;
  std::vector<Item> body_;
  std::optional<std::size_t> last_;
  std::vector<std::set<std::size_t>> seen_;
};

TEST(WrittenCopies, AreJustThoseThatWarpsExecutedLast) {
  std::size_t consumers = 0;
  for (unsigned seed = 0; seed < 5000; ++seed) {
    RandomKernel kernel(seed);
    const auto executed = kernel.executed_last();
    for (std::size_t i = 0; i < executed.size(); ++i, ++consumers) {
      const auto found = kernel.copies().last_before(kernel.copies().of(kConsumer)[i], kProducer);
      ASSERT_EQ(std::set(found.begin(), found.end()), executed[i]) << "seed " << seed << ", consumer " << i;
    }
  }
  EXPECT_GT(consumers, 10'000U);
}

}  // namespace
}  // namespace warpipe::test
