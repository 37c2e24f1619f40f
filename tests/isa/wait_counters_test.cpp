#include "warpipe/isa/wait_counters.hpp"

#include <gmock/gmock.h>

#include "toy_assembly.hpp"

namespace warpipe::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The producers of the instruction on a line, by lines.
std::vector<std::pair<std::uint32_t, std::uint32_t>> waited(const std::string& text, std::uint32_t line) {
  const auto program = read_toy(text);
  const auto all = isa::waited_for(program, isa::analyse_control_flow(program));
  std::vector<std::pair<std::uint32_t, std::uint32_t>> result;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i)
    if (program.instructions[i].line == line)
      for (const auto& [instruction, back] : all[i]) result.emplace_back(program.instructions[instruction].line, back);
  return result;
}

using Lines = std::pair<std::uint32_t, std::uint32_t>;

TEST(WaitCounters, LeaveTheYoungestPending) {
  const std::string text = "load v1, v0, s[0:1]\nload v2, v0, s[0:1]\nstore v3, v0, s[0:1]\nwait 0, 1\nwait 0, 0\nend";
  EXPECT_THAT(waited(text, 4), ElementsAre(Lines{1, 1}, Lines{2, 1}));
  EXPECT_THAT(waited(text, 5), ElementsAre(Lines{3, 1}));
}

TEST(WaitCounters, DoNotMeetEachOther) {
  const std::string text = "load v1, v0, s[0:1]\nlds_load v2, v0\nwait 1, 0\nwait 0, 0\nend";
  EXPECT_THAT(waited(text, 3), ElementsAre(Lines{2, 1}));
  EXPECT_THAT(waited(text, 4), ElementsAre(Lines{1, 1}));
}

TEST(WaitCounters, ForgetWhatHasBeenWaitedFor) {
  EXPECT_THAT(waited("load v1, v0, s[0:1]\nwait 0, 0\nwait 0, 0\nend", 3), IsEmpty());
}

TEST(WaitCounters, GoRoundLoopsUntilTheQueuesRepeat) {
  // Two loads per round, three may pend: of five, line 1 of the previous round ends, and line 2 of the round before
  // that.
  const std::string text = "l: load v1, v0, s[0:1]\nload v2, v0, s[0:1]\nwait 0, 3\nif scc, l\nwait 0, 0\nend";
  EXPECT_THAT(waited(text, 3), ElementsAre(Lines{1, 2}, Lines{2, 3}));
  // A round leaves three behind it: both of this round, and line 2 of the previous round.
  EXPECT_THAT(waited(text, 5), ElementsAre(Lines{1, 1}, Lines{2, 1}));
}

TEST(WaitCounters, JoinTheQueuesOfTwoWays) {
  // The first load is the second youngest only where the second load was not jumped over.
  const std::string text = "load v1, v0, s[0:1]\nif scc, l\nload v2, v0, s[0:1]\nl: wait 0, 1\nwait 0, 0\nend";
  EXPECT_THAT(waited(text, 4), ElementsAre(Lines{1, 1}));
  EXPECT_THAT(waited(text, 5), ElementsAre(Lines{1, 1}, Lines{3, 1}));
}

}  // namespace
}  // namespace warpipe::test
