#include "warpipe/accuracy/measured_file.hpp"
#include "support/folders.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"

namespace warpipe {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Kernel kernel_with_parameters(const std::string& name) {
  Kernel kernel;
  kernel.name = name;
  kernel.parameters = {{"n", 1024}, {"tile", 1}};
  return kernel;
}

/// Rows of saxpy, and of a kernel named other in the file, are scored on device d.
ForeignNames some_names() {
  ForeignNames names;
  names.kernels = {{"saxpy", "saxpy"}, {"other", "saxpy"}};
  names.kernel = kernel_with_parameters;
  names.device = "d";
  return names;
}

MeasuredFile read_file(const std::string& text, const ForeignNames& names = some_names()) {
  return read_measured(text, "m", {}, names);
}

std::string why_refused(const std::string& text, const ForeignNames& names = some_names()) {
  try {
    read_file(text, names);
  } catch (const Error& error) {
    EXPECT_FALSE(error.diagnostics().empty());
    return error.what();
  }
  return "read";
}

/// A launch with a time.
void expect_row(const Measurement& row, std::size_t line, std::int64_t group_size, std::int64_t groups, double us) {
  EXPECT_EQ(row.line, line);
  EXPECT_EQ(row.kernel, "saxpy");
  EXPECT_EQ(row.device, "d");
  EXPECT_EQ(row.options.group_size, group_size);
  EXPECT_EQ(row.options.groups, groups);
  EXPECT_EQ(row.quantity, Quantity::TimeUs);
  EXPECT_DOUBLE_EQ(row.value, us);
  EXPECT_FALSE(row.includes_overhead);
}

// ---- Nsight Compute

const std::string kDetailsHeader =
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\","
    "\"Grid Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n";

std::string details_row(const std::string& id, const std::string& kernel, const std::string& metric,
                        const std::string& unit, const std::string& value, const std::string& block = "(32, 4, 2)") {
  return "\"" + id + "\",\"7\",\"app\",\"host\",\"" + kernel + "\",\"1\",\"7\",\"" + block +
         "\",\"(10, 3, 1)\",\"0\",\"8.0\",\"Some section\",\"" + metric + "\",\"" + unit + "\",\"" + value + "\"\n";
}

TEST(NcuDetails, GiveALaunchForEachIdWithItsTime) {
  const auto file = read_file("==PROF== Connected to process 7 (/app)\nthe program's own \"line\n" + kDetailsHeader +
                              details_row("0", "saxpy(int, float, const float *)", "Registers", "", "16") +
                              details_row("0", "saxpy(int, float, const float *)", "Duration", "us", "1,205.50") +
                              "==PROF== Profiling \"saxpy\" - 1: 0%\n" +
                              details_row("1", "void saxpy<float>(int)", "gpu__time_duration.sum", "nsecond", "2,016"));
  EXPECT_EQ(file.form, "Nsight Compute, details page");
  ASSERT_THAT(file.rows, SizeIs(2));
  expect_row(file.rows[0], 4, 256, 30, 1205.5);
  expect_row(file.rows[1], 7, 256, 30, 2.016);
  EXPECT_THAT(
      file.notes,
      ElementsAre("m is read as Nsight Compute, details page.",
                  "Kernels saxpy(int, float, const float *) (1), void saxpy<float>(int) (1) are taken for saxpy.",
                  "Parameters of saxpy as its file has them: n 1024, tile 1."));
}

TEST(NcuDetails, CountWhatIsNotScored) {
  const auto file = read_file(
      kDetailsHeader + details_row("0", "saxpy(int)", "Duration", "ns", "5") +
      details_row("1", "saxpy(int)", "Duration", "ns", "n/a") + details_row("2", "fill(int)", "Duration", "ns", "-1") +
      details_row("3", "fill(int)", "Duration", "ns", "5") + details_row("4", "copy(int)", "Duration", "ns", "5"));
  ASSERT_THAT(file.rows, SizeIs(1));
  EXPECT_THAT(file.notes, Contains("3 rows of 2 other kernels not scored: fill(int) (2), copy(int) (1)."));
  EXPECT_THAT(file.notes, Contains(HasSubstr("1 row without a time not scored: neither gpu__time_duration.sum nor")));
}

TEST(NcuDetails, TakeCyclesWhereThereIsNoTime) {
  const auto file = read_file(kDetailsHeader + details_row("0", "saxpy", "sm__cycles_elapsed.max", "cycle", "12,345"));
  ASSERT_THAT(file.rows, SizeIs(1));
  EXPECT_EQ(file.rows[0].quantity, Quantity::Cycles);
  EXPECT_DOUBLE_EQ(file.rows[0].value, 12345);
}

TEST(NcuDetails, RefuseWhatIsNoTimeWithItsLine) {
  for (const std::string value : {"-5", "0", "1.205,00", "12,34", ",123", "fast", "1e400"})
    EXPECT_THAT(why_refused(kDetailsHeader + details_row("0", "saxpy", "Duration", "ns", value)),
                AllOf(HasSubstr("m: line 2, column \"Metric Value\""), HasSubstr("a number above 0")))
        << value;
  EXPECT_THAT(why_refused(kDetailsHeader + details_row("0", "saxpy", "Duration", "fortnight", "1")),
              HasSubstr("\"fortnight\" is no unit of time"));
  for (const std::string block : {"", "(32)", "(32, 0, 1)", "(1, 1, 1, 1)", "(4e9, 4e9, 4e9)", "(a, 1, 1)"})
    EXPECT_THAT(why_refused(kDetailsHeader + details_row("0", "saxpy", "Duration", "ns", "1", block)),
                AllOf(HasSubstr("column \"Block Size\""), HasSubstr("as in (256, 1, 1)")))
        << block;
}

TEST(NcuRaw, GivesALaunchForEachRowInTheUnitBelowTheHeader) {
  const std::string header =
      "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"gpu__time_duration.sum\"\n";
  const auto file = read_file(header + "\"\",\"\",\"\",\"\",\"\",\"\",\"msecond\"\n" +
                              "\"0\",\"saxpy(int)\",\"(128, 1, 1)\",\"(1024, 1, 1)\",\"0\",\"8.0\",\"1.5\"\n");
  EXPECT_EQ(file.form, "Nsight Compute, raw page");
  ASSERT_THAT(file.rows, SizeIs(1));
  expect_row(file.rows[0], 3, 128, 1024, 1500);
}

TEST(NcuRaw, NeedsTheLineOfUnits) {
  EXPECT_THAT(why_refused("\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"gpu__time_duration.sum\"\n"
                          "\"0\",\"saxpy\",\"(128, 1, 1)\",\"(8, 1, 1)\",\"1.5\"\n"),
              AllOf(HasSubstr("m: line 2"), HasSubstr("the line of units is missing")));
}

// ---- Nsight Systems

const std::string kTraceHeader =
    "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,Device,Ctx,Strm,Name\n";

TEST(NsysTrace, GivesALaunchForEachKernel) {
  const auto file = read_file("Processing [a.sqlite] with [cuda_gpu_trace.py]...\n" + kTraceHeader +
                              "10,1500,1,8,2,1,64,2,1,16,NVIDIA A100-SXM4-80GB (0),1,7,\"saxpy(int, float)\"\n"
                              "20,700,2,,,,,,,,NVIDIA A100-SXM4-80GB (1),1,7,[CUDA memcpy HtoD]\n"
                              "30,900,3,1,1,1,32,1,1,16,NVIDIA A100-SXM4-80GB (0),1,7,fill\n");
  EXPECT_EQ(file.form, "Nsight Systems, cuda_gpu_trace");
  ASSERT_THAT(file.rows, SizeIs(1));
  expect_row(file.rows[0], 3, 128, 16, 1.5);
  EXPECT_THAT(file.notes, Contains("Device \"NVIDIA A100-SXM4-80GB\" is taken for d."));
  EXPECT_THAT(file.notes, Contains("1 row of no kernel not scored."));
  EXPECT_THAT(file.notes, Contains("1 row of 1 other kernel not scored: fill (1)."));
}

TEST(NsysTrace, FindsTheDeviceByItsTitle) {
  auto names = some_names();
  names.device.reset();
  names.devices = {{"a100", "NVIDIA A100 80GB (1410 MHz boost clock)"}, {"v100", "NVIDIA Tesla V100 PCIe 16GB"}};
  const std::string row = "10,1500,1,8,2,1,64,2,1,16,NVIDIA A100-SXM4-80GB (0),1,7,saxpy\n";
  EXPECT_EQ(read_file(kTraceHeader + row, names).rows.at(0).device, "a100");
  names.devices.erase("a100");
  EXPECT_THAT(why_refused(kTraceHeader + row, names),
              AllOf(HasSubstr("no device has the title \"NVIDIA A100-SXM4-80GB\""), HasSubstr("one of: v100")));
}

TEST(NsysTrace, OfTwoDevicesIsNotOfOne) {
  EXPECT_THAT(why_refused(kTraceHeader + "1,1500,1,8,2,1,64,2,1,16,NVIDIA A,1,7,saxpy\n" +
                          "1,1500,1,8,2,1,64,2,1,16,NVIDIA B,1,7,saxpy\n"),
              HasSubstr("rows of several devices; found NVIDIA A and NVIDIA B"));
}

TEST(NsysTrace, RefusesNonsenseWithItsLine) {
  EXPECT_THAT(why_refused(kTraceHeader + "1,-4,1,8,2,1,64,2,1,16,A,1,7,saxpy\n"),
              AllOf(HasSubstr("m: line 2, column \"Duration (ns)\""), HasSubstr("found -4")));
  EXPECT_THAT(why_refused(kTraceHeader + "1,4,1,9e15,9e15,1,64,2,1,16,A,1,7,saxpy\n"),
              HasSubstr("at most 2^53 groups"));
  EXPECT_THAT(why_refused(kTraceHeader + "1,4,1,8,x,1,64,2,1,16,A,1,7,saxpy\n"), HasSubstr("whole numbers from 1"));
  EXPECT_THAT(why_refused(kTraceHeader + "1,4,1\n"), HasSubstr("keep the lines of one table only"));
  EXPECT_THAT(why_refused(kTraceHeader), HasSubstr("no row of a kernel"));
}

TEST(NsysSummary, GivesMediansWithoutALaunch) {
  const auto file = read_file(
      "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
      "90.0,30000,10,3000.0,\"2,900.5\",2000,9000,10.0,\"saxpy(int)\"\n");
  EXPECT_EQ(file.form, "Nsight Systems, cuda_gpu_kern_sum");
  ASSERT_THAT(file.rows, SizeIs(1));
  EXPECT_FALSE(file.rows[0].options.group_size);
  EXPECT_FALSE(file.rows[0].options.groups);
  EXPECT_DOUBLE_EQ(file.rows[0].value, 2.9005);
  EXPECT_EQ(file.rows[0].source, "median of 10 launches");
  EXPECT_THAT(file.notes, Contains(HasSubstr("The report has no launches")));
}

// ---- ROCm

TEST(Rocprof, CountsItsGridInWorkItems) {
  // 1000 items in groups of 256 are four groups, the last of them not full.
  const std::string header =
      "\"Index\",\"KernelName\",\"gpu-id\",\"grd\",\"wgr\",\"BeginNs\",\"EndNs\",\"DurationNs\"\n";
  const auto file = read_file(header + "0,\"saxpy(int, float) [clone .kd]\",0,1000,256,5,2505,2500\n");
  EXPECT_EQ(file.form, "rocprof, results.csv");
  ASSERT_THAT(file.rows, SizeIs(1));
  expect_row(file.rows[0], 2, 256, 4, 2.5);
}

TEST(Rocprof, TakesTimeStampsWhereThereIsNoDuration) {
  const std::string header = "\"Index\",\"KernelName\",\"grd\",\"wgr\",\"BeginNs\",\"EndNs\"\n";
  // Nanoseconds since 1970, too close together for doubles.
  EXPECT_DOUBLE_EQ(read_file(header + "0,saxpy.kd,64,64,1700000000000000001,1700000000000000004\n").rows.at(0).value,
                   0.003);
  EXPECT_THAT(why_refused(header + "0,saxpy.kd,64,64,9,9\n"), HasSubstr("must end after it began, at 9"));
  EXPECT_THAT(why_refused(header + "0,saxpy.kd,64,64,9,99999999999999999999\n"),
              HasSubstr("a whole number of nanosec"));
  EXPECT_THAT(why_refused("\"Index\",\"KernelName\",\"grd\",\"wgr\"\n0,saxpy,64,64\n"), HasSubstr("--timestamp on"));
}

const std::string kTraceOfThree =
    "\"Kind\",\"Agent_Id\",\"Kernel_Name\",\"Start_Timestamp\",\"End_Timestamp\",\"Workgroup_Size_X\","
    "\"Workgroup_Size_Y\",\"Workgroup_Size_Z\",\"Grid_Size_X\",\"Grid_Size_Y\",\"Grid_Size_Z\"\n";

TEST(RocprofThree, DividesEachAxisByItsGroup) {
  // 100 / 16 = 7 rounded up, 8 / 4 = 2, 3 / 1 = 3.
  const auto file = read_file(kTraceOfThree + "\"KERNEL_DISPATCH\",\"Agent 1\",\"saxpy\",100,1350,16,4,1,100,8,3\n" +
                              "\"MEMORY_COPY\",\"Agent 1\",\"\",1,2,,,,,,\n");
  EXPECT_EQ(file.form, "rocprofv3, kernel trace");
  ASSERT_THAT(file.rows, SizeIs(1));
  expect_row(file.rows[0], 2, 64, 42, 1.25);
  EXPECT_THAT(file.notes, Contains("1 row of no kernel not scored."));
}

TEST(RocprofThree, SaysThatRowsAreOfSeveralDevices) {
  const std::string row = ",saxpy,100,1350,16,4,1,100,8,3\n";
  EXPECT_THAT(read_file(kTraceOfThree + "KERNEL_DISPATCH,Agent 1" + row + "KERNEL_DISPATCH,Agent 2" + row).notes,
              Contains("Rows of 2 devices are all taken for d: Agent 1, Agent 2."));
  EXPECT_THAT(read_file(kTraceOfThree + "KERNEL_DISPATCH,Agent 1" + row).notes,
              testing::Not(Contains(HasSubstr("devices"))));
}

TEST(RocprofThree, RefusesNonsense) {
  EXPECT_THAT(why_refused(kTraceOfThree + "KERNEL_DISPATCH,1,saxpy,5,4,16,4,1,100,8,3\n"), HasSubstr("must end after"));
  EXPECT_THAT(why_refused(kTraceOfThree + "KERNEL_DISPATCH,1,saxpy,5,9,9e15,9e15,1,1,1,1\n"), HasSubstr("2^53"));
  EXPECT_THAT(why_refused(kTraceOfThree + "KERNEL_DISPATCH,1,saxpy,-5,9,16,4,1,100,8,3\n"), HasSubstr("found -5"));
}

// ---- Kernel Tuner

std::string cache(const std::string& configurations, const std::string& keys = R"("block_size_x","tile")",
                  const std::string& end = "}\n}") {
  return "{\n\"device_name\": \"NVIDIA A40\",\n\"kernel_name\": \"saxpy\",\n\"problem_size\": [4096, 16],\n"
         "\"tune_params_keys\": [" +
         keys + "],\n\"tune_params\": {},\n\"objective\": \"time\",\n\"cache\": {\n" + configurations + end;
}

const std::string kOne = R"("64,2": {"block_size_x": 64, "tile": 2, "time": 0.125, "times": [0.1, 0.15]})";
const std::string kTwo = R"("32,4": {"block_size_x": 32, "tile": 4, "time": 0.5, "times": [0.5]})";

TEST(KernelTuner, GivesALaunchForEachConfiguration) {
  const auto file = read_file(cache(kOne + ",\n" + kTwo));
  EXPECT_EQ(file.form, "Kernel Tuner cache");
  ASSERT_THAT(file.rows, SizeIs(2));
  EXPECT_EQ(file.rows[0].line, 9U);
  EXPECT_EQ(file.rows[1].line, 10U);
  EXPECT_EQ(file.rows[0].options.group_size, 64);
  EXPECT_FALSE(file.rows[0].options.groups);
  EXPECT_THAT(file.rows[0].options.parameters, ElementsAre(testing::Pair("tile", 2)));
  EXPECT_DOUBLE_EQ(file.rows[0].value, 125);  // milliseconds
  EXPECT_EQ(file.rows[0].source, "64,2");
  EXPECT_THAT(file.notes, Contains("Device \"NVIDIA A40\" is taken for d."));
}

TEST(KernelTuner, LeavesAFileOpenThatIsReadNevertheless) {
  for (const std::string end : {"", ",", "\n", ",\n", " , "}) {
    const auto file = read_file(cache(kOne, R"("block_size_x","tile")", end));
    EXPECT_THAT(file.rows, SizeIs(1)) << end;
    EXPECT_THAT(file.notes, Contains(HasSubstr("was left open"))) << end;
  }
  EXPECT_THAT(read_file(cache(kOne)).notes, testing::Not(Contains(HasSubstr("was left open"))));
}

TEST(KernelTuner, CutOffAnywhereGivesOnlyTimesThatItSays) {
  const auto whole = cache(kOne + ",\n" + kTwo);
  for (std::size_t bytes = 1; bytes < whole.size(); ++bytes) {
    const auto cut = whole.substr(0, bytes);
    const auto why = why_refused(cut);  // no other exception, and rows read have their times
    if (why != "read") continue;
    for (const auto& row : read_file(cut).rows) EXPECT_THAT(row.value, testing::AnyOf(125, 500)) << cut;
  }
}

TEST(KernelTuner, CountsConfigurationsThatFailed) {
  const auto file = read_file(cache(kOne + R"(,
"1,1": {"block_size_x": 1, "tile": 1, "time": "InvalidConfig"},
"2,1": {"block_size_x": 2, "tile": 1, "time": "InvalidConfig"},
"4,1": {"block_size_x": 4, "tile": 1, "time": 1e20})"));
  EXPECT_THAT(file.rows, SizeIs(1));
  EXPECT_THAT(file.notes, Contains("3 rows without a time not scored: InvalidConfig (2), 1e20 (1)."));
  EXPECT_THAT(why_refused(cache(R"("1,1": {"block_size_x": 1, "tile": 1, "time": "RuntimeFailedConfig"})")),
              HasSubstr("no row of the chosen kernels says a time; found RuntimeFailedConfig (1)"));
}

TEST(KernelTuner, MultipliesBlockSizesAndWhatIsMappedToALaunchValue) {
  const std::string keys = R"("block_size_x","block_size_y","waves")";
  const auto text = cache(R"("a": {"block_size_x": 16, "block_size_y": 8, "waves": 3, "time": 1})", keys);
  auto names = some_names();
  EXPECT_THAT(why_refused(text, names),
              AllOf(HasSubstr("tunables that are no parameter of saxpy: waves"), HasSubstr("waves=none")));
  names.tunables = {{"waves", "groups"}};
  EXPECT_EQ(read_file(text, names).rows.at(0).options.group_size, 128);
  EXPECT_EQ(read_file(text, names).rows.at(0).options.groups, 3);
  names.tunables = {{"waves", "none"}, {"block_size_x", "group_size"}, {"block_size_y", "tile"}};
  EXPECT_EQ(read_file(text, names).rows.at(0).options.group_size, 16);
  EXPECT_THAT(read_file(text, names).rows.at(0).options.parameters, ElementsAre(testing::Pair("tile", 8)));
}

TEST(KernelTuner, GivesTheProblemSizeWhereItIsAskedFor) {
  auto names = some_names();
  names.tunables = {{"problem_size_x", "n"}};
  EXPECT_EQ(read_file(cache(kOne), names).rows.at(0).options.parameters.at("n"), 4096);
  names.tunables = {{"problem_size_z", "n"}};
  EXPECT_THAT(why_refused(cache(kOne), names), HasSubstr("the problem has no problem_size_z"));
}

TEST(KernelTuner, RefusesTunablesThatMeanNothing) {
  auto names = some_names();
  for (const auto& [name, target, said] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {"tyle", "none", "did you mean \"tile\"?"},
           {"tile", "m", "no parameter \"m\" in saxpy"},
           {"tile", "gruop_size", "did you mean \"group_size\"?"}}) {
    names.tunables = {{name, target}};
    EXPECT_THAT(why_refused(cache(kOne), names), HasSubstr(said));
  }
  names.tunables = {{"tile", "n"}, {"block_size_x", "n"}};
  EXPECT_THAT(why_refused(cache(kOne), names), HasSubstr("n is set twice"));
}

TEST(KernelTuner, RefusesNonsense) {
  const auto with = [](const std::string& fields) { return cache("\"a\": {\"block_size_x\": 64, " + fields + "}"); };
  EXPECT_THAT(why_refused(with(R"("tile": 2, "time": -1)")), AllOf(HasSubstr("/cache/a/time"), HasSubstr("above 0")));
  EXPECT_THAT(why_refused(with(R"("tile": 2)")), HasSubstr("time"));
  EXPECT_THAT(why_refused(with(R"("tile": 2, "time": [1])")), HasSubstr("/cache/a/time"));
  EXPECT_THAT(why_refused(with(R"("time": 2)")), HasSubstr("tile"));
  EXPECT_THAT(why_refused(with(R"("tile": "big", "time": 1)")), HasSubstr("give `tunables tile=none`"));
  EXPECT_THAT(why_refused(cache(R"("a": {"block_size_x": 1e300, "tile": 1, "time": 1})")), HasSubstr("no group size"));
  EXPECT_THAT(why_refused(cache(R"("a": {"block_size_x": -4, "tile": 1, "time": 1})")), HasSubstr("no group size"));
  EXPECT_THAT(why_refused(cache("\"a\": 3")), HasSubstr("/cache/a"));
  EXPECT_THAT(why_refused(cache("")), HasSubstr("no row of a kernel"));
  EXPECT_THAT(why_refused(R"({"tune_params_keys": []})"), HasSubstr("cache"));
  EXPECT_THAT(why_refused(R"({"tune_params_keys": 4, "cache": [], "kernel_name": 1, "device_name": {}})"),
              HasSubstr("kernel_name"));
}

/// The reader accepts and refuses the same files as the schema.
TEST(KernelTuner, IsReadAsItsSchemaSays) {
  auto names = some_names();
  names.kernels = {{"axpy_kernel", "saxpy"}};
  names.tunables = {{"read_only", "none"}};
  const auto text = [](const std::string& name) {
    return read_text_file(in_sources("tests/accuracy/data/") + name + ".json");
  };
  EXPECT_THAT(read_file(text("kernel_tuner"), names).rows, SizeIs(4));
  for (const std::string name : {"kernel_tuner_negative_time", "kernel_tuner_no_device", "kernel_tuner_no_time"})
    EXPECT_NE(why_refused(text(name), names), "read") << name;
}

// ---- all forms

TEST(MeasuredFiles, AreWarpipesOwnWhereNothingElseIsRecognised) {
  const auto file = read_file("kernel,device,cycles\nk,d,1\n", {});
  EXPECT_EQ(file.form, "measured CSV");
  EXPECT_THAT(file.rows, SizeIs(1));
  EXPECT_THAT(file.notes, IsEmpty());
  EXPECT_THAT(why_refused("", {}), HasSubstr("the file is empty"));
  EXPECT_THAT(why_refused("{\"a\": 1}", {}),
              AllOf(HasSubstr("no file of measurements"), HasSubstr("Kernel Tuner cache")));
}

TEST(MeasuredFiles, OfWarpipeNeedNoNames) {
  EXPECT_THAT(why_refused("kernel,device,cycles\nk,d,1\n"), HasSubstr("`kernel_map`: m is a measured CSV"));
  ForeignNames names;
  names.tunables = {{"a", "b"}};
  EXPECT_THAT(why_refused("kernel,device,cycles\nk,d,1\n", names), HasSubstr("`tunables`: m is a measured CSV"));
}

TEST(MeasuredFiles, WithoutAChosenKernelSayWhichThereAre) {
  const auto rows = kTraceHeader + "1,4,1,8,1,1,64,2,1,16,A,1,7,void fill<int>(int)\n" +
                    "1,4,1,8,1,1,64,2,1,16,A,1,7,copy\n" + "1,4,1,8,1,1,64,2,1,16,A,1,7,copy\n";
  EXPECT_THAT(why_refused(rows), AllOf(HasSubstr("names kernels of another program, and none is chosen"),
                                       HasSubstr("found copy (2), void fill<int>(int) (1)"),
                                       HasSubstr("give `kernel_map` 'copy=KERNEL'")));
}

TEST(MeasuredFiles, SayWhichParametersNobodyGives) {
  auto names = some_names();
  EXPECT_THAT(read_file(cache(kOne), names).notes, Contains("Parameters of saxpy as its file has them: n 1024."));
  names.parameters = {"n"};
  EXPECT_THAT(read_file(cache(kOne), names).notes, testing::Not(Contains(HasSubstr("Parameters of"))));
}

TEST(MeasuredFiles, WithoutADeviceAskForIt) {
  auto names = some_names();
  names.device.reset();
  EXPECT_THAT(why_refused(kDetailsHeader + details_row("0", "saxpy", "Duration", "ns", "1"), names),
              AllOf(HasSubstr("m does not name the device"), HasSubstr("give `device DEVICE`")));
}

RC_GTEST_PROP(MeasuredFiles, OfAnyBytesAreReadOrRefusedWithAReason, ()) {
  const auto start = *rc::gen::elementOf(
      std::vector<std::string>{kDetailsHeader, kTraceHeader, kTraceOfThree, "KernelName,grd,wgr,DurationNs\n",
                               "ID,Kernel Name,Block Size,Grid Size,gpu__time_duration.sum\n",
                               "Instances,Med (ns),Name\n", cache("", R"("block_size_x","tile")", "")});
  const auto body = *rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("saxpy19,,,,\"\"\"(){}[]:=\r\n \t.-e\0\xff", 31)));
  const auto why = why_refused(start + body);
  RC_ASSERT(!why.empty());
}

