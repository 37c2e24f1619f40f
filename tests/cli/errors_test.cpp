#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include "golden.hpp"
#include "program.hpp"

namespace warpipe::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A kernel with a body and further fields.
std::string kernel(const std::string& body, const std::string& more = R"("launch": {"group_size": 32, "groups": 1})") {
  return fmt::format(R"({{"format": "warpipe-kernel", "version": 1, "name": "k", {}, "body": [{}]}})", more, body);
}

std::string device(const std::string& completion) {
  return fmt::format(R"({{"format": "warpipe-device", "version": 1, "name": "d", "compute_units": 1, "clock_hz": 1e9,
    "warp_size": 32, "pipelines": {{"p": {{}}}}, "ops": {{"ffma": {{"pipeline": "p", "issue": 1, "completion": {}}}}}}})",
                     completion);
}

/// A call that must fail, with its status and its message.
struct Case {
  std::string name;
  std::vector<std::string> arguments;
  int status;
  std::string message;
  Files files = {};
};

void PrintTo(const Case& failing, std::ostream* stream) { *stream << failing.name; }

/// "simulate FILE --device tiny"
std::vector<std::string> simulate(const std::string& file, std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"simulate", file, "--device", "tiny"});
  return more;
}

std::vector<Case> usage_cases() {
  return {
      {"UnknownVerb", {"simulat"}, 2, "did you mean \"simulate\"?"},
      {"OptionBeforeTheVerb", {"--json", "simulate"}, 2, "an option cannot come before the verb"},
      {"UnknownOption", simulate("worked", {"--grups", "4"}), 2, "did you mean --groups?"},
      {"AbbreviatedOption", simulate("worked", {"--group", "4"}), 2, "--group: unknown option"},
      {"ShortOption", simulate("worked", {"-j"}), 2, "-j: unknown option"},
      {"NoKernel", {"simulate", "--device", "tiny"}, 2, "KERNEL"},
      {"TwoKernels", simulate("worked", {"other"}), 2,
       "\"other\": one argument too many: KERNEL is \"worked\" already"},
      {"ValueOfJsonBehindABlank", simulate("worked", {"--json", "out.json"}), 2, "write --json=out.json"},
      {"ValueOfCsvBehindABlank", {"validate", "--measured", "m.csv", "--csv", "out.csv"}, 2, "write --csv=out.csv"},
      {"EmptyKernel", {"simulate", "", "--device", "tiny"}, 2, "the name is empty"},
      {"EmptyDevice", {"simulate", "worked", "--device", ""}, 2, "the name is empty"},
      {"NoDevice", {"simulate", "worked"}, 2, "give --device DEVICE"},
      {"BothFromStandardInput", {"simulate", "-", "--device", "-"}, 2, "standard input can be read only once"},
      {"MissingValue", {"simulate", "worked", "--device"}, 2, "--device: the option needs a value"},
      {"OptionInPlaceOfAValue", {"simulate", "worked", "--device", "--json"}, 2, "--device: the option needs a value"},
      {"EmptyValue", simulate("worked", {"--json="}), 2, "needs a value after `=`"},
      {"NeedlessValue", simulate("worked", {"--ignore-limits=yes"}), 2, "the option takes no value"},
      {"OptionTwice", simulate("worked", {"--groups", "1", "--groups=2"}), 2, "the option can be given only once"},
      {"ZeroGroups", simulate("worked", {"--groups", "0"}), 2, "a whole number from 1"},
      {"NegativeGroups", simulate("worked", {"--groups", "-4"}), 2, "found \"-4\""},
      {"FractionalGroups", simulate("worked", {"--groups=1.5"}), 2, "a whole number"},
      {"HugeGroups", simulate("worked", {"--groups=1e300"}), 2, "2^53"},
      {"NumberOfAnotherLocale", simulate("worked", {"--clock", "1,5e9"}), 2, "\"1,5e9\" is not a clock"},
      {"ClockOfZero", simulate("worked", {"--clock=0"}), 2, "no device has a clock of 0 Hz"},
      {"UnknownPolicy", simulate("worked", {"--policy", "oldst"}), 2, "did you mean \"oldest\"?"},
      {"UnknownUnits", simulate("worked", {"--units=some"}), 2, "did you mean \"one\"?"},
      {"UnknownView", simulate("worked", {"--view", "bound"}), 2, "did you mean \"bounds\"?"},
      {"ParameterWithoutValue", simulate("worked", {"--param", "n"}), 2, "NAME=VALUE"},
      {"ParameterTwice", simulate("worked", {"--param", "n=1", "n=2"}), 2, "the name is given twice"},
      {"UnknownParameter", simulate("worked", {"--param", "trip=2"}), 2, "did you mean \"trips\"?"},
      {"SetWithoutField", simulate("worked", {"--set", "ffma=2"}), 2, "one of: ffma.issue, ffma.completion"},
      {"SetOfUnknownOp", simulate("worked", {"--set", "fma.issue=2"}), 2, "did you mean \"ffma.issue\"?"},
      {"SetToANegativeLatency", simulate("worked", {"--set", "ffma.issue=-2"}), 2, "from 0 to"},
      {"ScaleOfUnknownOp", simulate("worked", {"--scale", "fma=2"}), 2, "did you mean \"ffma\"?"},
      {"ConflictDegreeOfUnknownId", simulate("worked", {"--conflict-degree", "load=2"}), 2,
       "no instruction \"load\" in worked"},
      {"SweepOfNothing", {"sweep", "worked", "--device", "tiny"}, 2, "give --vary NAME=VALUES"},
      {"SweepOfUnknownName", {"sweep", "worked", "--device", "tiny", "--vary", "m=1:4"}, 2, "m"},
      {"SweepOfBadValues", {"sweep", "worked", "--device", "tiny", "--vary", "n=1:"}, 2, "MIN:MAX:STEP"},
      {"SweepInTwoForms", {"sweep", "worked", "--device=tiny", "--vary=n=1", "--csv", "--jsonl"}, 2, "choose one"},
      {"ValidateWithoutMeasurements", {"validate"}, 2, "give --measured CSV"},
      {"UnknownGraphFormat", {"graph", "worked", "--format", "svg"}, 2, "one of: dot, json"},
      {"CheckOfNothing", {"check"}, 2, "give at least one file"},
      {"UnknownList", {"list", "kernel"}, 2, "did you mean \"kernels\"?"},
  };
}

