#include "warpipe/latency_tables/simulator_config.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

/// Five units of 2 schedulers at 1 GHz, 1024 threads of warps of 32, with integer units of their own.
constexpr const char* kMachine = R"(# a machine
-gpgpu_n_clusters 5
-gpgpu_n_cores_per_cluster 1
-gpgpu_clock_domains 1000:900:800:2000.5   # core, interconnect, L2, DRAM
-gpgpu_shader_core_pipeline 1024:32
-gpgpu_num_sched_per_core 2
-gpgpu_num_sp_units 2
-gpgpu_num_int_units 2
-gpgpu_num_sfu_units 1
)";

constexpr const char* kPairs = R"(
-ptx_opcode_latency_int 4,13,5,6,145,21
-ptx_opcode_initiation_int 1,2,3,4,8,5
-ptx_opcode_latency_fp 7,13,8,9,39
-ptx_opcode_initiation_fp 1,2,1,2,4
-ptx_opcode_latency_dp 10,19,11,12,330
-ptx_opcode_initiation_dp 8,16,8,9,130
-ptx_opcode_latency_sfu 20
-ptx_opcode_initiation_sfu 16
)";

ImportedConfig import_text(const std::string& text) { return import_simulator_config({{"gpu.config", text}}, "gpu"); }

ImportedConfig import_machine_and(const std::string& text) { return import_text(kMachine + text); }

/// All problems found by importing; none in good files.
std::vector<std::string> config_problems(const std::string& text) {
  std::vector<std::string> found;
  try {
    import_text(text);
  } catch (const InputError& error) {
    for (const auto& diagnostic : error.diagnostics()) found.push_back(to_string(diagnostic));
  }
  return found;
}

/// issue, completion and pipeline of an op.
struct Row {
  double issue = 0, completion = 0;
  std::string pipeline;
  friend bool operator==(const Row&, const Row&) = default;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.issue << ", " << row.completion << ", " << row.pipeline; }

Row row_of(const Device& device, const std::string& op) {
  const auto* found = device.find_op(op);
  if (found == nullptr) return {};
  return {found->issue.points.front().second, found->completion.points.front().second,
          device.pipelines[found->pipeline].name};
}

TEST(SimulatorConfig, ReadsTheMachine) {
  const auto device = import_machine_and(std::string(kPairs) + R"(
    -gpgpu_shader_cta 16  -gpgpu_shader_registers 65536  -gpgpu_shmem_size 98304  -gpgpu_shmem_per_block 49152
    -gpgpu_scheduler gto  -gpgpu_TB_launch_latency 300  -gpgpu_kernel_launch_latency 5000
    -gpgpu_compute_capability_major 7 -gpgpu_compute_capability_minor 5)")
                          .device;
  EXPECT_EQ(device.name, "gpu");
  EXPECT_EQ(device.architecture, "compute capability 7.5");
  EXPECT_EQ(device.compute_units, 5);
  EXPECT_EQ(device.clock, Hertz{1e9});
  EXPECT_EQ(device.warp_size, 32);
  EXPECT_EQ(device.schedulers, 2);
  EXPECT_EQ(device.policy, Policy::GreedyOldest);
  EXPECT_EQ(device.limits.warps_per_unit, 32);  // 1024 threads / 32
  EXPECT_EQ(device.limits.groups_per_unit, 16);
  EXPECT_EQ(device.limits.registers_per_unit, 65536);
  EXPECT_EQ(device.limits.shared_memory_per_unit, 98304);
  EXPECT_EQ(device.limits.shared_memory_per_group, 49152);
  EXPECT_EQ(device.group_launch_latency, Cycles{300});
  EXPECT_EQ(device.launch_overhead, Seconds{5e-6});  // 5000 cycles at 1 GHz
}

