#include "warpipe/tune/space.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "warpipe/idg/error.hpp"
#include "warpipe/inputs/child_process.hpp"
#include "warpipe/tune/source_files.hpp"

namespace warpipe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kOwn = R"json({
  "format": "warpipe-space", "version": 1, "source": "k.cu", "entry": "k",
  "constants": { "n": 1000 },
  "tunables": { "bx": [16, 32, 64], "by": "[2**i for i in range(3)]", "type": ["float", "float4"] },
  "restrictions": ["bx * by <= 64", "type == 'float' or bx > 16"],
  "macros": { "BX": "bx", "T": "type" },
  "block": ["bx", "by"], "grid": "ceil(n / bx)",
                     "arguments" : {"n" : "n", "a" : 0.5},
                     "compiler_flags" : ["-maxrregcount={32 * by}"],
                     "dynamic_shared_memory" : "4 * bx"
})json";

TuningSpace read(const std::string& text) { return read_space({"folder/space.json", text}); }

std::string said(const std::function<void()>& step) {
  try {
    step();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// bx 16: by 1, 2, 4 with float alone; bx 32: by 1, 2; bx 64: by 1; these with both types.
TEST(Space, RestrictionsChooseAmongAllCombinations) {
  const auto space = read(kOwn);
  const auto all = configurations_of(space);
  ASSERT_EQ(all.size(), 3U + 2 * 2 + 2);
  EXPECT_EQ(show(space, all.front()), "bx=16, by=1, type=float");
  EXPECT_EQ(show(space, all[4]), "bx=32, by=1, type=float4");
  EXPECT_EQ(space.source, "folder/k.cu");
}

TEST(Space, FormulasSayWhatIsCompiledAndLaunched) {
  const auto space = read(kOwn);
  const auto launch = launch_of(space, configurations_of(space)[1]);  // bx=16, by=2, type=float
  EXPECT_THAT(launch.flags, ElementsAre("-DBX=16", "-DT=float", "-maxrregcount=64"));
  EXPECT_EQ(launch.block, (isa::Dimensions{16, 2, 1}));
  EXPECT_EQ(launch.grid, (isa::Dimensions{63, 1, 1}));
  EXPECT_EQ(launch.dynamic_shared_memory, 64);
  EXPECT_EQ(launch.arguments.at("n"), "1000");
  EXPECT_EQ(launch.arguments.at("a"), "0.5");
}

TEST(Space, MistakesAreSaidWithTheirPlaces) {
  EXPECT_THAT(
      said([] { read(R"json({"format":"warpipe-space","version":1,"tunables":{"a":[1]},"grid":["a +"]})json"); }),
      HasSubstr("/grid/0: something lacks at the end"));
  EXPECT_THAT(said([] {
                read(R"json({"format":"warpipe-space","version":1,"tunables":{"a":[1]},"restrictions":["b>1"]})json");
              }),
              HasSubstr("\"b\" is no tunable and no constant"));
  EXPECT_THAT(said([] { read(R"json({"format":"warpipe-space","version":1,"tunables":{}})json"); }),
              HasSubstr("no tunables"));
  EXPECT_THAT(said([] { read(R"json({"format":"warpipe-space","version":1,"tunables":{"a":[1]},"tunable":1})json"); }),
              HasSubstr("tunable"));
  EXPECT_THAT(said([] { read(R"json({"a": 1})json"); }), HasSubstr("no space of configurations"));
  const auto none =
      read(R"json({"format":"warpipe-space","version":1,"tunables":{"a":[1]},"restrictions":["a>1"]})json");
  EXPECT_THAT(said([&] { configurations_of(none); }), HasSubstr("leave no configuration"));
}

// Kernel Tuner divides the problem by GridDiv, else by the size of the block along the axis.
TEST(Space, TheInputOfKernelTuner) {
  const auto space = read(R"json({
    "ConfigurationSpace": {
      "TuningParameters": [
        { "Name": "block_size_x", "Type": "int", "Values": "[16*i for i in range(1,3)]", "Default": 16 },
        { "Name": "tile", "Type": "int", "Values": "[1, 2]" } ],
      "Conditions": [ { "Expression": "block_size_x * tile < 64", "Parameters": ["block_size_x", "tile"] } ] },
    "KernelSpecification": {
      "Language": "CUDA", "KernelName": "k", "KernelFile": "k.cu", "CompilerOptions": ["-std=c++14"],
      "LocalSize": { "X": "block_size_x", "Y": "1", "Z": "1" },
      "GlobalSize": { "X": "8", "Y": "1" }, "GridDivX": ["block_size_x", "tile"], "ProblemSize": [100, 5],
      "SharedMemory": 64,
      "Arguments": [ { "Name": "out", "Type": "float", "MemoryType": "Vector", "Size": 100 },
                     { "Name": "count", "Type": "int32", "MemoryType": "Scalar", "FillValue": 100 } ] } })json");
  const auto all = configurations_of(space);
  ASSERT_EQ(all.size(), 3U);
  const auto launch = launch_of(space, all[1]);  // block_size_x=16, tile=2: 100 / 32 up
  EXPECT_EQ(launch.block, (isa::Dimensions{16, 1, 1}));
  EXPECT_EQ(launch.grid, (isa::Dimensions{4, 5, 1}));
  EXPECT_EQ(launch.arguments.at("1"), "100");
  EXPECT_EQ(launch.dynamic_shared_memory, 64);
  EXPECT_THAT(launch.flags, ElementsAre("-std=c++14"));
  EXPECT_EQ(space.entry, "k");
}

// A size in threads, as OpenCL's: 1000 / 16 up.
TEST(Space, ASizeOfThreadsIsDividedByTheBlock) {
  const auto space = read(R"json({
    "ConfigurationSpace": { "TuningParameters": [ { "Name": "b", "Type": "int", "Values": "[16]" } ] },
    "KernelSpecification": { "Language": "OpenCL", "KernelName": "k", "KernelFile": "k.cu", "GlobalSizeType": "OpenCL",
      "LocalSize": { "X": "b" }, "GlobalSize": { "X": "1000" } } })json");
  EXPECT_EQ(launch_of(space, configurations_of(space)[0]).grid, (isa::Dimensions{63, 1, 1}));
}

