// --cache: the answer of an earlier run is repeated, and only for the same call with the same files.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <memory>

#include "program.hpp"
#include "support/folders.hpp"

namespace warpipe::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A place with a folder of answers.
class Answers : public testing::Test {
 protected:
  Outcome run(const Words& words, const std::string& folder = "answers") const {
    return place.run(words, {.environment = {{"WARPIPE_CACHE", folder}, {"WARPIPE_DATA", ""}}});
  }
  std::vector<fs::path> entries() const {
    std::vector<fs::path> all;
    if (!fs::exists(place.path("answers"))) return all;
    for (const auto& entry : fs::recursive_directory_iterator(place.path("answers")))
      if (entry.is_regular_file()) all.push_back(entry.path());
    return all;
  }

  const Workplace place;
};

void expect_same(const Outcome& a, const Outcome& b, const std::string& what) {
  EXPECT_EQ(a.status, b.status) << what;
  EXPECT_EQ(a.out, b.out) << what;
  EXPECT_EQ(a.err, b.err) << what;
}

const Words kSaxpy{"simulate", "saxpy", "--device", "v100"};

TEST_F(Answers, AreTheSameBytesColdWarmAndOff) {
  const std::string ptx = in_sources("kernels/cuda/ptx/sm_90/transpose.ptx");
  place.write("launches.jsonl", "{\"entry\": \"transpose_tiled\", \"block\": [32, 8], \"grid\": [4, 4]}\n");
  const std::vector<Words> calls{
      kSaxpy,
      kSaxpy + Words{"--json"},
      kSaxpy + Words{"--view", "all", "--json=f.out"},
      kSaxpy + Words{"--html", "f.out"},
      kSaxpy + Words{"--trace", "f.out", "--window", "0:1000"},
      {"simulate", ptx, "--device", "h100", "--entry", "transpose_tiled", "--block", "32,8", "--grid", "4,4", "--arg",
       "n=128"},
      {"sweep", "saxpy", "--device", "v100", "--vary", "concurrent_groups=1:3"},
      {"sweep", "saxpy", "--device", "v100", "--vary", "concurrent_groups=1:3", "--csv"},
      {"sweep", "saxpy", "--device", "v100", "--vary", "concurrent_groups=1:3", "--csv=f.out"},
      {"what-if", "saxpy", "--device", "v100", "--part", "changes"},
      {"diff", "saxpy", "--device", "v100", "--device-b", "gtx1060", "--json=f.out"},
      {"launches", ptx, "launches.jsonl", "--device", "h100", "--arg", "n=128", "--csv=f.out"}};
  std::size_t known = 0;
  for (const auto& words : calls) {
    const auto what = testing::PrintToString(words);
    const auto file_after = [&](const std::string& folder, const Outcome& wanted) {
      fs::remove(place.path("f.out"));
      expect_same(run(words, folder), wanted, what + folder);
      return fs::exists(place.path("f.out")) ? place.read("f.out") : "";
    };
    const auto off = run(words, "off");
    EXPECT_EQ(off.status, 0) << what << off.err;
    const auto file = file_after("off", off);
    EXPECT_THAT(entries(), SizeIs(known)) << what;
    EXPECT_EQ(file_after("answers", off), file) << what;
    known += 2;  // a simulation and an answer
    EXPECT_THAT(entries(), SizeIs(known)) << what;
    EXPECT_EQ(file_after("answers", off), file) << what;
    EXPECT_THAT(entries(), SizeIs(known)) << what;
  }
}