TEST(SimulatorConfig, PairsForPtxStandInTheOrderAddMaxMulMadDivShfl) {
  const auto device = import_machine_and(kPairs).device;
  EXPECT_EQ(row_of(device, "iadd"), (Row{1, 4, "int"}));
  EXPECT_EQ(row_of(device, "imul"), (Row{3, 5, "int"}));
  EXPECT_EQ(row_of(device, "imad"), (Row{4, 6, "int"}));
  EXPECT_EQ(row_of(device, "shuffle"), (Row{5, 21, "int"}));
  EXPECT_EQ(row_of(device, "fadd"), (Row{1, 7, "sp"}));
  EXPECT_EQ(row_of(device, "fmul"), (Row{1, 8, "sp"}));
  EXPECT_EQ(row_of(device, "ffma"), (Row{2, 9, "sp"}));
  EXPECT_EQ(row_of(device, "fdiv"), (Row{4, 39, "sfu"}));
  EXPECT_EQ(row_of(device, "rsqrt"), (Row{16, 20, "sfu"}));
}

TEST(SimulatorConfig, UnitsThatAreMissingHaveAnotherInTheirPlace) {
  // No double-precision units: the special-function unit takes doubles.
  EXPECT_EQ(row_of(import_machine_and(kPairs).device, "dfma"), (Row{9, 12, "sfu"}));
  EXPECT_EQ(row_of(import_machine_and(std::string(kPairs) + "-gpgpu_num_int_units 0").device, "iadd"),
            (Row{1, 4, "sp"}));
}

TEST(SimulatorConfig, AsManyUnitsAsSchedulersAreAPipelineForEach) {
  const auto scope_and_issue = [](const char* units) {
    const auto device = import_machine_and(std::string(kPairs) + "-gpgpu_num_sp_units " + units).device;
    const auto& op = *device.find_op("ffma");
    return std::pair(device.pipelines[op.pipeline].scope, op.issue.points.front().second);
  };
  EXPECT_EQ(scope_and_issue("2"), std::pair(Scope::Scheduler, 2.0));
  EXPECT_EQ(scope_and_issue("1"), std::pair(Scope::ComputeUnit, 2.0));
  EXPECT_EQ(scope_and_issue("4"), std::pair(Scope::ComputeUnit, 0.5));  // 2 / 4 units, taking turns
}

TEST(SimulatorConfig, PairsOfTracesGoBeforeThoseOfPtx) {
  const auto device = import_machine_and(std::string(kPairs) + R"(
    -trace_opcode_latency_initiation_int 2,3
    -trace_opcode_latency_initiation_sp 5,6
    -trace_opcode_latency_initiation_tensor 99,99
    -specialized_unit_1 1,2,4,4,4,BRA
    -trace_opcode_latency_initiation_spec_op_1 7,8
    -specialized_unit_3 1,2,16,4,4,TENSOR
    -trace_opcode_latency_initiation_spec_op_3 16,12)")
                          .device;
  EXPECT_EQ(row_of(device, "iadd"), (Row{3, 2, "int"}));
  EXPECT_EQ(row_of(device, "logic"), (Row{3, 2, "int"}));
  EXPECT_EQ(row_of(device, "hfma"), (Row{6, 5, "sp"}));
  EXPECT_EQ(row_of(device, "branch"), (Row{8, 7, "branch"}));
  EXPECT_EQ(row_of(device, "mma"), (Row{12, 16, "tensor"}));
  EXPECT_EQ(row_of(device, "fdiv"), (Row{4, 39, "sfu"}));  // a routine in a trace: only PTX has it
}

TEST(SimulatorConfig, SeveralFilesAreOneConfiguration) {
  const auto device =
      import_simulator_config({{"gpu.config", kMachine}, {"trace.config", "\n-trace_opcode_latency_initiation_sp 5,6"}},
                              "x")
          .device;
  EXPECT_EQ(row_of(device, "ffma"), (Row{6, 5, "sp"}));
  EXPECT_EQ(device.find_op("ffma")->source->reference, "trace.config line 2: -trace_opcode_latency_initiation_sp 5,6");
}