std::vector<Case> input_cases() {
  const std::string one = R"({"id": "a", "op": "ffma"})";
  return {
      {"UnknownKernelName", simulate("workd"), 3, "did you mean \"worked\"?"},
      {"UnknownDeviceName", {"simulate", "worked", "--device", "tini"}, 3, "did you mean \"tiny\"?"},
      {"MissingFile", simulate("none.json"), 3, "none.json"},
      {"DirectoryAsFile", simulate("./"), 3, "./"},
      {"HipSource",
       simulate("vec.hip"),
       3,
       "this is HIP source, and \"tiny\" is not a GPU of AMD",
       {{"vec.hip", "// __global__"}}},
      {"CppSourceByItsPath",
       simulate("./vec.cpp"),
       3,
       "end the name of CUDA source in .cu, that of HIP source in .hip",
       {{"vec.cpp", "// __global__"}}},
      {"CudaSourceToImport",
       {"import", "./vec", "--block=1", "--grid=1"},
       3,
       "this is source, not PTX or machine code; give a file whose name ends in .cu or .hip",
       {{"vec", "// __global__"}}},
      {"MachineCode",
       simulate("vec.cubin"),
       3,
       "this is no ELF file, or it is cut off",
       {{"vec.cubin",
         "\x7f"
         "ELF..."}}},
      {"FatBinary",
       simulate("./vec.fatbin"),
       3,
       "found none; compile with `nvcc -cubin -arch=sm_NN`",
       {{"vec.fatbin", "\x50\xed\x55\xba..."}}},
      {"KernelFileWithoutAnEnding", simulate("mine"), 3, "for the file here, write ./mine", {{"mine", kernel(one)}}},
      {"MissingDataDirectory", simulate("worked", {"--data", "nowhere"}), 3, "no such directory"},
      {"BrokenJson", simulate("k.json"), 3, "k.json", {{"k.json", "{\"format\": "}}},
      {"EmptyFile", simulate("k.json"), 3, "k.json", {{"k.json", ""}}},
      {"UnknownKey",
       simulate("k.json"),
       3,
       "lunch",
       {{"k.json", kernel(one, R"("lunch": {"group_size": 32, "groups": 1})")}}},
      {"DuplicateKey",
       simulate("k.json"),
       3,
       "/body/0/op: the key \"op\" is there twice",
       {{"k.json", kernel(R"({"id": "a", "op": "x", "op": "y"})")}}},
      {"WrongType", simulate("k.json"), 3, "/body/0/op", {{"k.json", kernel(R"({"id": "a", "op": 3})")}}},
      {"DeviceForAKernel",
       simulate("k.json"),
       3,
       "this is a device file, a kernel file is needed here",
       {{"k.json", device("4")}}},
      {"NegativeLatency",
       {"simulate", "worked", "--device", "d.json"},
       3,
       "/ops/ffma/completion",
       {{"d.json", device("-4")}}},
      {"TripCountBeyondWholeNumbers",
       simulate("k.json"),
       3,
       "/body/0/trip_count",
       {{"k.json",
         kernel(R"({"loop": "l", "trip_count": 4611686018427387904, "body": [{"id": "a", "op": "ffma"}]})")}}},
      {"ExpressionThatDoesNotParse",
       simulate("k.json"),
       3,
       "n +",
       {{"k.json", kernel(one, R"("parameters": {"n": 1}, "launch": {"group_size": 32, "groups": "n +"})")}}},
      {"ExpressionThatIsNotWhole",
       simulate("k.json"),
       3,
       "n / 3",
       {{"k.json", kernel(one, R"("parameters": {"n": 1}, "launch": {"group_size": 32, "groups": "n / 3"})")}}},
      {"ZeroGroupsInTheFile",
       simulate("k.json"),
       3,
       "/launch/groups",
       {{"k.json", kernel(one, R"("launch": {"group_size": 32, "groups": 0})")}}},
      {"ProducerThatDoesNotExist",
       simulate("k.json"),
       3,
       "\"b\"",
       {{"k.json", kernel(R"({"id": "a", "op": "ffma", "after": ["b"]})")}}},
      {"MissingMeasurements", {"validate", "--measured", "none.csv"}, 3, "none.csv"},
      {"MeasurementsWithoutAColumn",
       {"validate", "--measured", "m.csv"},
       3,
       "device",
       {{"m.csv", "kernel,cycles\nworked,440\n"}}},
      {"MeasurementsWithABadRow",
       {"validate", "--measured", "m.csv"},
       3,
       "3",
       {{"m.csv", "kernel,device,cycles\nworked,tiny,440\nworked,tiny,many\n"}}},
      {"OutputInAMissingDirectory", simulate("worked", {"--json=none/result.json"}), 3, "the output cannot be created"},
      {"OutputIsADirectory", simulate("worked", {"--json=."}), 3, "the output cannot be created"},
      {"CheckOfAKernelThatFailsWithItsDefaults",
       {"check", "k.json"},
       3,
       "/body/0/trip_count",
       {{"k.json", kernel(R"({"loop": "l", "trip_count": "n / 3", "body": [{"id": "a", "op": "ffma"}]})",
                          R"("parameters": {"n": 1}, "launch": {"group_size": 32, "groups": 1})")}}},
      {"CheckOfAnotherFormat",
       {"check", "r.json"},
       3,
       "warpipe-result",
       {{"r.json", R"({"format": "warpipe-result"})"}}},
  };
}

