// `warpipe list FILE`: the entries of PTX as a user gives them.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace warpipe::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kAxpyPtx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry _Z4axpyiPKfPf(.param .u32 _Z4axpyiPKfPf_param_0, .param .u64 _Z4axpyiPKfPf_param_1,
  .param .align 8 .b8 _Z4axpyiPKfPf_param_2[24])
.maxntid 16, 16
.minnctapersm 2
.maxnreg 40
{
  .loc 1 2 1
  ret;
}
.visible .entry plain() .reqntid 64 { ret; }
.visible .entry broken() { nonsense %x }
  .file 1 "axpy.cu"
)";

const Files kAxpyFiles{{"axpy.ptx", kAxpyPtx},
                       {"axpy.cu", "\n__global__ void axpy(int n, const float* x,\n  Box<int, 3> y) {}\n"}};

TEST(ListFile, ShowsNamesLimitsAndParameters) {
  const auto outcome = Workplace(kAxpyFiles).run({"list", "axpy.ptx"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, R"(axpy.ptx: 3 entries, PTX 8.0 for sm_80

axpy(int, float const*, float*), at axpy.cu:2
  symbol _Z4axpyiPKfPf
  block of at most 256 threads (.maxntid 16,16,1)
  at most 40 registers per thread (.maxnreg)
  at least 2 groups on a unit (.minnctapersm)
  0  +0   .u32     n  int n
  1  +8   .u64     x  const float* x
  2  +16  .b8[24]  y  Box<int, 3> y

plain
  block 64,1,1 (.reqntid)

broken
  cannot be read: axpy.ptx: line 14: a register is declared before it is used; found "%x"; declare it with .reg
)");
}

TEST(ListFile, WithoutTheSourceHasTheNamesOfThePtx) {
  const auto outcome = Workplace(Files{{"axpy.ptx", kAxpyPtx}}).run({"list", "axpy.ptx"});
  EXPECT_THAT(outcome.out, HasSubstr("  1  +8   .u64     _Z4axpyiPKfPf_param_1\n"));
}

TEST(ListFile, IsJsonForPrograms) {
  const auto outcome = Workplace(kAxpyFiles).run({"list", "axpy.ptx", "--json"});
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["format"], "warpipe-entries");
  ASSERT_EQ(json["entries"].size(), 3U);
  const auto& entry = json["entries"][0];
  EXPECT_EQ(entry["symbol"], "_Z4axpyiPKfPf");
  EXPECT_EQ(entry["name"], "axpy(int, float const*, float*)");
  EXPECT_EQ(entry["place"], "axpy.cu:2");
  EXPECT_EQ(entry["most_block"], nlohmann::json({16, 16, 1}));
  EXPECT_TRUE(entry["required_block"].is_null());
  EXPECT_EQ(entry["most_registers"], 40);
  EXPECT_EQ(entry["parameters"][2]["offset"], 16);
  EXPECT_EQ(entry["parameters"][2]["bytes"], 24);
  EXPECT_EQ(entry["parameters"][2]["name"], "y");
  EXPECT_EQ(json["entries"][1]["required_block"], nlohmann::json({64, 1, 1}));
  EXPECT_TRUE(json["entries"][2]["problem"].is_string());
}

TEST(List, IsJsonForPrograms) {
  const Workplace place(Files{});
  const auto devices = nlohmann::json::parse(place.run({"list", "devices", "--json"}).out);
  EXPECT_EQ(devices["format"], "warpipe-list");
  const auto h100 = std::ranges::find(devices["devices"], "h100", [](const auto& row) { return row["name"]; });
  ASSERT_NE(h100, devices["devices"].end());
  EXPECT_THAT((*h100)["title"].get<std::string>(), HasSubstr("H100"));
  const auto ops = nlohmann::json::parse(place.run({"list", "ops", "--json"}).out);
  EXPECT_TRUE(ops["ops"][0]["devices"].is_string());
}

TEST(Check, IsJsonForPrograms) {
  const Workplace place(Files{{"good.ptx", std::string(kAxpyFiles.at("axpy.ptx"))}, {"bad.json", "{}"}});
  const auto run = place.run({"check", "good.ptx", "bad.json", "--json"});
  EXPECT_EQ(run.status, 3);
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_EQ(json["format"], "warpipe-check");
  EXPECT_THAT(json["files"][0]["is"].get<std::string>(), HasSubstr("PTX"));
  EXPECT_TRUE(json["files"][0]["problems"].empty());
  EXPECT_EQ(json["files"][1]["problems"][0]["problem"], "the format is missing");
  EXPECT_FALSE(json["files"][1].contains("is"));
}

TEST(ListFile, OfSomethingElseIsRefused) {
  const Workplace place(Files{{"a.json", "{}"}, {"empty.ptx", ".version 8.0\n.target sm_80\n"}, {"kernels", "x"}});
  EXPECT_THAT(place.run({"list", "a.json"}).err, HasSubstr("this is neither PTX nor machine code nor source"));
  EXPECT_THAT(place.run({"list", "empty.ptx"}).err, HasSubstr("the module has no entry"));
  EXPECT_EQ(place.run({"list", "gone.ptx"}).status, 3);
  EXPECT_EQ(place.run({"list", "kernels"}).status, 0) << "the list of that name";
}

TEST(Entry, IsFoundByItsNameAndTakesTheBlockItIsCompiledFor) {
  const Workplace place(kAxpyFiles);
  const Words words{"import", "axpy.ptx", "--grid", "4", "--report"};
  EXPECT_THAT(place.run(words + Words{"--entry", "axpy(int"}).err, HasSubstr("issues nothing"));
  EXPECT_THAT(place.run(words + Words{"--entry", "a"}).err,
              AllOf(HasSubstr("several entries are meant by \"a\""), HasSubstr("plain")));
  EXPECT_THAT(place.run(words).err, HasSubstr("the module has several entries: axpy(int, float const*, float*) (_Z4"));
  EXPECT_THAT(place.run(words + Words{"--entry=plain", "--block=32"}).err, HasSubstr("compiled for blocks of 64x1x1"));
}

}  // namespace
}  // namespace warpipe::test
