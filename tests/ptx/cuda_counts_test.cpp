// Instructions executed by the kernels of kernels/cuda, against counts derived by hand from their source (the
// derivations stand beside the numbers in tests/kernels/ptx/expected_counts.json).
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>

#include "cuda_cases.hpp"

namespace warpipe::test {
namespace {

using ::testing::Combine;
using ::testing::TestWithParam;
using ::testing::ValuesIn;

/// A case compiled for an architecture.
class CudaCounts : public TestWithParam<std::tuple<std::string, CudaCase>> {
 protected:
  ptx::Import import() const {
    const auto& [architecture, one] = GetParam();
    auto options = one.options;
    // Counted as in the source: loads from constant memory, which ptxas turns into operands; loads from shared memory,
    // which it makes wider; and branches around accesses, which it turns into predicates.
    options.lowering.without = {"constants", "guarded-accesses", "wide-loads"};
    if (is_clang() && one.entry == "bitonic_step")
      options.launch.taken = {{"LBB0_3", one.options.launch.taken.begin()->second}};
    return ptx::import_ptx(cuda_module(architecture, one.file), options);
  }
  bool is_clang() const { return std::get<0>(GetParam()) == "clang14"; }
  bool holds(const std::string& op) const { return !is_clang() || !one().not_with_clang.contains(op); }
  const CudaCase& one() const { return std::get<1>(GetParam()); }
};

TEST_P(CudaCounts, OfEachClassAreThoseDerivedByHand) {
  const auto report = import().report;
  for (const auto& [op, count] : one().counts) {
    if (!holds(op)) continue;
    const auto found = report.executions.find(op);
    EXPECT_DOUBLE_EQ(found == report.executions.end() ? 0 : found->second, count) << op;
  }
}

TEST_P(CudaCounts, OfAccessesAndTheirTransactionsAndConflictsAreThoseDerivedByHand) {
  const auto report = import().report;
  for (const auto& expected : one().accesses) {
    if (!holds(expected.op)) continue;
    const auto lines = lines_with(one().file, expected.text);
    double executions = 0, transactions = 0, conflict_degrees = 0;
    for (const auto& access : report.accesses) {
      if (!access.op.starts_with(expected.op) || std::ranges::find(lines, access.source) == lines.end()) continue;
      executions += access.statistics.executions;
      transactions += access.statistics.segments.sum;
      conflict_degrees += access.statistics.conflict_degree.sum;
    }
    EXPECT_DOUBLE_EQ(executions, expected.executions) << expected.op << " in " << expected.text;
    if (expected.transactions > 0) {
      EXPECT_DOUBLE_EQ(transactions, expected.transactions) << expected.op << " in " << expected.text;
    }
    if (expected.conflict_degrees > 0) {
      EXPECT_DOUBLE_EQ(conflict_degrees, expected.conflict_degrees) << expected.op << " in " << expected.text;
    }
  }
}

std::string name_of_count(const ::testing::TestParamInfo<std::tuple<std::string, CudaCase>>& info) {
  std::string name = std::get<0>(info.param) + "_" + std::get<1>(info.param).name;
  std::erase_if(name, [](char c) { return c != '_' && std::isalnum(static_cast<unsigned char>(c)) == 0; });
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, CudaCounts,
                         Combine(::testing::Values("sm_75", "sm_80", "sm_90", "clang14"), ValuesIn(cuda_cases())),
                         name_of_count);

}  // namespace
}  // namespace warpipe::test
