#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace warpipe::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using Json = nlohmann::json;

double seconds_of(const Workplace& place, const std::vector<std::string>& more) {
  std::vector<std::string> words{"simulate", "saxpy", "--json"};
  words.insert(words.end(), more.begin(), more.end());
  const auto outcome = place.run(words);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return Json::parse(outcome.out).at("time_s");
}

// 84 units and 696 GB/s at the pins, of which 665 are reached, of the same chip.
TEST(Derive, MakesASiblingFromTheDataSheet) {
  const Workplace place;
  const auto outcome = place.run({"derive", "a40", "--units", "68", "--clock", "1725MHz", "--bandwidth", "760e9",
                                  "--l2-bytes", "5242880", "-o", "sibling.json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  // 760 x 665 / 696
  EXPECT_THAT(outcome.out, testing::StartsWith("sibling: 68 units at 1725 MHz, 742.5 GB/s of 760 GB/s at the pins; "));
  EXPECT_THAT(outcome.out, testing::EndsWith(" and 3 levels carried over from a40\n"));
  EXPECT_EQ(place.run({"check", "./sibling.json"}).out, "./sibling.json: device sibling: ok\n");
  const Json device = Json::parse(place.read("sibling.json"));
  EXPECT_EQ(device.at("compute_units"), 68);
  EXPECT_EQ(device.at("memory").at("levels").at(1).at("bytes"), 5242880);
  for (const auto& [name, op] : device.at("ops").items()) {
    EXPECT_EQ(op.at("source").at("kind"), "carried") << name;
    EXPECT_THAT(op.at("source").at("reference").get<std::string>(), HasSubstr("carried over from a40")) << name;
  }
}

TEST(Derive, OfAHigherBandwidthASiblingStreamsFaster) {
  const Workplace place;
  EXPECT_EQ(place.run({"derive", "a40", "--bandwidth", "1392e9", "-o", "fast.json"}).status, 0);
  const double before = seconds_of(place, {"--device", "a40"});
  EXPECT_LT(seconds_of(place, {"--device", "./fast.json"}), 0.7 * before);
}

TEST(Derive, TakesAnyOtherNumberByItsPlace) {
  const Workplace place;
  const auto outcome = place.run({"derive", "a40", "--set-device", "limits/warps_per_unit=64",
                                  "memory/levels/l1/bytes=196608", "--name", "wide", "-o", "-"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const Json device = Json::parse(outcome.out);
  EXPECT_EQ(device.at("name"), "wide");
  EXPECT_EQ(device.at("limits").at("warps_per_unit"), 64);
  EXPECT_EQ(device.at("memory").at("levels").at(0).at("bytes"), 196608);
}

constexpr const char* kSheet = R"({ "format": "warpipe-data-sheet", "version": 1, "name": "wider", "sibling": "a40",
  "title": "A wider one", "facts": [
  { "values": { "/compute_units": 100, "memory/levels/l2/latency_s": 1.2e-7 },
    "source": { "kind": "measured", "reference": "a chase" } } ] })";

TEST(Derive, ReadsADataSheet) {
  const Workplace place(Files{{"sheet.json", kSheet}});
  const auto outcome = place.run({"derive", "--data-sheet", "sheet.json", "-o", "new.json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::StartsWith("wider: 100 units at 1740 MHz"));
  const Json device = Json::parse(place.read("new.json"));
  EXPECT_EQ(device.at("name"), "wider");
  EXPECT_EQ(device.at("title"), "A wider one");
  EXPECT_EQ(device.at("sources").at("compute_units").at("kind"), "measured");
  EXPECT_EQ(device.at("sources").at("launch_overhead_s").at("kind"), "carried");
  EXPECT_EQ(device.at("memory").at("levels").at(1).at("latency_s"), 1.2e-7);
}

TEST(Derive, OptionsGoBeforeTheDataSheet) {
  const Workplace place(Files{{"sheet.json", kSheet}});
  const auto outcome =
      place.run({"derive", "v100", "--data-sheet", "sheet.json", "--units", "7", "--name", "small", "-o", "-"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const Json device = Json::parse(outcome.out);
  EXPECT_EQ(device.at("name"), "small");
  EXPECT_EQ(device.at("compute_units"), 7);
  EXPECT_EQ(device.at("architecture"), "Volta GV100, compute capability 7.0") << "BASE, and not the sibling";
}

TEST(Derive, NamesThePlaceOfAWrongFact) {
  std::string wrong = kSheet;
  wrong.replace(wrong.find("latency_s"), 9, "latency_z");
  const Workplace place(Files{{"sheet.json", wrong}});
  const auto outcome = place.run({"derive", "--data-sheet", "sheet.json", "-o", "new.json"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("sheet.json: /memory/levels/1/latency_z"), HasSubstr("latency_s")));
}

TEST(Derive, SaysWhatIsMissingOrWrong) {
  const Workplace place;
  const auto error = [&](const std::vector<std::string>& words, int status) {
    const auto outcome = place.run(words);
    EXPECT_EQ(outcome.status, status);
    return outcome.err;
  };
  EXPECT_THAT(error({"derive", "a40"}, 2), HasSubstr("--output"));
  EXPECT_THAT(error({"derive", "-o", "x.json"}, 2), HasSubstr("BASE"));
  EXPECT_THAT(error({"derive", "a40", "-o", "2nd.json"}, 2), HasSubstr("\"2nd\" is not a name"));
  EXPECT_THAT(error({"derive", "a40", "--units", "0", "-o", "x.json"}, 2), HasSubstr("--units"));
  EXPECT_THAT(error({"derive", "gcu_like", "-o", "x.json"}, 4), AllOf(HasSubstr("no levels"), HasSubstr("gcu_like")));
  EXPECT_THAT(place.files(), IsEmpty()) << "no device is written";
}

TEST(Derive, NeverOverwritesItsBase) {
  const Workplace place;
  EXPECT_EQ(place.run({"derive", "a40", "-o", "base.json"}).status, 0);
  EXPECT_EQ(place.run({"derive", "./base.json", "-o", "base.json"}).status, 2);
}

// set-device

TEST(SetDevice, ChangesANumberOfTheFile) {
  const Workplace place;
  const double before = seconds_of(place, {"--device", "a40"});
  EXPECT_GT(seconds_of(place, {"--device", "a40", "--set-device", "memory/levels/dram/read_bytes_per_s=66.5e9"}),
            5 * before);
  EXPECT_GT(seconds_of(place, {"--device", "a40", "--set-device", "/compute_units=1"}), 5 * before);
}

TEST(SetDevice, IsAppliedBeforeTheOtherOptions) {
  const Workplace place;
  const std::vector<std::string> both{"--device",     "a40",
                                      "--set-device", "memory/levels/dram/read_bytes_per_s=1e9",
                                      "--set",        "dram.read_bytes_per_s=680e9"};
  EXPECT_EQ(seconds_of(place, both), seconds_of(place, {"--device", "a40"}));
}

TEST(SetDevice, CanVary) {
  const Workplace place;
  const auto outcome = place.run({"sweep", "saxpy", "--device", "a40", "--vary", "/compute_units=42,84", "--jsonl"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto second = outcome.out.find('\n') + 1;
  const Json few = Json::parse(outcome.out.substr(0, second)), all = Json::parse(outcome.out.substr(second));
  EXPECT_EQ(few.at("/compute_units"), 42);
  EXPECT_DOUBLE_EQ(all.at("time_us").get<double>(), 1e6 * seconds_of(place, {"--device", "a40"}));
  EXPECT_DOUBLE_EQ(few.at("time_us").get<double>(),
                   1e6 * seconds_of(place, {"--device", "a40", "--set-device", "/compute_units=42"}));
}

TEST(SetDevice, SaysWhatTheFileDoesNotHave) {
  const Workplace place;
  const auto error = [&](const std::string& option, const std::string& number) {
    const auto outcome =
        place.run({option == "--vary" ? "sweep" : "simulate", "saxpy", "--device", "a40", option, number});
    EXPECT_EQ(outcome.status, 2) << number;
    return outcome.err;
  };
  for (const char* option : {"--set", "--vary"}) {
    EXPECT_THAT(error(option, "memory/levels/l2/byts=1"),
                AllOf(HasSubstr(std::string(option) + " memory/levels/l2/byts"), HasSubstr("did you mean \"bytes\"?")));
    EXPECT_THAT(error(option, "/compute_units=0.5"), HasSubstr("a whole number from 1"));
  }
  EXPECT_THAT(error("--set-device", "memory/levels/l2/bytes"), HasSubstr("is not PATH=NUMBER"));
}

TEST(SetDevice, IsRefusedForANumberThatIsFitted) {
  const Workplace place(Files{{"m.csv", "kernel,device,groups,time_us\nsaxpy,a40,4096,20\nsaxpy,a40,8192,40\n"}});
  const auto outcome =
      place.run({"calibrate", "--measured", "m.csv", "--device", "a40", "--fit", "dram.read_bytes_per_s", "-o",
                 "x.json", "--set-device", "memory/levels/dram/read_bytes_per_s=1e11"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("would change the same number"));
}

}  // namespace
}  // namespace warpipe::test
