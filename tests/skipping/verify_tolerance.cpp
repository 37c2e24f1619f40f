// usage: verify_tolerance [RANDOM_KERNELS [MOST_ISSUES [SEED [PERCENT]]]]
//
// Extends runs of shorter programs to the program itself and compares with its own run, on the programs of
// verify_skipping: a tenth of each set, drawn by the commit, or with WARPIPE_TEST_DRAW=all every one. Ends with status
// 1 where more than one in a hundred is off by more than the tolerance, or one by more than twice that.
//
//     set                         cases  extended  within    worst  simulated
//     shipped kernels, one unit     481    13.1 %  100.0 %  0.34 %     22.8 %

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "samples.hpp"
#include "support/drawn_cases.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/predict/bounds.hpp"
#include "warpipe/predict/run_within.hpp"

namespace {

using namespace warpipe;

Ticks highest_bound(const Program& program) {
  Device device;  // the bounds need only its pipelines
  for (const Machine::Pipeline& pipeline : program.machine.pipelines) {
    device.pipelines.emplace_back();
    device.pipelines.back().scope = pipeline.scope;
  }
  return highest(lower_bounds(program, device).bounds).cycles;
}

/// The result of a set of programs.
class SetResult {
 public:
  SetResult(std::string set, double tolerance) : set_(std::move(set)), tolerance_(tolerance) {}

  void verify(const std::string& name, const Program& program) {
    ++cases_;
    const auto extended = extended_run(program, highest_bound(program), tolerance_);
    if (!extended) return;
    ++extended_;
    const SimulationResult& result = extended->result;
    issued_ += static_cast<double>(result.issued);
    simulated_ += static_cast<double>(result.issued - result.skipped);
    const auto exact = static_cast<double>(simulate(program).cycles.count);
    const double off = std::abs(static_cast<double>(result.cycles.count) / exact - 1);
    worst_ = std::max(worst_, off);
    if (off <= tolerance_) return;
    ++beyond_;
    fmt::print(stderr, "{}: {:.3f} % off, where {:.3f} % are said\n", name, 100 * off, 100 * extended->off);
  }

  bool passed() const { return 100 * beyond_ <= extended_ && worst_ <= 2 * tolerance_; }

  void print() const {
    const auto percent = [](double part, double whole) {
      return fmt::format("{:.1f} %", whole > 0 ? 100 * part / whole : 0);
    };
    fmt::print("{:<34} {:>6} {:>9} {:>8} {:>8} {:>10}\n", set_, cases_,
               percent(static_cast<double>(extended_), static_cast<double>(cases_)),
               percent(static_cast<double>(extended_ - beyond_), static_cast<double>(extended_)),
               fmt::format("{:.2f} %", 100 * worst_), percent(simulated_, issued_));
    std::fflush(stdout);
  }

 private:
  std::string set_;
  double tolerance_, worst_ = 0, issued_ = 0, simulated_ = 0;
  std::int64_t cases_ = 0, extended_ = 0, beyond_ = 0;
};

double argument(const std::vector<std::string>& words, std::size_t index, double otherwise) {
  return index < words.size() ? std::stod(words[index]) : otherwise;
}

int verify(const std::vector<std::string>& words) {
  const auto random_kernels = static_cast<std::int64_t>(argument(words, 0, drawn_share(200)));
  const auto most_issues = static_cast<std::int64_t>(argument(words, 1, 10'000'000));
  const auto seed = static_cast<std::uint64_t>(argument(words, 2, 1));
  const double tolerance = argument(words, 3, 0.5) / 100;
  fmt::print("{:<34} {:>6} {:>9} {:>8} {:>8} {:>10}\n", "set", "cases", "extended", "within", "worst", "simulated");
  bool passed = true;
  const auto verify_set = [&](const std::string& set, const auto& for_each) {
    SetResult result(set, tolerance);
    for_each([&](const std::string& name, const Program& program) { result.verify(name, program); });
    result.print();
    passed = passed && result.passed();
  };
  verify_set("shipped kernels, one unit", [&](const auto& take) { for_each_shipped(most_issues, Units::One, take); });
  verify_set("shipped kernels, all units", [&](const auto& take) { for_each_shipped(most_issues, Units::All, take); });
  verify_set("shipped kernels, many units",
             [&](const auto& take) { for_each_shipped_on_many_units(most_issues, take); });
  verify_set("conformance cases x 50", [&](const auto& take) { for_each_conformance_case(most_issues, take); });
  verify_set("random kernels", [&](const auto& take) { for_each_random(random_kernels, seed, take, most_issues); });
  verify_set("random, groups differ",
             [&](const auto& take) { for_each_random_of_kinds(random_kernels, seed, take, most_issues); });
  verify_set("random, with levels",
             [&](const auto& take) { for_each_random_with_levels(random_kernels, seed, take, most_issues); });
  return passed ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return verify({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr,
               "verify_tolerance: {}\nusage: verify_tolerance [RANDOM_KERNELS [MOST_ISSUES [SEED [PERCENT]]]]\n",
               error.what());
    return 2;
  }
}
