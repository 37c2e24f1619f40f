// Kernels of kernels/cuda, executed as machine code of each architecture: they leave the same memory as a CPU.
#include <gtest/gtest.h>

#include "cubin_files.hpp"
#include "program_reader.hpp"
#include "scoreboards.hpp"
#include "support/kernel_machine.hpp"
#include "support/whole_kernels.hpp"
#include "warpipe/isa/assumption.hpp"
#include "warpipe/isa/coverage.hpp"
#include "warpipe/sass/import.hpp"

namespace warpipe::test {
namespace {

class Architecture : public testing::TestWithParam<std::string> {};

TEST_P(Architecture, LeavesInMemoryWhatACpuDoes) {
  ASSERT_GE(whole_kernels().size(), 28);
  for (const auto& kernel : whole_kernels()) {
    const auto program = sass::read_program(cubin(GetParam(), kernel.file), kernel.name);
    EXPECT_EQ(run_whole_kernel(program, kernel), "") << kernel.name;
  }
}

/// Instructions issued by executing a kernel; empty where the machine cannot.
std::map<std::string, double> executed(const isa::Program& program, const WholeKernel& kernel) {
  KernelMachine machine(program);
  std::vector<std::uint64_t> numbers;
  for (const auto& argument : kernel.arguments)
    numbers.push_back(argument.content.empty() ? argument.number : machine.add_array(argument.content));
  machine.run(kernel.launch, numbers);
  return machine.issued();
}

// Numbers as users type them: whole floats without a point. Branches on data get no answer.
TEST_P(Architecture, IsImportedAsItIsExecuted) {
  std::size_t compared = 0;
  for (const auto& kernel : whole_kernels()) {
    const auto& module = cubin(GetParam(), kernel.file);
    isa::ImportOptions options;
    options.entry = kernel.name;
    options.launch = kernel.launch;
    for (std::size_t i = 0; i < kernel.arguments.size(); ++i)
      if (kernel.arguments[i].content.empty()) options.launch.arguments[std::to_string(i)] = kernel.arguments[i].typed;
    try {
      const auto issued = sass::import_cubin(module, options).report.issued;
      EXPECT_EQ(issued, executed(sass::read_program(module, kernel.name), kernel)) << kernel.name;
      ++compared;
    } catch (const isa::UnknownData&) {
      continue;
    }
  }
  EXPECT_GE(compared, whole_kernels().size() - 2);
}

TEST_P(Architecture, KnowsEveryOpcode) {
  std::size_t instructions = 0;
  for (const auto& name : cubin_names(GetParam()))
    for (const auto& kernel : cubin(GetParam(), name).kernels) {
      const auto read = sass::read_kernel(cubin(GetParam(), name), kernel);
      EXPECT_TRUE(read.unknown.empty()) << kernel.symbol;
      instructions += read.decoded.size();
    }
  EXPECT_GT(instructions, 2000);
}

// A register or a scoreboard decoded from the wrong bits would be used without a wait.
TEST_P(Architecture, WaitsForEveryResultWhoseLatencyVaries) {
  std::size_t pairs = 0;
  for (const auto& name : cubin_names(GetParam()))
    for (const auto& kernel : cubin(GetParam(), name).kernels) {
      const auto& module = cubin(GetParam(), name);
      const auto read = sass::read_kernel(module, kernel);
      const auto flow = isa::analyse_control_flow(read.program);
      EXPECT_NO_THROW(sass::require_agreement(module, kernel, read, flow)) << kernel.symbol;
      pairs += isa::awaited_uses(read.program, flow);
    }
  EXPECT_GT(pairs, 1000);
}

INSTANTIATE_TEST_SUITE_P(All, Architecture, testing::ValuesIn(architectures()),
                         [](const auto& of) { return of.param; });

}  // namespace
}  // namespace warpipe::test