std::vector<Case> model_cases() {
  const std::string one = R"({"id": "a", "op": "ffma"})";
  return {
      {"OpThatTheDeviceLacks", simulate("k.json"), 4, "fmaa", {{"k.json", kernel(R"({"id": "a", "op": "fmaa"})")}}},
      {"ConflictDegreeThatTheOpCannotTake", simulate("worked", {"--conflict-degree", "load_x=2"}), 4,
       "conflict_degree"},
      {"GroupThatFitsNoUnit", simulate("worked", {"--group-size", "256", "--param", "n=256"}), 4, "threads_per_group"},
      {"MoreGroupsThanAUnitHolds", simulate("worked", {"--concurrent-groups", "5", "--groups", "100"}), 4,
       "--concurrent-groups: 5 groups are too many"},
      {"MissingLaunchValue",
       simulate("k.json"),
       4,
       "--groups",
       {{"k.json", kernel(one, R"("launch": {"group_size": 32})")}}},
      {"ExpressionThatFailsWithAnOption", simulate("worked", {"--param", "n=33"}), 4, "n / group_size"},
      {"RunWithoutEnd", simulate("worked", {"--param", "trips=9e15"}), 4, "1e+12"},
      {"SweepWhereEveryPointFails",
       {"sweep", "worked", "--device", "tiny", "--vary", "n=33,34"},
       4,
       "none of the 2 points"},
  };
}