/// A bus of 8 channels x 4 bytes x 4 beats x 2000.5 MHz, and latencies of 30, 120 and 100 cycles on the way to it.
constexpr const char* kMemory = R"(
-gpgpu_smem_latency 24 -gpgpu_l1_latency 30 -gpgpu_l2_rop_latency 120 -dram_latency 100
-gpgpu_n_mem 8 -gpgpu_n_mem_per_ctrlr 1 -gpgpu_dram_buswidth 4 -dram_data_command_freq_ratio 4
-gpgpu_shmem_num_banks 32
)";

TEST(SimulatorConfig, LevelsAddTheLatenciesOfTheWayThere) {
  const auto imported = import_machine_and(std::string(kPairs) + kMemory + R"(
    -gpgpu_cache:dl1 S:4:128:64,L:L:s:N:L,A:256:8,16:0,32
    -gpgpu_cache:dl2 S:64:128:16,L:B:m:L:P,A:192:4,32:0,32
    -gpgpu_n_sub_partition_per_mchannel 2)");
  const auto& device = imported.device;
  ASSERT_TRUE(device.memory);
  EXPECT_FALSE(device.memory->bandwidth);
  ASSERT_THAT(device.memory->levels, testing::SizeIs(3));
  const MemoryLevel &l1 = device.memory->levels[0], &l2 = device.memory->levels[1], &dram = device.memory->levels[2];
  EXPECT_EQ(l1.name, "l1");
  EXPECT_EQ(l1.scope, LevelScope::ComputeUnit);
  EXPECT_EQ(l1.bytes, 4 * 128 * 64);
  EXPECT_EQ(l1.ways, 64);
  EXPECT_FALSE(l1.holds_shared_memory);
  EXPECT_EQ(l1.latency, Cycles{30});
  EXPECT_EQ(l2.bytes, 64 * 128 * 16 * 8 * 2);  // of each slice, two for each of 8 channels
  EXPECT_EQ(latency_of(l2, device.clock), Cycles{150});
  EXPECT_EQ(dram.bytes, std::nullopt);
  EXPECT_EQ(latency_of(dram, device.clock), Cycles{250});
  EXPECT_EQ(dram.read_rate, BytesPerSecond{256.064e9});
  for (const auto& level : device.memory->levels) EXPECT_EQ(level.source->kind, SourceKind::Simulator);
  // The ops name the work and leave its time to the levels.
  EXPECT_EQ(row_of(device, "global.load"), (Row{1, 0, "memory"}));
  EXPECT_EQ(row_of(device, "global.store"), (Row{1, 0, "memory"}));
  EXPECT_THAT(imported.notes, Each(Not(HasSubstr("caches"))));
}

TEST(SimulatorConfig, AUnifiedCacheHoldsSharedMemory) {
  const auto device = import_machine_and(std::string(kPairs) + kMemory +
                                         "-gpgpu_cache:dl1 S:4:128:64 -gpgpu_cache:dl2 S:64:128:16 "
                                         "-gpgpu_unified_l1d_size 128")
                          .device;
  EXPECT_EQ(device.memory->levels.at(0).bytes, 128 * 1024);
  EXPECT_TRUE(device.memory->levels.at(0).holds_shared_memory);
}

TEST(SimulatorConfig, WithoutTheSizesOfCachesAllLoadsGoToDram) {
  for (const char* caches : {"", "-gpgpu_cache:dl1 S:4:128:64", "-gpgpu_cache:dl1 none -gpgpu_cache:dl2 S:64:128:16",
                             "-gpgpu_cache:dl1 S:4:128:64 -gpgpu_cache:dl2 S:64:0:16"}) {
    const auto imported = import_machine_and(std::string(kPairs) + kMemory + caches);
    EXPECT_THAT(imported.notes, Contains(HasSubstr("the device has no caches")));
    EXPECT_THAT(imported.device.memory->levels, IsEmpty());
  }
}

