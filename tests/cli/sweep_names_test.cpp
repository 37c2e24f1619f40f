// Kernels, devices and policies as variables of a sweep.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "program.hpp"
#include "support/folders.hpp"

namespace warpipe::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

using Json = nlohmann::json;

const std::string kSaxpyPtx = in_sources("kernels/cuda/ptx/sm_80/saxpy.ptx");

std::vector<Json> rows(const Outcome& outcome) {
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  std::vector<Json> all;
  std::stringstream stream(outcome.out);
  for (std::string line; std::getline(stream, line);) all.push_back(Json::parse(line));
  return all;
}

Json cycles_alone(const Words& words) {
  const auto outcome = warpipe(Words{"simulate"} + words + Words{"--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return Json::parse(outcome.out).at("cycles");
}

TEST(SweepOfNames, PredictsEachKernelOnEachDeviceUnderEachPolicy) {
  const auto points = rows(warpipe({"sweep", "--param", "n=65536", "--vary", "kernel=saxpy,vector_add",
                                    "device=V100,a100", "policy=oldest,round-robin", "--jsonl"}));
  ASSERT_THAT(points, SizeIs(8));
  std::size_t next = 0;
  for (const char* kernel : {"saxpy", "vector_add"})
    for (const char* device : {"V100", "a100"})
      for (const char* policy : {"oldest", "round-robin"}) {
        const auto& point = points[next++];
        EXPECT_EQ(point.at("kernel"), kernel);
        EXPECT_EQ(point.at("device"), device);
        EXPECT_EQ(point.at("policy"), policy);
        EXPECT_EQ(point.at("cycles"),
                  cycles_alone({kernel, "--device", device, "--policy", policy, "--param", "n=65536"}));
      }
}

TEST(SweepOfNames, ImportsCodeForEachDeviceAndTakesEntriesByName) {
  const Words launch{"--block", "256", "--grid", "512", "--arg", "n=131072"};
  const auto points = rows(
      warpipe(Words{"sweep", "--vary", "kernel=" + kSaxpyPtx + ":saxpy," + kSaxpyPtx + ":saxpy_grid_stride,chains_dfma",
                    "device=v100,rx6900xt", "--jsonl"} +
              launch));
  ASSERT_THAT(points, SizeIs(6));
  std::size_t next = 0;
  for (const char* entry : {"saxpy", "saxpy_grid_stride"})
    for (const char* device : {"v100", "rx6900xt"}) {
      const auto& point = points[next++];
      EXPECT_EQ(point.at("kernel"), kSaxpyPtx + ":" + entry);
      EXPECT_EQ(point.at("cycles"), cycles_alone(Words{kSaxpyPtx, "--entry", entry, "--device", device} + launch));
    }
  EXPECT_EQ(points[4].at("cycles"), cycles_alone({"chains_dfma", "--device", "v100"}));
  EXPECT_EQ(points[5].at("cycles"), cycles_alone({"chains_dfma", "--device", "rx6900xt"}));
}

// vector_add does an operation an element, saxpy two: their times do not compare, times of devices do.
TEST(SweepOfNames, ComparesDevicesAndOnlyThoseKernelsThatDoTheSameWork) {
  EXPECT_THAT(warpipe({"sweep", "saxpy", "--param", "n=65536", "--vary", "device=v100,gtx1060"}).out,
              HasSubstr("fastest: device=v100, "));
  EXPECT_THAT(warpipe({"sweep", "--param", "n=65536", "--device", "v100", "--vary", "kernel=saxpy,vector_add"}).out,
              AllOf(HasSubstr("The points do different work (kernel varies)"), Not(HasSubstr("\nfastest:"))));
  EXPECT_THAT(warpipe({"sweep", "--device", "gtx1060", "--vary", "kernel=mmul08,mmul16", "--param", "n=256"}).out,
              HasSubstr("\nfastest: kernel=mmul16, "));
}

TEST(SweepOfNames, SaysAtItsPointsWhatSuitsNotEveryKernel) {
  const auto points = rows(warpipe({"sweep", "--device", "gtx1060", "--jsonl", "--param", "n=256", "--vary",
                                    "kernel=saxpy,mmul16", "conflict_degree=1,2"}));
  ASSERT_THAT(points, SizeIs(4));
  for (const std::size_t of_saxpy : {0U, 1U})
    EXPECT_THAT(points[of_saxpy].at("error").get<std::string>(), HasSubstr("conflict_degree"));
  EXPECT_TRUE(points[2].at("error").is_null());
  EXPECT_EQ(points[3].at("cycles"),
            cycles_alone({"mmul16", "--device", "gtx1060", "--param", "n=256", "conflict_degree=2"}));
}

TEST(SweepOfNames, SaysThatAKernelFileHasNoBlock) {
  const auto points = rows(warpipe({"sweep", "--device", "v100", "--jsonl", "--block", "256", "--grid", "64", "--arg",
                                    "n=16384", "--vary", "kernel=saxpy," + kSaxpyPtx + ":saxpy", "block=64,256"}));
  ASSERT_THAT(points, SizeIs(4));
  for (const std::size_t of_file : {0U, 1U})
    EXPECT_THAT(points[of_file].at("error").get<std::string>(),
                AllOf(HasSubstr("--vary block: the kernel is a kernel file"), HasSubstr("in a sweep of its own")));
  for (const std::size_t of_code : {2U, 3U}) EXPECT_TRUE(points[of_code].at("error").is_null());
}

TEST(SweepOfNames, IsResumedWhateverTheNamesAre) {
  const Workplace whole, place;
  const std::string kernel = R"({"format": "warpipe-kernel", "version": 1, "name": "k", "parameters": {"n": 1024},
      "launch": {"group_size": 64, "groups": "n / group_size"}, "body": [{"id": "a", "op": "global.load"}]})";
  for (const auto* folder : {&whole, &place}) folder->write("my \"first\" kernel.json", kernel);
  const Words words{"sweep", "--vary", "kernel=my \"first\" kernel.json,saxpy", "n=1024,4096", "device=v100,a100"};
  for (const std::string form : {"--csv=rows", "--jsonl=rows"}) {
    EXPECT_EQ(whole.run(words + Words{form}).status, 0);
    const auto expected = whole.read("rows");
    EXPECT_THAT(expected, HasSubstr(form.starts_with("--csv") ? "\"my \"\"first\"\" kernel.json\",1024,a100,"
                                                              : "\"kernel\": \"my \\\"first\\\" kernel.json\", "));
    place.write("rows", expected.substr(0, expected.size() / 2));
    const auto resumed = place.run(words + Words{form, "--resume"});
    EXPECT_EQ(resumed.status, 0) << resumed.err;
    EXPECT_EQ(place.read("rows"), expected);
    auto other = words;
    other.back() = "device=v100,h100";
    EXPECT_THAT(place.run(other + Words{form, "--resume"}).err, HasSubstr("the rows of another command"));
  }
}