constexpr const char* kCache = R"json({
  "device_name": "GeForce Example", "kernel_name": "k", "problem_size": [1000, 7],
  "tune_params_keys": ["block_size_x", "tile"],
  "cache": {
    "16,1": { "block_size_x": 16, "tile": 1, "time": 2.0, "times": [2.0] },
    "16,2": { "block_size_x": 16, "tile": 2, "time": "CompilationFailedConfig" },
    "32,1": { "block_size_x": 32, "tile": 1, "time": 1.5 }
  } })json";

TEST(Space, TheCacheOfKernelTuner) {
  const auto space = read(kCache);
  const auto all = configurations_of(space);
  ASSERT_EQ(all.size(), 3U);
  const auto launch = launch_of(space, all[2]);
  EXPECT_EQ(launch.block, (isa::Dimensions{32, 1, 1}));
  EXPECT_EQ(launch.grid, (isa::Dimensions{32, 7, 1}));  // nothing divides the second size
  const auto* times = times_on(space, "example", "", false);
  ASSERT_NE(times, nullptr);
  EXPECT_DOUBLE_EQ(*times->by_values.at(all[2].values).seconds, 1.5e-3);
  EXPECT_EQ(times->by_values.at(all[1].values).failure, "CompilationFailedConfig");
}

TEST(Space, ACacheThatWasCutOffHoldsWhatIsWhole) {
  const std::string text = kCache;
  for (const auto cut : {text.find("\"32,1\""), text.find("\"time\": 1.5"), text.find(",\n    \"32,1\"") + 1}) {
    const auto space = read(text.substr(0, cut));
    EXPECT_EQ(configurations_of(space).size(), 2U) << cut;
  }
}

constexpr const char* kKtt = R"json({
  "Metadata": { "Device": "Example Card", "GlobalSizeType": "OpenCL", "TimeUnit": "Microseconds" },
  "Results": [
    { "Configuration": [ { "Name": "WG", "Value": 32, "ValueType": "UnsignedInt" },
                         { "Name": "SOA", "Value": 1, "ValueType": "UnsignedInt" } ],
      "ComputationResults": [ { "Duration": 40.0, "KernelFunction": "k",
        "GlobalSize": { "X": 128, "Y": 4, "Z": 1 }, "LocalSize": { "X": 32, "Y": 2, "Z": 1 } } ],
      "Status": "Ok" },
    { "Configuration": [ { "Name": "WG", "Value": 32 }, { "Name": "SOA", "Value": 1 } ],
      "ComputationResults": [ { "Duration": 60.0,
        "GlobalSize": { "X": 128, "Y": 4, "Z": 1 }, "LocalSize": { "X": 32, "Y": 2, "Z": 1 } } ],
      "Status": "Ok" },
    { "Configuration": [ { "Name": "WG", "Value": 64 }, { "Name": "SOA", "Value": 1 } ],
      "ComputationResults": [], "Status": "CompilationFailed" } ] })json";