TEST(SimulatorConfig, MemoryLatenciesAreSumsOfTheWayThere) {
  const auto device = import_machine_and(std::string(kPairs) + kMemory).device;
  EXPECT_EQ(row_of(device, "shared.load"), (Row{1, 24, "memory"}));
  EXPECT_EQ(row_of(device, "global.load"), (Row{1, 250, "memory"}));
  EXPECT_EQ(device.find_op("global.load.l1"), nullptr);
  EXPECT_TRUE(device.find_op("global.store")->retires_at_issue);
  // 8 channels x 4 bytes x 4 beats x 2000.5 MHz; a sector of 32 bytes takes 32 x 1 GHz / 256.064 GB/s.
  EXPECT_EQ(device.memory->bandwidth, BytesPerSecond{256.064e9});
  const auto& bus = device.find_op("global.load")->then.front();
  EXPECT_DOUBLE_EQ(bus.per_transaction->count, 32e9 / 256.064e9);
  EXPECT_EQ(bus.after, Cycles{150});
}

TEST(SimulatorConfig, TakesTheLastOfAnOptionAndValuesInQuotationMarks) {
  const auto device = import_machine_and(std::string(kPairs) + R"(
    -gpgpu_n_clusters 7
    -gpgpu_dram_timing_opt "nbk=16:CCD=2:
                            CL=12:WL=4")")
                          .device;
  EXPECT_EQ(device.compute_units, 7);
}

TEST(SimulatorConfig, EveryOpIsLabelledAsASimulatorsWithItsLines) {
  const auto imported = import_machine_and(kPairs);
  for (const auto& op : imported.device.ops) EXPECT_EQ(op.source->kind, SourceKind::Simulator) << op.name;
  // The machine has 9 lines, the pairs begin with an empty line.
  EXPECT_EQ(imported.device.find_op("ffma")->source->reference,
            "gpu.config line 13: -ptx_opcode_latency_fp 7,13,8,9,39; "
            "gpu.config line 14: -ptx_opcode_initiation_fp 1,2,1,2,4");
}

TEST(SimulatorConfig, SaysWhatTheFilesDoNotSay) {
  const auto imported =
      import_machine_and("-trace_opcode_latency_initiation_sp 5,6 -trace_opcode_latency_initiation_tensor 8,4");
  EXPECT_THAT(imported.missing, IsSupersetOf({"iadd", "barrier", "branch", "global.load", "mma"}));
  EXPECT_THAT(imported.missing, Not(Contains("ffma")));
  EXPECT_THAT(imported.notes, ElementsAre(HasSubstr("mma is left out")));
  const auto alone = import_machine_and("-trace_opcode_latency_initiation_sp 5,6 -ptx_opcode_latency_sfu 20");
  EXPECT_THAT(alone.notes, ElementsAre(HasSubstr("-ptx_opcode_latency_sfu and -ptx_opcode_initiation_sfu")));
}

TEST(SimulatorConfig, ListWithoutAShuffleGivesNone) {
  const auto imported = import_machine_and("-ptx_opcode_latency_int 4,4,4,4,21 -ptx_opcode_initiation_int 2,2,2,2,2");
  EXPECT_THAT(imported.missing, Contains("shuffle"));
}

TEST(SimulatorConfig, WrittenDeviceReadsBackTheSame) {
  auto device = import_machine_and(kPairs).device;
  device.file = "gpu.json";
  EXPECT_TRUE(read_device_json(write_device_json(device), "gpu.json") == device);
}

TEST(SimulatorConfig, FileMayBeNamedByAnyBytes) {
  const auto device = import_simulator_config({{"g\xff.config", std::string(kMachine) + kPairs}}, "gpu").device;
  EXPECT_NO_THROW(read_device_json(write_device_json(device), "gpu.json"));
}

