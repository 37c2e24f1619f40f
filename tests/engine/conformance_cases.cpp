#include "conformance_cases.hpp"
#include "support/folders.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "warpipe/kernels/read_kernel.hpp"

namespace warpipe {
namespace {

// The cases write all three decimals: "2461.460".
Ticks exact_cycles(std::string text) {
  if (text.find('.') + 4 != text.size()) throw std::runtime_error("not three decimals: " + text);
  text.erase(text.find('.'), 1);
  return Ticks{std::stoll(text)};
}

/// A rule, or a list of rules.
std::vector<int> rules_of(const nlohmann::json& json) {
  if (!json.contains("rule")) return {};
  if (json["rule"].is_array()) return json["rule"].get<std::vector<int>>();
  return {json["rule"].get<int>()};
}

std::vector<ConformanceCase> read_cases() {
  std::vector<ConformanceCase> cases;
  std::ifstream file(in_sources("tests/conformance/cases.jsonl"));
  for (std::string line; std::getline(file, line);) cases.push_back(read_conformance_case(line));
  return cases;
}

}  // namespace

ConformanceCase read_conformance_case(const std::string& line) {
  const auto json = nlohmann::json::parse(line);
  const auto name = "case " + json.at("case").get<std::string>();
  ConformanceCase one{name,
                      rules_of(json),
                      exact_cycles(json.at("cycles")),
                      read_kernel_json(json.at("kernel").dump(), name),
                      read_device_json(json.at("device").dump(), name),
                      json.at("units") == "one" ? Units::One : Units::All};
  one.device.policy = parse_policy(json.at("policy").get<std::string>()).value();
  return one;
}

const std::vector<ConformanceCase>& conformance_cases() {
  static const auto cases = read_cases();
  return cases;
}

}  // namespace warpipe