TEST(Space, WhatKttWrites) {
  const auto space = read(kKtt);
  const auto all = configurations_of(space);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(space.entry, "k");
  const auto launch = launch_of(space, all[0]);
  EXPECT_EQ(launch.block, (isa::Dimensions{32, 2, 1}));
  EXPECT_EQ(launch.grid, (isa::Dimensions{4, 2, 1}));
  ASSERT_EQ(space.measured.size(), 1U);
  EXPECT_DOUBLE_EQ(*space.measured[0].by_values.at(all[0].values).seconds, 50e-6);  // the mean of both runs
  EXPECT_EQ(space.measured[0].by_values.at(all[1].values).failure, "CompilationFailed");
}

// The cache has times of two tiles; a space of blocks alone cannot say whose time is whose.
TEST(Space, TimesOfATunableThatTheSpaceLacksAreRefused) {
  auto space = read(R"json({ "format": "warpipe-space", "version": 1, "source": "k.cu",
    "tunables": { "block_size_x": [16, 32] }, "block": ["block_size_x"], "grid": ["8"] })json");
  EXPECT_THAT(said([&] {
                add_measured({"times.json", kCache}, space);
              }),
              testing::AllOf(HasSubstr("times.json"), HasSubstr("rows of one configuration differ in \"tile\"")));
}

TEST(Space, ATableOfMeasuredTimes) {
  auto space = read(kOwn);
  const auto others = add_measured({"t.csv",
                                    "device,bx,by,type,ms\nA 1,16,1,float,0.5\nB,16,1,float,2\nA 1,99,1,float,1\n"
                                    "A 1,16,2,float,failed\n"},
                                   space);
  EXPECT_EQ(others, 1U);
  ASSERT_EQ(space.measured.size(), 2U);
  const auto all = configurations_of(space);
  EXPECT_DOUBLE_EQ(*times_on(space, "a1", "", false)->by_values.at(all[0].values).seconds, 5e-4);
  EXPECT_EQ(times_on(space, "a1", "", false)->by_values.at(all[1].values).failure, "failed");
  EXPECT_EQ(times_on(space, "c", "", true), nullptr);
  EXPECT_THAT(said([&] { add_measured({"t.csv", "bx,by,ms\n16,1,1\n"}, space); }), HasSubstr("\"type\""));
}

// Tunables not named in the source are left out, and configurations share a compilation.
TEST(Space, TunablesThatTheSourceNamesAreMacros) {
  const TemporaryDirectory folder;
  std::ofstream(folder.path() + "/k.cu") << "#include \"part.h\"\n// SOA\n/* SOA\n*/int k = WG + SOA_2;  // SOA\n";
  std::ofstream(folder.path() + "/part.h") << "int of_part = tile;\n";
  auto space = read(R"json({"format":"warpipe-space","version":1,"tunables":{"WG":[1],"SOA":[1],"tile":[2]}})json");
  choose_macros(space, source_files(folder.path() + "/k.cu", {}));
  EXPECT_EQ(space.macros.size(), 2U);
  EXPECT_TRUE(space.macros.contains("WG"));
  EXPECT_TRUE(space.macros.contains("tile"));
}

// Beside the including file, in folders of flags; other files are the compiler's own.
TEST(Space, FilesOfASourceAreWhatItIncludes) {
  const TemporaryDirectory folder;
  const auto path = folder.path();
  for (const char* inner : {"/one", "/two", "/one/deep"}) std::filesystem::create_directory(path + inner);
  std::ofstream(path + "/k.cu") << "#include \"deep/a.h\"\n# include <b.h>\n  #include <vector>\n// #include \"c.h\"\n";
  std::ofstream(path + "/one/deep/a.h") << "#include \"a2.h\"\n#include \"a.h\"\n";
  std::ofstream(path + "/one/deep/a2.h") << "\n";
  std::ofstream(path + "/two/b.h") << "#include MACRO\n";
  std::ofstream(path + "/c.h") << "\n";
  std::vector<std::string> names;
  for (const auto& file : source_files(path + "/k.cu", {"-O3", "-I" + path + "/one", "-isystem", path + "/two"}))
    names.push_back(file.name.substr(path.size()));
  EXPECT_THAT(names, ElementsAre("/k.cu", "/one/deep/a.h", "/one/deep/a2.h", "/two/b.h"));
}

}  // namespace
}  // namespace warpipe