TEST(SimulatorConfig, ProblemsNameTheirLine) {
  const std::string machine(kMachine);  // 9 lines
  EXPECT_THAT(config_problems(machine + "-trace_opcode_latency_initiation_sp 5"),
              Contains(HasSubstr("gpu.config line 10:")));
  EXPECT_THAT(config_problems(machine + "\n-ptx_opcode_latency_fp 7,13,x,9,39\n-ptx_opcode_initiation_fp 1,1,1,1,1"),
              Contains(HasSubstr("gpu.config line 11: the value of -ptx_opcode_latency_fp must be 5 or more numbers")));
  EXPECT_THAT(config_problems(machine + "-gpgpu_num_sched_per_core 0"), Contains(HasSubstr("line 10: the value of")));
  EXPECT_THAT(config_problems(machine + "-gpgpu_num_sched_per_core"), Contains(HasSubstr("found none")));
  EXPECT_THAT(config_problems(machine + "-gpgpu_clock_domains 0:1:1:1"), Contains(HasSubstr("line 10: the clocks of")));
  EXPECT_THAT(config_problems(machine + "-gpgpu_shader_core_pipeline 64:0"), Contains(HasSubstr("line 10")));
  EXPECT_THAT(config_problems(machine + "-a \"b\nc"), Contains(HasSubstr("line 10: a quotation mark is not closed")));
  EXPECT_THAT(config_problems(machine + "\nwhat is this"),
              Contains(HasSubstr("line 11: a configuration file must hold options")));
}

TEST(SimulatorConfig, ProblemsAreToldTogetherAndOnce) {
  const auto found =
      config_problems("-gpgpu_n_clusters 5 -ptx_opcode_latency_fp x -ptx_opcode_initiation_fp 1,1,1,1,1");
  EXPECT_THAT(found, testing::SizeIs(5));  // three options and any op are missing, a value is wrong
  EXPECT_THAT(config_problems(""), Each(HasSubstr("gpu.config")));
}

TEST(SimulatorConfig, NumbersThatNoDeviceCanHoldAreRefused) {
  const std::string machine = std::string(kMachine) + kPairs;
  // A thousand million clusters of as many units; a bus of 10^-9 bytes per second, so 10^20 cycles for a load.
  EXPECT_THAT(config_problems(machine + "-gpgpu_n_clusters 1e9 -gpgpu_n_cores_per_cluster 1e9"),
              ElementsAre(HasSubstr("the device of gpu.config: /compute_units")));
  EXPECT_THAT(
      config_problems(machine + "-gpgpu_l1_latency 1 -gpgpu_l2_rop_latency 1 -dram_latency 1 -gpgpu_n_mem 1 "
                                "-gpgpu_n_mem_per_ctrlr 1 -gpgpu_dram_buswidth 1 -dram_data_command_freq_ratio 1 "
                                "-gpgpu_clock_domains 1000:1:1:1e-15"),
      AllOf(Not(IsEmpty()), Each(HasSubstr("the device of gpu.config: /ops/global."))));
}

RC_GTEST_PROP(SimulatorConfig, AnyTextIsADeviceOrAnError, ()) {
  const auto words = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "-gpgpu_n_clusters", "-gpgpu_clock_domains", "-ptx_opcode_latency_int", "-ptx_opcode_initiation_int",
      "-specialized_unit_1", "-trace_opcode_latency_initiation_spec_op_1", "1", "0", "1,2", "1:2:3:4", "1,2,3,4,5", ",",
      ":", "\"", "#", "\n", "-", "1,4,4,4,4,BRA", ",BRA", "1e9", "1e400", "nan", "-1", "\xff"));
  std::string text = *rc::gen::element<std::string>("", kMachine, kPairs, std::string(kMachine) + kPairs);
  for (const auto& word : words) text += word + " ";
  try {
    const auto imported = import_text(text);
    RC_ASSERT(!imported.device.ops.empty());
  } catch (const InputError& error) {
    RC_ASSERT(!error.diagnostics().empty());
  }
}

}  // namespace
}  // namespace warpipe
