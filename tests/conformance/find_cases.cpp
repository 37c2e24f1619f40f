// usage: find_cases
//        find_cases compare COUNT SEED
//
// Without arguments it draws random models and writes tests/conformance/cases.jsonl anew. Cases that are not its own
// (those whose names do not begin with g) stay; where they do not say which rule they are about, it adds the rules that
// matter to them. `compare` holds the program against the reference engine on COUNT random models, and prints to how
// many of them something of each rule matters:
//
//     rule     models
//     7          5012
//
// Both end with status 1 and print the model where the two do not agree.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "features.hpp"
#include "support/folders.hpp"

namespace {

using namespace warpipe;
using namespace warpipe::conformance;

constexpr std::uint64_t kSeed = 1, kMostDraws = 12000;
constexpr std::size_t kCasesPerFeature = 7, kFewInstructions = 5, kMostBytes = 2500;

std::string exact(Ticks cycles) { return fmt::format("{}.{:03}", cycles.count / 1000, cycles.count % 1000); }

/// @throws std::runtime_error where the program and the reference engine do not agree
std::optional<Ticks> agreed_cycles(const Json& model) {
  const auto product = cycles_of_product(model), reference = cycles_of_reference(model);
  if (product == reference) return product;
  const auto shown = [](const std::optional<Ticks>& cycles) { return cycles ? exact(*cycles) : "an error"; };
  throw std::runtime_error(
      fmt::format("the program gives {}, the reference {}: {}", shown(product), shown(reference), model.dump()));
}

// Smaller models.

std::size_t instructions_of(Json& model) {
  std::size_t count = 0;
  for_each_item(model["kernel"]["body"], [&](const Json& item) { count += item.contains("op"); });
  return count;
}

/// @param number  in program order; counts down to the item
/// @return        whether the item exists
bool remove_item(Json& body, std::size_t& number) {
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (number-- == 0) {
      body.erase(i);
      return true;
    }
    if (body[i].contains("body") && remove_item(body[i]["body"], number)) return true;
  }
  return false;
}

/// Removes edges from instructions no longer there.
void remove_lost_edges(Json& body) {
  std::set<std::string> ids;
  for_each_item(body, [&](const Json& item) {
    if (item.contains("id")) ids.insert(item["id"].get<std::string>());
  });
  for_each_item(body, [&](Json& item) {
    if (!item.contains("after")) return;
    Json kept = Json::array();
    for (const Json& edge : item["after"])
      if (ids.contains(edge.is_object() ? edge["id"].get<std::string>() : edge.get<std::string>()))
        kept.push_back(edge);
    if (kept.empty())
      erase(item, "after");
    else
      item["after"] = kept;
  });
}

/// Removes rows, pipelines and other members without a part in the cycles.
void remove_unused(const Feature& feature, Ticks cycles, Json& model) {
  for (const char* place : {"/device/ops", "/device/pipelines", "/device", "/kernel"}) {
    const Json::json_pointer object(place);
    const Json members = model[object];
    for (const auto& [name, member] : members.items()) {
      Json smaller = model;
      erase(smaller[object], name);
      if (cycles_of_product(smaller) == cycles && matters(feature, smaller, cycles)) model = smaller;
    }
  }
}

/// With few instructions, as long as the feature matters.
Json shrunk(Json model, const Feature& feature) {
  for (std::size_t item = 0; instructions_of(model) > kFewInstructions;) {
    Json smaller = model;
    std::size_t number = item;
    if (!remove_item(smaller["kernel"]["body"], number)) break;
    remove_lost_edges(smaller["kernel"]["body"]);
    const auto cycles = cycles_of_product(smaller);
    if (cycles && matters(feature, smaller, *cycles))
      model = smaller;
    else
      ++item;
  }
  remove_unused(feature, cycles_of_product(model).value(), model);
  return model;
}

// Cases.

/// @param rule  a number, or a list of them
Json case_of(const std::string& name, const Json& rule, const Json& rest) {
  Json one{{"case", name}};
  if (!rule.empty()) one["rule"] = rule;
  for (const auto& [key, value] : rest.items())
    if (key != "case" && key != "rule") one[key] = value;
  return one;
}