std::vector<Case> all_cases() {
  auto all = usage_cases();
  for (const auto& more : {input_cases(), model_cases()}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

class Errors : public testing::TestWithParam<Case> {};

TEST_P(Errors, HaveTheirStatusAndAMessage) {
  const auto& [name, arguments, status, message, files] = GetParam();
  const auto outcome = Workplace(files).run(arguments);
  EXPECT_EQ(outcome.status, status) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.err, StartsWith("warpipe: error: "));
  EXPECT_THAT(outcome.err, HasSubstr(message));
}

TEST_P(Errors, StandOnALineEachThatBeginsWithTheProgram) {
  const auto outcome = Workplace(GetParam().files).run(GetParam().arguments);
  std::istringstream lines(outcome.err);
  for (std::string line; std::getline(lines, line);) EXPECT_THAT(line, StartsWith("warpipe: "));
}

TEST(ErrorsOfLibraries, NameTheOptionThatSetsTheField) {
  for (const auto& [arguments, said] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--param", "trip=2"}, "error: --param: no parameter \"trip\" in worked; did you mean \"trips\"?\n"},
           {{"--scale", "fma=2"}, "error: --set: no op \"fma\" in tiny; did you mean \"ffma\"?\n"},
           {{"--concurrent-groups", "5", "--groups", "100"}, "give at most 4, or set --ignore-limits\n"},
           {{"--trace=t.json", "--window", "500:"}, "error: --window: the window begins at cycle 500, "}}) {
    EXPECT_THAT(Workplace().run(simulate("worked", arguments)).err, HasSubstr(said));
  }
  EXPECT_THAT(warpipe({"sweep", "worked", "--device", "tiny", "--vary", "concurrent_groups=3,5", "--csv"}).out,
              HasSubstr("--concurrent-groups: 5 groups are too many"));
}

TEST(FilesThatAreNoCode, AreRefusedWithTheReason) {
  const Workplace place({{"empty.cubin", ""}, {"noise.hsaco", "\x01\x02"}, {"k.cu", "__global__ void k() {}"}});
  for (const auto& [arguments, said] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"simulate", "empty.cubin", "--device", "tiny", "--block", "32"}, "empty.cubin: the file is empty"},
           {{"disassemble", "noise.hsaco"}, "noise.hsaco: its name is that of code, but what it holds is not known"},
           {{"disassemble", "k.cu"}, "k.cu: this is source, not machine code; compile it with `nvcc -cubin"}}) {
    const auto outcome = place.run(arguments);
    EXPECT_EQ(outcome.status, 3);
    EXPECT_THAT(outcome.err, HasSubstr(said));
  }
}

INSTANTIATE_TEST_SUITE_P(, Errors, testing::ValuesIn(all_cases()),
                         [](const auto& instance) { return instance.param.name; });

TEST(ErrorTexts, ReadAsInTheGoldenFile) {
  std::string text;
  for (const auto& [name, arguments, status, message, files] : all_cases()) {
    const auto outcome = Workplace(files).run(arguments);
    text += fmt::format("{}\n$ warpipe {}\n{}[{}]\n\n", name, fmt::join(arguments, " "), outcome.err, outcome.status);
  }
  expect_golden("errors.txt", without_paths(text));
}

}  // namespace
}  // namespace warpipe::test
