// Kernels of kernels/cuda, from the PTX of each architecture: they leave the same memory as a CPU.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

#include "loaded.hpp"
#include "support/folders.hpp"
#include "support/whole_kernels.hpp"
#include "warpipe/ptx/entries.hpp"
#include "warpipe/ptx/executable.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::test {
namespace {

ptx::Module module_of(const std::string& path) {
  std::ifstream file(in_sources(path));
  std::ostringstream text;
  text << file.rdbuf();
  return ptx::read_ptx(text.str(), path);
}

/// Numbers of arguments as the parameters lie, each in as many bytes as it has.
std::vector<std::byte> laid_out(const isa::Program& program, const std::vector<std::uint64_t>& numbers) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto& parameter = program.parameters.at(i);
    const auto at = static_cast<std::size_t>(*parameter.offset),
               size = static_cast<std::size_t>(parameter.type.bits / 8);
    bytes.resize(at + size);
    std::memcpy(bytes.data() + at, &numbers[i], size);
  }
  return bytes;
}

void expect_as_on_a_cpu(const WholeKernel& kernel, std::size_t index, const std::byte* place) {
  const auto& argument = kernel.arguments[index];
  double largest = 1e-30;
  for (const auto number : argument.floats) largest = std::max(largest, std::fabs(static_cast<double>(number)));
  for (std::size_t i = 0; i < argument.floats.size(); ++i) {
    float number = 0;
    std::memcpy(&number, place + 4 * i, 4);
    ASSERT_NEAR(number, argument.floats[i], kernel.tolerance * largest)
        << kernel.name << ", argument " << index << ": " << i;
  }
  for (std::size_t i = 0; i < argument.words.size(); ++i) {
    std::uint32_t number = 0;
    std::memcpy(&number, place + 4 * i, 4);
    ASSERT_EQ(number, argument.words[i]) << kernel.name << ", argument " << index << ": " << i;
  }
}

class WholeKernels : public testing::TestWithParam<std::string> {};

TEST_P(WholeKernels, LeaveInMemoryWhatACpuDoes) {
  ASSERT_GE(whole_kernels().size(), 28);
  for (const auto& kernel : whole_kernels()) {
    const auto module = module_of("kernels/cuda/ptx/" + GetParam() + "/" + kernel.file + ".ptx");
    machine::Memory memory;
    machine::Variables variables(memory);
    variables.add(ptx::variables(module));
    const auto program = ptx::executable_program(module, ptx::find_entry(module, kernel.name).name);
    std::vector<std::uint64_t> numbers;
    for (const auto& argument : kernel.arguments) {
      numbers.push_back(argument.content.empty() ? argument.number : memory.allocate(argument.content.size()));
      if (!argument.content.empty())
        std::memcpy(reinterpret_cast<void*>(numbers.back()), argument.content.data(),
                    argument.content.size());  // NOLINT
    }
    machine::Launch launch;
    launch.grid = kernel.launch.grid;
    launch.block = kernel.launch.block;
    launch.dynamic_shared_bytes = kernel.launch.dynamic_shared_memory;
    launch.arguments = laid_out(program, numbers);
    ASSERT_TRUE(machine::Machine(program, variables).run(launch, memory).complete) << kernel.name;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (!kernel.arguments[i].content.empty())
        expect_as_on_a_cpu(kernel, i, reinterpret_cast<const std::byte*>(numbers[i]));  // NOLINT
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, WholeKernels, testing::Values("sm_75", "sm_80", "sm_90"));

}  // namespace
}  // namespace warpipe::test
