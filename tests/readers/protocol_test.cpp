// Small programs for every reader, of PTX, of machine code or of an assembly unknown to other tests: they leave the
// same memory as a CPU, and an import finds all facts in them that do not depend on the instructions.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstring>
#include <functional>
#include <numeric>

#include "decode.hpp"
#include "routine.hpp"
#include "support/folders.hpp"
#include "support/kernel_machine.hpp"
#include "toy_assembly.hpp"
#include "warpipe/amdgcn/entries.hpp"
#include "warpipe/amdgcn/import.hpp"
#include "warpipe/amdgcn/read_assembly.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/isa/coverage.hpp"
#include "warpipe/isa/make_kernel.hpp"
#include "warpipe/ptx/import.hpp"
#include "warpipe/ptx/read_ptx.hpp"
#include "warpipe/sass/import.hpp"
#include "warpipe/sass/read_cubin.hpp"

namespace warpipe::test {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kThreads = 128, kGroups = 3, kElements = 300, kRow = 512;

/// A program of programs.cu, x of eight rows, and its work for 3 groups of 128 threads and n = 300.
struct SmallProgram {
  std::string name;
  std::function<void(const Words& x, Words& p)> on_a_cpu;
  double read_bytes = 0, written_bytes = 0;  ///< of x, of p: each once
  double load_sectors = 0;                   ///< of 32 bytes, of all warps: neighbours share theirs
  std::vector<double> groups;                ///< of each kind, most first
  std::vector<double> trips;                 ///< the sum of a warp's in each group; empty: no loop
};
void PrintTo(const SmallProgram& one, std::ostream* out) { *out << one.name; }

void for_each_thread(std::uint32_t most, const std::function<void(std::uint32_t)>& body) {
  for (std::uint32_t i = 0; i < std::min(kThreads * kGroups, most); ++i) body(i);
}

/// The third group of the guarded programs has 300 - 256 = 44 elements: 5.5 sectors, which are six.
std::vector<SmallProgram> programs() {
  const double all = 4.0 * kThreads * kGroups, some = 4.0 * kElements;
  return {
      {"guarded",
       [](const Words& x, Words& p) { for_each_thread(kElements, [&](auto i) { p[i] = x[i] + 7; }); },
       some,
       some,
       32 + 6,
       {2, 1},
       {}},
      {"columns",
       [](const Words& x, Words& p) {
         for_each_thread(kElements, [&](auto i) {
           p[i] = 0;
           for (std::uint32_t k = 0; k < 8; ++k) p[i] += x[kRow * k + i];
         });
       },
       8 * some,
       some,
       8 * (32 + 6),
       {2, 1},
       {8, 8, 8}},
      {"triangle",
       [](const Words& x, Words& p) {
         for_each_thread(kThreads * kGroups, [&](auto i) { p[i] = x[i] * (i / kThreads + 1) + kElements; });
       },
       all,
       all,
       16 * (1 + 2 + 3),
       {1, 1, 1},
       {1, 2, 3}},
      {"exchange",
       [](const Words& x, Words& p) {
         for_each_thread(kThreads * kGroups, [&](auto i) { p[i] = x[i | 1] + kElements; });
       },
       all,
       all,
       48,
       {3},
       {}},
      {"half_of_it",
       [](const Words& x, Words& p) {
         for_each_thread(kThreads * kGroups, [&](auto i) {
           if ((i & 32) == 0) p[i] = x[i] + kElements;
         });
       },
       all / 2,
       all / 2,
       24,
       {3},
       {}},
  };
}

/// A program as a reader takes it.
struct Read {
  isa::Program program;
  std::function<isa::Import(const isa::ImportOptions&)> import;
};

std::string text_of(const std::string& file) { return read_text_file(in_sources("tests/readers/" + file)); }

Read read_ptx(const std::string& file, const std::string& entry) {
  const auto module = ptx::read_ptx(text_of(file), file);
  return {ptx::decode(ptx::inline_calls(module, entry), 32),
          [module](const auto& options) { return ptx::import_ptx(module, options); }};
}

Read read_cubin(const std::string& file, const std::string& entry) {
  const auto module = sass::read_cubin(text_of(file), file);
  return {sass::read_program(module, entry),
          [module](const auto& options) { return sass::import_cubin(module, options); }};
}

Read read_amd(const std::string& file, const std::string& entry) {
  const auto module = amdgcn::read_assembly(text_of(file), file);
  return {amdgcn::decode(module, module.find(entry)),
          [module](const auto& options) { return amdgcn::import_assembly(module, options); }};
}

Read read_toy_file(const std::string& entry) {
  const auto program = read_toy(text_of("toy/" + entry + ".s"));
  return {program, [program](const isa::ImportOptions& options) {
            const auto flow = isa::analyse_control_flow(program);
            const isa::ReachingDefinitions definitions(program, flow);
            const auto plan = isa::plan_as_written(program, flow, definitions);
            return isa::make_kernel({program, flow, definitions, plan}, options.launch, {}, {});
          }};
}

const std::vector<std::string>& readers() {
  static const std::vector<std::string> kAll{"sm_80.ptx", "sm_90.ptx", "sm_80.cubin", "sm_90.cubin",
                                             "gfx90a.s",  "gfx1030.s", "toy"};
  return kAll;
}

Read read(const std::string& reader, const std::string& entry) {
  const auto file = "programs." + reader;
  if (reader == "toy") return read_toy_file(entry);
  if (reader.ends_with(".ptx")) return read_ptx(file, entry);
  return reader.ends_with(".cubin") ? read_cubin(file, entry) : read_amd(file, entry);
}

isa::ImportOptions launch_of(const SmallProgram& program) {
  isa::ImportOptions options;
  options.entry = program.name;
  options.launch.block = {kThreads, 1, 1};
  options.launch.grid = {kGroups, 1, 1};
  options.launch.arguments["1"] = std::to_string(kElements);
  return options;
}

class Protocol : public testing::TestWithParam<std::tuple<std::string, SmallProgram>> {
 protected:
  const SmallProgram& program() const { return std::get<1>(GetParam()); }
  Read reading() const { return read(std::get<0>(GetParam()), program().name); }
};

TEST_P(Protocol, MemoryIsAsACpuLeavesIt) {
  Words x(8 * kRow), p(kThreads * kGroups, 9), expected = p;
  std::iota(x.begin(), x.end(), 1000U);
  program().on_a_cpu(x, expected);
  const auto read = reading();
  KernelMachine machine(read.program);
  const auto from = machine.add_array(std::as_bytes(std::span(x))), to = machine.add_array(std::as_bytes(std::span(p)));
  machine.run(launch_of(program()).launch, {from, kElements, to});
  std::memcpy(p.data(), machine.bytes_at(to, 4 * p.size()).data(), 4 * p.size());
  EXPECT_EQ(p, expected);
}

TEST_P(Protocol, EveryUseOfALoadIsAwaited) {
  const auto program = reading().program;
  const auto flow = isa::analyse_control_flow(program);
  for (const auto& gap : isa::check_coverage(program, flow)) ADD_FAILURE() << isa::text_of(gap, program);
}

TEST_P(Protocol, ArraysAreReachedByAsManyBytes) {
  std::vector<std::pair<double, double>> reached;
  for (const auto& array : reading().import(launch_of(program())).report.arrays)
    reached.emplace_back(array.read, array.written);
  EXPECT_THAT(reached, testing::UnorderedElementsAre(std::pair(program().read_bytes, 0.0),
                                                     std::pair(0.0, program().written_bytes)));
}

TEST_P(Protocol, LoadsReachAsManySectors) {
  double sectors = 0;
  for (const auto& access : reading().import(launch_of(program())).report.accesses)
    if (access.op.starts_with("global.load"))  // also flat loads of AMD
      sectors += access.statistics.segments.sum;
  EXPECT_EQ(sectors, program().load_sectors);
}

TEST_P(Protocol, GroupsAreOfAsManyKinds) {
  std::vector<double> groups;
  for (const auto& kind : reading().import(launch_of(program())).report.kinds) groups.push_back(kind.groups);
  EXPECT_EQ(groups, program().groups);
}

TEST_P(Protocol, LoopsGoRoundAsOften) {
  const auto loops = reading().import(launch_of(program())).report.entered_loops;
  ASSERT_EQ(loops.size(), program().trips.empty() ? 0U : 1U);
  if (loops.empty()) return;
  EXPECT_EQ(loops.front().iterations.least, program().trips.front());
  EXPECT_EQ(loops.front().iterations.most, program().trips.back());
}

TEST_P(Protocol, EveryInstructionHasAPlace) {
  const auto read = reading();
  ASSERT_FALSE(read.program.instructions.empty());
  for (const auto& instruction : read.program.instructions) {
    EXPECT_FALSE(instruction.name.empty());
    EXPECT_TRUE(instruction.line > 0 || instruction.ops.empty()) << instruction.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Readers, Protocol,
                         testing::Combine(testing::ValuesIn(readers()), testing::ValuesIn(programs())),
                         [](const auto& one) {
                           auto reader = std::get<0>(one.param);
                           std::ranges::replace(reader, '.', '_');
                           return reader + "_" + std::get<1>(one.param).name;
                         });

}  // namespace
}  // namespace warpipe::test