// ---- the description of the columns

using Json = nlohmann::json;

std::string quoted_cell(const std::string& text) { return '"' + text + '"'; }

/// A table of one row, with the examples of the columns for which `has` is true.
template <class Has>
std::string example_table(const Json& table, const Has& has) {
  std::string header, units, row;
  for (const Json& column : table.at("tableSchema").at("columns")) {
    const auto name = column.at("titles").get<std::string>();
    if (!has(column)) continue;
    const std::string comma = header.empty() ? "" : ",";
    header += comma + quoted_cell(name);
    units += comma + quoted_cell(column.value("unit", ""));
    row += comma + quoted_cell(column.at("example").get<std::string>());
  }
  return header + "\n" + (table.contains("units_below_header") ? units + "\n" : "") + row + "\n";
}

/// Whether a column belongs to another of the sets of which a file must have one.
bool is_of_another_set(const Json& table, const Json& set, const Json& name) {
  if (std::ranges::find(set, name) != set.end()) return false;
  const auto sets = table.value("one_of", Json::array());
  return std::ranges::any_of(sets, [&](const Json& each) { return std::ranges::find(each, name) != each.end(); });
}

MeasuredFile read_example(const Json& table, const std::string& text) {
  const bool is_own = table.at("form") == "measured CSV";
  return read_measured(text, "m", {"saxpy", "v100"}, is_own ? ForeignNames{} : some_names());
}

