#include <gmock/gmock.h>

#include <algorithm>

#include "program.hpp"

/// Names and texts of files may hold control sequences for a terminal (colours, titles of windows) or lines that look
/// like the program's own.

namespace warpipe::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Escapes of JSON: a colour, the title of a window, U+009B, which is ESC [, a bell, a line of its own.
constexpr const char* kHostile = R"(\u001b[31mred\u001b]0;owned\u0007\u009b2J\rback\nwarpipe: error: false)";
constexpr const char* kShown = R"(\u001b[31mred\u001b]0;owned\u0007\u009b2J\rback\nwarpipe: error: false)";

std::string hostile(std::string text) {
  for (auto at = text.find('@'); at != std::string::npos; at = text.find('@')) text.replace(at, 1, kHostile);
  return text;
}

Files files() {
  return {{"k.json", hostile(R"({"format": "warpipe-kernel", "version": 1, "name": "@", "description": "@",
             "launch": {"group_size": 32, "groups": 4, "concurrent_groups": 1}, "work": {"flops": 64, "bytes": 128},
             "body": [{"id": "a", "op": "ffma", "text": "@"}, {"id": "b", "op": "ffma", "text": "@", "after": ["a"]}]})")},
          {"d.json", hostile(R"({"format": "warpipe-device", "version": 1, "name": "d", "title": "@",
             "architecture": "@", "compute_units": 1, "clock_hz": 1e9, "warp_size": 32,
             "memory": {"bandwidth_bytes_per_s": 1e9},
             "pipelines": {"p": {}}, "ops": {"ffma": {"pipeline": "p", "issue": 1, "completion": 4}}})")},
          {"m.csv", "kernel,device,cycles\n\"\x1b[31mred\",d,8\n"}};
}

/// Control characters for a terminal, but for ends of lines.
bool steers(const std::string& text) {
  return text.find("\xC2\x9B") != std::string::npos || std::ranges::any_of(text, [](char c) {
           return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
         });
}

class SafeOutput : public testing::TestWithParam<Words> {};

TEST_P(SafeOutput, HasNoControlCharactersOfTheFiles) {
  const Workplace workplace(files());
  auto outcome = workplace.run(GetParam());
  std::erase(outcome.out, '\r');  // of ends of lines of CSV: of a name it would be followed by "back"
  EXPECT_FALSE(steers(outcome.out)) << outcome.out;
  EXPECT_FALSE(steers(outcome.err)) << outcome.err;
  EXPECT_THAT("\n" + outcome.out, AllOf(Not(HasSubstr("\nwarpipe: error: false")), Not(HasSubstr("\nback"))));
  EXPECT_THAT("\n" + outcome.err, Not(HasSubstr("\nwarpipe: error: false")));
}

const Words kOfDevice{"k.json", "--device", "d.json"};

INSTANTIATE_TEST_SUITE_P(Verbs, SafeOutput,
                         testing::Values(Words{"simulate"} + kOfDevice,
                                         Words{"simulate"} + kOfDevice +
                                             Words{"--view", "summary", "--view", "stalls", "--view", "instructions",
                                                   "--view", "timeline", "--view", "critical-path", "--view", "memory"},
                                         Words{"simulate"} + kOfDevice + Words{"--json"}, Words{"what-if"} + kOfDevice,
                                         Words{"sweep"} + kOfDevice + Words{"--vary", "groups=1,2"},
                                         Words{"sweep", "--vary", "kernel=k.json,./k.json", "device=d.json", "--csv"},
                                         Words{"sweep", "--vary", "kernel=k.json,./k.json", "device=d.json"},
                                         Words{"occupancy"} + kOfDevice, Words{"compare"} + kOfDevice,
                                         Words{"diff", "k.json", "k.json", "--device", "d.json"},
                                         Words{"graph", "k.json"}, Words{"graph", "k.json", "--format", "json"},
                                         Words{"graph", "k.json", "--format", "json"},
                                         Words{"check", "k.json", "d.json"}, Words{"roofline", "--device", "d.json"},
                                         Words{"derive", "--base", "d.json", "--clock", "2GHz"},
                                         Words{"validate", "--measured", "m.csv", "--device", "d.json"},
                                         Words{"simulate", "\x1b[31m", "--device",
                                               "\xC2\x9B"
                                               "31m"}));

TEST(SafeOutputs, ShowWhatStandsInTheFiles) {
  const Workplace workplace(files());
  const auto outcome = workplace.run({"simulate", "k.json", "--device", "d.json", "--view", "summary"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(std::string(kShown) + " on d, " + kShown + "\n"));
}

}  // namespace
}  // namespace warpipe::test