TEST(SweepOfNames, AreComparedByWhere) {
  const Words sweep{"sweep", "saxpy", "--jsonl", "--vary", "device=v100,a100,h100", "policy=oldest,first-ready"};
  const auto shown = [&](const std::string& where) {
    std::string all;
    for (const auto& row : rows(warpipe(sweep + Words{"--where", where})))
      all += row.at("device").get<std::string>() + "/" + row.at("policy").get<std::string>() + " ";
    return all;
  };
  EXPECT_EQ(shown("device == 'h100'"), "h100/oldest h100/first-ready ");
  EXPECT_EQ(shown("device!=\"h100\" && policy == 'first-ready'"), "v100/first-ready a100/first-ready ");
  EXPECT_EQ(shown("(device == 'v100') || (device == 'a100' && policy != 'oldest')"),
            "v100/oldest v100/first-ready a100/first-ready ");
}

TEST(SweepOfNames, AreRankedByTop) {
  const auto outcome = warpipe({"sweep", "saxpy", "--vary", "device=gtx1060,h100,v100", "--top", "2"});
  EXPECT_LT(outcome.out.find("\nh100 "), outcome.out.find("\nv100 "));
  EXPECT_THAT(outcome.out, Not(HasSubstr("gtx1060")));
}

struct Slip {
  std::string name;
  Words words;
  int status;
  std::string said;
};

class NamesSlip : public testing::TestWithParam<Slip> {};

TEST_P(NamesSlip, IsRefusedWithTheWayOut) {
  const auto outcome = warpipe(Words{"sweep"} + GetParam().words);
  EXPECT_EQ(outcome.status, GetParam().status) << outcome.out;
  EXPECT_THAT(outcome.err, HasSubstr(GetParam().said));
  EXPECT_THAT(outcome.out, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Runs, NamesSlip,
    testing::Values(
        Slip{"NoKernel", {"--vary", "device=h100"}, 2, "--vary kernel=A,B"},
        Slip{"NoDevice", {"saxpy", "--vary", "policy=oldest"}, 2, "--vary device=A,B"},
        Slip{"KernelTwice", {"saxpy", "--device=h100", "--vary", "kernel=mmul16"}, 2, "--vary kernel=saxpy,..."},
        Slip{"DeviceTwice", {"saxpy", "--device=h100", "--vary", "device=a100"}, 2, "--vary device=h100,..."},
        Slip{"NameTwice", {"saxpy", "--vary", "device=h100", "device=a100"}, 2, "the name is given twice"},
        Slip{"UnknownKernel", {"--device=h100", "--vary", "kernel=saxpy,saxpi"}, 3, "did you mean \"saxpy\"?"},
        Slip{"UnknownDevice", {"saxpy", "--vary", "device=h100,a10O"}, 3, "device \"a10O\""},
        Slip{"UnknownPolicy", {"saxpy", "--device=h100", "--vary", "policy=old"}, 2, "did you mean \"oldest\"?"},
        Slip{"EmptyName", {"saxpy", "--vary", "device=h100,"}, 2, "write names with commas between them"},
        Slip{"StandardInput", {"saxpy", "--vary", "device=h100,-"}, 2, "give a file"},
        Slip{"EntryOfAKernelFile", {"--device=h100", "--vary", "kernel=saxpy:axpy"}, 3, "name the file alone"},
        Slip{"BlockOfKernelFiles", {"--device=h100", "--vary", "kernel=saxpy,mmul16", "--block=64"}, 2, "leave it out"},
        Slip{"UnknownToAll", {"--device=h100", "--vary", "kernel=saxpy,mmul16", "m=1,2"}, 2, "no \"m\""},
        Slip{"WhereOfNoValue", {"saxpy", "--vary", "device=h100,a100", "--where", "device == 'h10'"}, 2, "\"h100\"?"},
        Slip{"WhereOfAName", {"saxpy", "--vary", "device=h100,a100", "--where", "device > 1"}, 2, "device == 'h100'"},
        Slip{"WhereOfMore", {"saxpy", "--vary", "device=h100", "--where", "2 * device == 'h100'"}, 2, "position 15"}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace warpipe::test