TEST(MeasuredColumns, AreReadAsTheirDescriptionSays) {
  const auto tables =
      Json::parse(read_text_file(in_sources("simulator/accuracy/schema/measured_columns.json"))).at("tables");
  EXPECT_THAT(tables, SizeIs(7));
  for (const Json& table : tables) {
    for (const Json& set : table.value("one_of", Json::array({Json::array()}))) {
      const auto is_needed = [&](const Json& column) {
        return column.at("required") == true || std::ranges::find(set, column.at("titles")) != set.end();
      };
      const auto may_be_there = [&](const Json& column) {
        const bool is_of_times = column.at("titles") == "includes_overhead";
        return !is_of_another_set(table, set, column.at("titles")) && (!is_of_times || set.at(0) == "time_us");
      };
      for (const auto& text : {example_table(table, is_needed), example_table(table, may_be_there)}) {
        SCOPED_TRACE(text);
        const auto file = read_example(table, text);
        EXPECT_EQ(file.form, table.at("form"));
        ASSERT_THAT(file.rows, SizeIs(1));
        EXPECT_GT(file.rows[0].value, 0);
      }
      for (const Json& left_out : table.at("tableSchema").at("columns")) {
        if (!is_needed(left_out)) continue;
        const auto others = [&](const Json& column) { return is_needed(column) && column != left_out; };
        SCOPED_TRACE(example_table(table, others));
        EXPECT_THROW(read_example(table, example_table(table, others)), Error);
      }
    }
  }
}

