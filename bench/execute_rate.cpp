// Prints how many lane instructions a second are executed, by kind of kernel, as a table:
//
//   kernel    instructions  lanes  one_core  two_cores   ns
//   integers       25.2 M   32.0    9.12 G     17.9 G  3.5
//
// Instructions are those of warps, lanes the active ones of each in the mean; one core by its CPU seconds, two by the
// clock; ns are of a warp's instruction on one core. The best of some runs counts.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/machine/machine.hpp"
#include "warpipe/ptx/executable.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace {

using namespace warpipe;  // NOLINT

constexpr int kRuns = 3;
constexpr std::uint64_t kArrayBytes = 256 << 20;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class... T>
std::vector<std::byte> arguments(const T&... all) {
  std::vector<std::byte> bytes;
  const auto add = [&](const auto& one) {
    bytes.resize((bytes.size() + alignof(decltype(one)) - 1) / alignof(decltype(one)) * alignof(decltype(one)));
    bytes.resize(bytes.size() + sizeof one);
    std::memcpy(bytes.data() + bytes.size() - sizeof one, &one, sizeof one);
  };
  (add(all), ...);
  return bytes;
}

struct Case {
  std::string_view name, kernel;
  isa::Dimensions grid, block;
  std::vector<std::byte> arguments;
};

std::vector<Case> cases(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const isa::Dimensions some{64, 1, 1}, many{256, 1, 1}, row{256, 1, 1};
  constexpr int kElements = 1 << 22;
  return {{"integers", "integers", some, row, arguments(2000, a)},
          {"integers of 64 bits", "wide_integers", some, row, arguments(2000, a)},
          {"floats", "floats", some, row, arguments(2000, a)},
          {"doubles", "doubles", some, row, arguments(2000, a)},
          {"halves in pairs", "halves", some, row, arguments(200, a)},
          {"functions", "functions", some, row, arguments(500, a)},
          {"branches", "branches", some, row, arguments(20, a)},
          {"rows, an element per thread", "rows", {kElements / 256, 1, 1}, row, arguments(kElements, a, b)},
          {"rows in loops", "rows_in_loops", many, row, arguments(kElements, a, b)},
          {"stencil", "stencil", {64, 128, 1}, {32, 16, 1}, arguments(2048, a, b)},
          {"gathers, 16 KB", "gathers", many, row, arguments(200, 4095U, a, b)},
          {"gathers, 64 MB", "gathers", many, row, arguments(100, (1U << 24) - 1, a, b)},
          {"tiles", "tiles", {16, 16, 1}, {16, 16, 1}, arguments(256, a, b, c)},
          {"reduction", "reduction", {512, 1, 1}, row, arguments(1 << 20, a, b)},
          {"shuffles", "shuffles", some, row, arguments(200, a)},
          {"atomics, shared memory", "shared_atomics", many, row, arguments(kElements, a, b)},
          {"atomics, 256 KB", "atomics", some, row, arguments(1 << 21, a)},
          {"arrays of a thread", "own_arrays", some, row, arguments(500, a)}};
}

struct Rate {
  machine::Outcome outcome;
  double seconds = std::numeric_limits<double>::max();
};

Rate rate_of(const machine::Machine& machine, const machine::Launch& launch, machine::Memory& memory,
             unsigned threads) {
  machine::Effort effort;
  effort.threads = threads;
  const auto now = threads == 1 ? cpu_seconds : clock_seconds;
  Rate best;
  for (int i = 0; i < kRuns; ++i) {
    const auto begin = now();
    best.outcome = machine.run(launch, memory, effort);
    best.seconds = std::min(best.seconds, now() - begin);
  }
  return best;
}

ptx::Module read(const char* file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return ptx::read_ptx(text.str(), file);
}

}  // namespace

int main(int count, char** words) {
  if (count < 2) {
    fmt::print(stderr, "execute_rate bench/machine/kernels.ptx [NAME]\n");
    return 2;
  }
  const auto module = read(words[1]);
  machine::Memory memory;
  machine::Variables variables(memory);
  variables.add(ptx::variables(module));
  std::uint64_t arrays[3];
  for (auto& array : arrays) array = memory.allocate(kArrayBytes);
  auto* const numbers = reinterpret_cast<std::uint32_t*>(arrays[0]);  // NOLINT: an address of this process
  for (std::uint32_t i = 0; i < kArrayBytes / 4; ++i) numbers[i] = 0x3f000000U + (i * 2654435761U >> 9);
  fmt::print("with {}\n{:<28}{:>13}{:>7}{:>11}{:>11}{:>8}\n", machine::vector_instructions(), "kernel", "instructions",
             "lanes", "one_core", "two_cores", "ns");
  for (const auto& [name, kernel, grid, block, given] : cases(arrays[0], arrays[1], arrays[2])) {
    if (count > 2 && name.find(words[2]) == std::string_view::npos) continue;
    const machine::Machine machine(ptx::executable_program(module, kernel), variables);
    machine::Launch launch;
    launch.grid = grid;
    launch.block = block;
    launch.arguments = given;
    const auto one = rate_of(machine, launch, memory, 1), two = rate_of(machine, launch, memory, 2);
    const auto instructions = static_cast<double>(one.outcome.instructions);
    const auto lanes = static_cast<double>(one.outcome.lane_instructions);
    fmt::print("{:<28}{:>11.1f} M{:>7.1f}{:>9.2f} G{:>9.2f} G{:>8.1f}\n", name, instructions / 1e6,
               lanes / instructions, lanes / one.seconds / 1e9, lanes / two.seconds / 1e9,
               one.seconds / instructions * 1e9);
  }
  return 0;
}