TEST_F(Answers, AreSaidWithoutASimulation) {
  const Words words{"simulate", "mmul16", "--device", "gtx1060", "--range", "off", "--tolerance", "0"};
  using Clock = std::chrono::steady_clock;
  const auto seconds = [&] {
    const auto start = Clock::now();
    EXPECT_EQ(run(words).status, 0);
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  const double first = seconds();
  // A second of exact simulation against some milliseconds: ten times leaves room for a busy machine.
  EXPECT_LT(seconds() * 10, first);
}

TEST_F(Answers, AreOfOneCallAndOfTheContentsOfItsFiles) {
  const auto changed = [](std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  const auto kernel = text_of(in_sources("tests/cli/data/kernels/worked.json"));
  const auto device = text_of(in_sources("tests/cli/data/devices/tiny.json"));
  place.write("k.json", kernel);
  place.write("d.json", device);
  const Words words{"simulate", "k.json", "--device", "d.json"};
  const auto first = run(words);
  ASSERT_EQ(first.status, 0) << first.err;
  EXPECT_THAT(entries(), SizeIs(2));
  run(words + Words{"--policy", "oldest"});
  EXPECT_THAT(entries(), SizeIs(4)) << "an option";
  place.write("d.json", changed(device, "\"clock_hz\": ", "\"clock_hz\": 1"));
  const auto other = run(words);
  EXPECT_NE(other.out, first.out) << "a number of the device";
  expect_same(run(words, "off"), other, "a number of the device");
  EXPECT_THAT(entries(), SizeIs(5)) << "another answer to the same call";
  place.write("d.json", device);
  expect_same(run(words), first, "the device as it was");
  EXPECT_THAT(entries(), SizeIs(5)) << "known from the first run";
}

/// A folder of data, searched first, gets a device under the name of a device found elsewhere.
TEST_F(Answers, DependOnFilesThatWereNotThere) {
  fs::create_directories(place.path("data/devices"));
  const Words words = kSaxpy + Words{"--data", "data"};
  const auto before = run(words);
  ASSERT_EQ(before.status, 0) << before.err;
  ASSERT_THAT(entries(), SizeIs(2));
  auto device = text_of(in_build("share/warpipe/devices/v100.json"));
  const std::string clock = "\"clock_hz\": ";
  device.replace(device.find(clock) + clock.size(), 1, "2");
  place.write("data/devices/v100.json", device);
  const auto wanted = run(words, "off");
  EXPECT_NE(wanted.out, before.out);
  expect_same(run(words), wanted, "another device of this name");
  fs::remove(place.path("data/devices/v100.json"));
  expect_same(run(words), before, "as it was");
}

TEST_F(Answers, OfADamagedFileAreFoundAgain) {
  const auto first = run(kSaxpy);
  ASSERT_THAT(entries(), SizeIs(2));
  for (const auto& file : entries()) {
    const auto whole = text_of(file);
    for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{64}, whole.size() - 1}) {
      fs::resize_file(file, size);
      expect_same(first, run(kSaxpy), fmt::format("{} bytes", size));
      EXPECT_EQ(text_of(file), whole);
    }
    auto damaged = whole;
    damaged[whole.size() - 2] ^= 1;
    place.write(fs::relative(file, place.path("")).string(), damaged);
    expect_same(first, run(kSaxpy), "another byte");
    EXPECT_EQ(text_of(file), whole);
  }
}

TEST_F(Answers, OfSeveralProcessesAtOnceAreWhole) {
  const auto off = run(kSaxpy, "off");
  std::vector<std::future<Outcome>> runs;
  std::vector<std::unique_ptr<Workplace>> places;
  for (int i = 0; i < 4; ++i) {
    places.push_back(std::make_unique<Workplace>());
    runs.push_back(std::async(std::launch::async, [&, here = places.back().get()] {
      return here->run(kSaxpy, {.environment = {{"WARPIPE_CACHE", place.path("answers")}, {"WARPIPE_DATA", ""}}});
    }));
  }
  for (auto& run : runs) expect_same(off, run.get(), "at once");
  for (const auto& file : entries()) EXPECT_EQ(file.extension(), ".answer");
}

TEST_F(Answers, AreNotKeptOfFailuresOfStandardInputAndOfOtherPrograms) {
  EXPECT_EQ(run(kSaxpy + Words{"--concurrent-groups", "4000"}).status, 4);
  EXPECT_EQ(run(kSaxpy + Words{"--no-such-option"}).status, 2);
  EXPECT_EQ(place
                .run({"simulate", "-", "--device", "v100"},
                     {.standard_input = text_of(in_build("share/warpipe/kernels/saxpy.json")),
                      .environment = {{"WARPIPE_CACHE", "answers"}, {"WARPIPE_DATA", ""}}})
                .status,
            0);
  EXPECT_EQ(run({"list", "kernels"}).status, 0);
  EXPECT_THAT(entries(), IsEmpty());
}