// ---- names

TEST(BareKernelNames, AreWithoutWhatACompilerPutsAround) {
  for (const auto& [name, bare] :
       std::vector<std::pair<std::string, std::string>>{{"k", "k"},
                                                        {"k(int, float *)", "k"},
                                                        {"void k<float, (int)4>(T1 *)", "k"},
                                                        {"void a::b::k<std::pair<int, c::d> >(int)", "k"},
                                                        {"(anonymous namespace)::k(int)", "k"},
                                                        {"k(Body*, float, int) [clone .kd]", "k"},
                                                        {"k.kd", "k"},
                                                        {"", ""}})
    EXPECT_EQ(bare_kernel_name(name), bare) << name;
}

TEST(DeviceTitles, AreTheSameButForBrandAndFormFactor) {
  const std::map<std::string, std::string> titles{
      {"a100", "NVIDIA A100 80GB (1410 MHz boost clock)"},
      {"a100_40gb", "NVIDIA A100 40GB PCIe (1410 MHz boost clock)"},
      {"gtx1070", "NVIDIA GeForce GTX 1070 (1683 MHz boost clock, recalled)"},
      {"h100", "NVIDIA H100 SXM5 80GB HBM3 (1980 MHz)"},
      {"mi210", "AMD Instinct MI210 (1700 MHz peak engine clock)"},
      {"v100", "NVIDIA Tesla V100 PCIe 16GB (1380 MHz boost clock)"}};
  for (const auto& [title, name] :
       std::vector<std::pair<std::string, std::string>>{{"NVIDIA A100-SXM4-80GB", "a100"},
                                                        {"NVIDIA A100-PCIE-40GB", "a100_40gb"},
                                                        {"NVIDIA H100 80GB HBM3", "h100"},
                                                        {"GeForce GTX 1070", "gtx1070"},
                                                        {"AMD Instinct MI210", "mi210"},
                                                        {"Tesla V100-PCIE-16GB", "v100"}})
    EXPECT_EQ(device_with_title(title, titles), name) << title;
  for (const std::string title : {"NVIDIA GeForce GTX 1070 Ti", "Tesla V100-SXM2-16GB", "NVIDIA A100-SXM4-40GB",
                                  "NVIDIA H100 PCIe", "A100", "NVIDIA", ""})
    EXPECT_FALSE(device_with_title(title, titles)) << title;
}

TEST(DeviceTitles, ThatTwoTablesHaveAreNotGuessed) {
  EXPECT_FALSE(device_with_title("NVIDIA A100 80GB", {{"a", "NVIDIA A100 80GB PCIe"}, {"b", "NVIDIA A100 SXM4 80GB"}}));
}

}  // namespace
}  // namespace warpipe
