// usage: verify_skipping [RANDOM_KERNELS [MOST_ISSUES [SEED]]]
//
// Simulates programs with and without skipping and compares: the shipped kernels on all devices, the conformance cases
// with trip counts and groups times fifty, and random kernels: a tenth of each, drawn by the commit, or with
// WARPIPE_TEST_DRAW=all every case. Ends with status 1 where any differs.
//
//     set                      cases  differences  with a period  work skipped
//     shipped kernels            253            0         80.2 %        91.5 %

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "samples.hpp"
#include "support/drawn_cases.hpp"
#include "warpipe/engine/simulate.hpp"
#include "warpipe/idg/error.hpp"

namespace {

/// The result of a set of programs.
class SetResult {
 public:
  explicit SetResult(std::string set) : set_(std::move(set)) {}

  void verify(const std::string& name, const warpipe::Program& program) {
    ++cases_;
    try {
      const auto result = warpipe::simulate(program, warpipe::Skipping::Verify);
      issued_ += result.issued;
      skipped_ += result.skipped;
      if (result.skipped > 0) ++with_a_period_;
    } catch (const warpipe::GateError& difference) {
      ++differences_;
      fmt::print(stderr, "{}: {}\n", name, difference.what());
    }
  }

  bool passed() const { return cases_ > 0 && differences_ == 0; }

  void print() const {
    const auto percent = [](std::int64_t part, std::int64_t whole) {
      return fmt::format("{:.1f} %", 100 * static_cast<double>(part) / static_cast<double>(whole == 0 ? 1 : whole));
    };
    fmt::print("{:<34} {:>6} {:>12} {:>14} {:>13}\n", set_, cases_, differences_, percent(with_a_period_, cases_),
               percent(skipped_, issued_));
    std::fflush(stdout);
  }

 private:
  std::string set_;
  std::int64_t cases_ = 0, differences_ = 0, with_a_period_ = 0, issued_ = 0, skipped_ = 0;
};

std::int64_t argument(const std::vector<std::string>& words, std::size_t index, std::int64_t otherwise) {
  return index < words.size() ? std::stoll(words[index]) : otherwise;
}

int verify(const std::vector<std::string>& words) {
  using namespace warpipe;
  const std::int64_t random_kernels = argument(words, 0, drawn_share(200)), most_issues = argument(words, 1, 50'000);
  const auto seed = static_cast<std::uint64_t>(argument(words, 2, 1));
  fmt::print("{:<34} {:>6} {:>12} {:>14} {:>13}\n", "set", "cases", "differences", "with a period", "work skipped");
  bool passed = true;
  const auto verify_set = [&](const std::string& set, const auto& for_each) {
    SetResult result(set);
    for_each([&](const std::string& name, const Program& program) { result.verify(name, program); });
    result.print();
    passed = passed && result.passed();
  };
  verify_set("shipped kernels, one unit", [&](const auto& take) { for_each_shipped(most_issues, Units::One, take); });
  verify_set("shipped kernels, all units", [&](const auto& take) { for_each_shipped(most_issues, Units::All, take); });
  verify_set("conformance cases x 50", [&](const auto& take) { for_each_conformance_case(most_issues, take); });
  verify_set(fmt::format("random kernels from seed {}", seed),
             [&](const auto& take) { for_each_random(random_kernels, seed, take); });
  verify_set(fmt::format("random, groups differ, from seed {}", seed),
             [&](const auto& take) { for_each_random_of_kinds(random_kernels, seed, take); });
  verify_set(fmt::format("random, with levels, from seed {}", seed),
             [&](const auto& take) { for_each_random_with_levels(random_kernels, seed, take); });
  return passed ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return verify({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "verify_skipping: {}\nusage: verify_skipping [RANDOM_KERNELS [MOST_ISSUES [SEED]]]\n",
               error.what());
    return 2;
  }
}