TEST_F(Answers, AreInTheFolderOfTheOptionElseOfTheEnvironmentElseOfTheUser) {
  const auto run_with = [&](const Words& more, std::map<std::string, std::string> environment) {
    environment.insert({"WARPIPE_DATA", ""});
    environment.insert({"WARPIPE_CACHE", ""});
    EXPECT_EQ(place.run(kSaxpy + more, {.environment = environment}).status, 0);
  };
  run_with({"--cache", "a"}, {{"WARPIPE_CACHE", "b"}});
  EXPECT_TRUE(fs::exists(place.path("a")));
  EXPECT_FALSE(fs::exists(place.path("b")));
  run_with({}, {{"XDG_CACHE_HOME", place.path("c")}, {"HOME", place.path("d")}});
  EXPECT_TRUE(fs::exists(place.path("c/warpipe")));
  EXPECT_FALSE(fs::exists(place.path("d")));
  run_with({}, {{"HOME", place.path("d")}});
  EXPECT_TRUE(fs::exists(place.path("d/.cache/warpipe")));
  run_with({"--cache", "off"}, {{"HOME", place.path("e")}});
  EXPECT_FALSE(fs::exists(place.path("e")));
  EXPECT_FALSE(fs::exists(place.path("off")));
}

TEST_F(Answers, NeedNoFolderThatCanBeWritten) {
  const auto off = run(kSaxpy, "off");
  place.write("file", "");
  for (const char* folder : {"file", "/proc/nowhere"}) {
    const auto told = run(kSaxpy, folder);
    EXPECT_EQ(told.status, 0) << folder;
    EXPECT_EQ(told.out, off.out) << folder;
    EXPECT_THAT(told.err, HasSubstr("warning: the answer cannot be kept: ")) << folder;
  }
}

/// A sixteenth of 1 MB is 62,500 bytes: the runs say 80 times some 2 KB, five times as much as two of the sixteen parts
/// hold if all fell there, and less than all parts hold: so each part is looked at alone, and their sum is below 1 MB.
TEST_F(Answers, TakeNoMoreRoomThanIsSaid) {
  const auto bytes = [&] {
    std::uintmax_t sum = 0;
    for (const auto& file : entries()) sum += fs::file_size(file);
    return sum;
  };
  const auto run_with = [&](const std::string& groups) {
    return place.run({"simulate", "saxpy", "--device", "v100", "--groups", groups, "--json", "--view", "all"},
                     {.environment = {{"WARPIPE_CACHE", "answers"}, {"WARPIPE_CACHE_MB", "1"}, {"WARPIPE_DATA", ""}}});
  };
  std::uintmax_t said = 0;
  for (int groups = 1; said < 1'500'000; ++groups) said += run_with(std::to_string(groups)).out.size();
  EXPECT_LE(bytes(), 1'000'000U);
  EXPECT_GE(bytes(), 400'000U) << "room is made down to three quarters of a part";
  EXPECT_EQ(place.run(kSaxpy, {.environment = {{"WARPIPE_CACHE", "answers"}, {"WARPIPE_CACHE_MB", "0"}}}).status, 3);
}

TEST_F(Answers, AreNotSaidWhereAFileCannotBeWrittenOrWouldOverwriteAnInput) {
  place.write("k.json", text_of(in_build("share/warpipe/kernels/saxpy.json")));
  const Words words{"simulate", "./k.json", "--device", "v100", "--json=r.json"};
  ASSERT_EQ(run(words).status, 0);
  fs::remove(place.path("r.json"));
  fs::create_hard_link(place.path("k.json"), place.path("r.json"));
  const auto off = run(words, "off");
  EXPECT_EQ(off.status, 2);
  expect_same(run(words), off, "the result would overwrite the kernel");
  fs::remove(place.path("r.json"));
  fs::create_directory(place.path("r.json"));
  expect_same(run(words), run(words, "off"), "a directory in place of the file");
}

}  // namespace
}  // namespace warpipe::test