/// Cases found so far, by feature.
using Found = std::vector<std::vector<Json>>;

/// @return index of the feature with the fewest cases among the features that matter; features().size() without any
std::size_t rarest_feature(const Json& model, Ticks cycles, const Found& found) {
  const auto& all = features();
  std::size_t rarest = all.size();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t fewest = rarest == all.size() ? kCasesPerFeature : found[rarest].size();
    if (found[i].size() < fewest && matters(all[i], model, cycles)) rarest = i;
  }
  return rarest;
}

Found find_cases() {
  Found found(features().size());
  const auto is_full = [](const std::vector<Json>& cases) { return cases.size() == kCasesPerFeature; };
  for (std::uint64_t seed = kSeed; seed < kSeed + kMostDraws && !std::ranges::all_of(found, is_full); ++seed) {
    const Json drawn = drawn_model(seed);
    const auto cycles = drawn.is_null() ? std::nullopt : cycles_of_product(drawn);
    if (!cycles) continue;
    const std::size_t rarest = rarest_feature(drawn, *cycles, found);
    if (rarest == features().size()) continue;
    const Feature& feature = features()[rarest];
    const Json model = shrunk(drawn, feature);
    if (model.dump().size() > kMostBytes) continue;
    Json one{{"about", feature.about}, {"policy", model["policy"]}, {"units", model["units"]}};
    one["cycles"] = exact(agreed_cycles(model).value());
    one["kernel"] = model["kernel"];
    one["device"] = model["device"];
    found[rarest].push_back(one);
  }
  return found;
}

/// The rules that matter to a model.
Json rules_that_matter(const Json& model) {
  const Ticks cycles = agreed_cycles(model).value();
  std::set<int> rules;
  for (const Feature& feature : features())
    if (!rules.contains(feature.rule) && matters(feature, model, cycles)) rules.insert(feature.rule);
  return rules;
}

/// The cases made by hand or by another program.
std::vector<Json> cases_of_others(const std::string& path) {
  std::vector<Json> cases;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const Json one = Json::parse(line);
    const std::string name = one.at("case");
    if (name.starts_with("g")) continue;
    cases.push_back(case_of(name, one.contains("rule") ? one["rule"] : rules_that_matter(one), one));
  }
  return cases;
}

int write_cases() {
  const std::string path = in_sources("tests/conformance/cases.jsonl");
  std::vector<Json> cases = cases_of_others(path);
  const Found found = find_cases();
  int number = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Feature& feature = features()[i];
    fmt::print("rule {:>2}  {:>2} cases: {}\n", feature.rule, found[i].size(), feature.about);
    for (const Json& one : found[i]) cases.push_back(case_of(fmt::format("g{:03}", ++number), feature.rule, one));
  }
  std::ofstream file(path);
  for (const Json& one : cases) file << one.dump() << '\n';
  fmt::print("{} cases, of which {} were found now\n", cases.size(), number);
  return file ? 0 : 1;
}

int compare(std::uint64_t count, std::uint64_t seed) {
  std::uint64_t equal = 0, errors = 0;
  std::map<int, std::uint64_t> models_by_rule;
  for (std::uint64_t i = 0; equal + errors < count; ++i) {
    const Json model = drawn_model(seed + i);
    if (model.is_null()) continue;
    if (!agreed_cycles(model)) {
      ++errors;
      continue;
    }
    ++equal;
    for (const int rule : rules_that_matter(model)) ++models_by_rule[rule];
  }
  fmt::print("{} models with the same cycles, {} with an error in both, 0 that differ\n", equal, errors);
  fmt::print("rule     models\n");
  for (const auto& [rule, models] : models_by_rule) fmt::print("{:<8} {:>6}\n", rule, models);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.empty()) return write_cases();
    if (words.size() == 3 && words[0] == "compare") return compare(std::stoull(words[1]), std::stoull(words[2]));
    fmt::print(stderr, "usage: find_cases\n       find_cases compare COUNT SEED\n");
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "find_cases: {}\n", error.what());
    return 1;
  }
}
