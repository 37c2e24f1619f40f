#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "players.hpp"
#include "warpipe/kernels/read_kernel.hpp"

namespace warpipe {
namespace {

struct Case {
  std::string name;
  Ticks cycles;
  Kernel kernel;
  Device device;
  Units units;
};

// The cases write all three decimals: "2461.460".
Ticks exact_cycles(std::string text) {
  EXPECT_EQ(text.find('.') + 4, text.size()) << text;
  text.erase(text.find('.'), 1);
  return Ticks{std::stoll(text)};
}

Case read_case(const std::string& line) {
  const auto json = nlohmann::json::parse(line);
  const auto name = "case " + json.at("case").get<std::string>();
  Case one{name, exact_cycles(json.at("cycles")), read_kernel_json(json.at("kernel").dump(), name),
           read_device_json(json.at("device").dump(), name), json.at("units") == "one" ? Units::One : Units::All};
  one.device.policy = parse_policy(json.at("policy").get<std::string>()).value();
  return one;
}

const std::vector<Case>& all_cases() {
  static const auto cases = [] {
    std::vector<Case> read;
    std::ifstream file(WARPIPE_CONFORMANCE_CASES);
    for (std::string line; std::getline(file, line);) read.push_back(read_case(line));
    return read;
  }();
  return cases;
}

class Conformance : public testing::TestWithParam<Player> {};

// The cases were made apart from this program: exact cycles for 200 random kernels, devices and launches.
TEST_P(Conformance, GivesTheCyclesOfEveryCaseToTheLastDigit) {
  EXPECT_EQ(all_cases().size(), 200U);
  for (const Case& one : all_cases())
    EXPECT_EQ(play(GetParam(), one.kernel, one.device, one.units), one.cycles) << one.name;
}

INSTANTIATE_TEST_SUITE_P(Players, Conformance, both_players(), name_of_player);

}  // namespace
}  // namespace warpipe
