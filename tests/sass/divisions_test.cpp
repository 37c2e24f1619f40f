// Machine code of divisions by a parameter and of rings: addresses by the program's own formula, for any divisor.
// divisions/divisions.cu.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "support/folders.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/sass/import.hpp"
#include "warpipe/sass/read_cubin.hpp"

namespace warpipe::test {
namespace {

class Divisions : public testing::TestWithParam<std::string> {
 protected:
  Divisions()
      : module_(sass::read_cubin(read_text_file(in_sources("tests/sass/divisions/") + GetParam() + ".cubin"),
                                 GetParam() + ".cubin")) {}

  /// The addresses of the first access by an op, with the kind of their origin.
  std::string addresses(const std::string& entry, const std::string& op, std::map<std::string, std::string> arguments,
                        std::int64_t groups) const {
    isa::ImportOptions options;
    options.entry = entry;
    options.launch.block = {32, 1, 1};
    options.launch.grid = {groups, 1, 1};
    options.launch.arguments.insert(arguments.begin(), arguments.end());
    const auto made = sass::import_cubin(module_, options);
    for (const auto& access : made.report.accesses)
      if (access.op == op)
        return access.address.kind == isa::AddressReport::Kind::Formula && access.address.texts.size() == 1
                   ? access.address.texts.front().substr(access.address.texts.front().find(": ") + 2)
                   : "no formula";
    return "no access";
  }

  sass::Module module_;
};

// The reciprocal of 2 and of 3 has its highest bit in the upper word of the addend.
TEST_P(Divisions, HaveTheFormulaOfTheSource) {
  for (const int by : {2, 3, 4, 5, 7, 11, 66, 132}) {
    const auto divisor = std::to_string(by);
    const auto quotient = fmt::format("4 * (32 * floor(group_x / {}) + thread_x)", by);
    EXPECT_EQ(addresses("signed_quotient", "global.store", {{"1", divisor}}, 264), quotient);
    EXPECT_EQ(addresses("quotient", "global.store", {{"1", divisor}}, 264), quotient);
    EXPECT_EQ(addresses("rest", "global.store", {{"1", divisor}}, 264),
              fmt::format("4 * (32 * mod(group_x, {}) + thread_x)", by));
  }
  EXPECT_EQ(addresses("quotient", "global.store", {{"1", "1"}}, 264), "4 * (32 * group_x + thread_x)");
}

// A trip of the compiler's loop has 16 moves of 96 places: 1536 = 3 x 512 of 4096 places, 256 = 320 - 64 of 320 more
// than four rounds.
TEST_P(Divisions, OfRingsGoOnBySeveralMovesInATrip) {
  for (const auto& [places, moved] : {std::pair{"4096", "512 * mod(3 * loop"}, std::pair{"320", "64 * mod(-loop"}}) {
    const auto found = addresses("ring", "global.load", {{"2", "64"}, {"3", places}}, 1);
    EXPECT_NE(found.find(moved), std::string::npos) << places << ": " << found;
  }
}

INSTANTIATE_TEST_SUITE_P(Cubins, Divisions, testing::Values("sm_80", "sm_90"));

}  // namespace
}  // namespace warpipe::test
