#include "command_line.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

namespace measure {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string problem(const std::vector<std::string>& arguments) {
  try {
    parse_command_line(arguments);
  } catch (const std::invalid_argument& found) {
    return found.what();
  }
  return "";
}

TEST(CommandLine, ReadsOptionsWithAndWithoutEquals) {
  const auto line = parse_command_line({"--only", "chains,loop", "--only=mmul", "--device=1", "--table", "h100",
                                        "--output=rows.csv", "--repeats", "9", "--quick", "--probe"});
  EXPECT_THAT(line.only, ElementsAre("chains", "loop", "mmul"));
  EXPECT_EQ(line.device, 1);
  EXPECT_EQ(line.table, "h100");
  EXPECT_EQ(line.output, "rows.csv");
  EXPECT_EQ(line.repeats, 9);
  EXPECT_TRUE(line.quick);
  EXPECT_TRUE(line.probe);
  EXPECT_FALSE(line.list);
}

TEST(CommandLine, MeasuresAllByDefault) {
  const auto line = parse_command_line({});
  EXPECT_TRUE(line.only.empty());
  EXPECT_EQ(line.repeats, 5);
  EXPECT_FALSE(line.quick);
  EXPECT_FALSE(line.probe);
}

TEST(CommandLine, SaysWhatIsWrong) {
  EXPECT_THAT(problem({"--frequency"}), HasSubstr("unknown option \"--frequency\""));
  EXPECT_THAT(problem({"chains"}), HasSubstr("unknown option \"chains\""));
  EXPECT_THAT(problem({"--output"}), HasSubstr("--output: a value goes with it"));
  EXPECT_THAT(problem({"--only="}), HasSubstr("names of parts"));
  EXPECT_THAT(problem({"--device", "-1"}), HasSubstr("from 0 to 1023 goes with it, found \"-1\""));
  EXPECT_THAT(problem({"--repeats", "0"}), HasSubstr("from 1 to 1000"));
  EXPECT_THAT(problem({"--repeats", "99999999999"}), HasSubstr("from 1 to 1000"));
  EXPECT_THAT(problem({"--quick=yes"}), HasSubstr("no value"));
  EXPECT_THAT(problem({"--probe=all"}), HasSubstr("no value"));
}

}  // namespace
}  // namespace measure
