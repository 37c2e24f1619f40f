// Machine code with guarded tails: the kinds of parameters, and equal issues of an execution and of a launch with
// numbers as typed by users.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "support/folders.hpp"
#include "support/kernel_machine.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/isa/dataflow.hpp"
#include "warpipe/isa/float_parameters.hpp"
#include "warpipe/sass/import.hpp"
#include "warpipe/sass/read_cubin.hpp"

namespace warpipe::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A parameter as the source declares it: (p)ointer, (i)nt, (l)ong, (f)loat or (d)ouble; its number as a user types it,
/// without a point where it is whole.
struct Given {
  char type = 'p';
  double value = 0;
};

struct Guarded {
  std::string name;
  isa::Dimensions block, grid;
  std::vector<Given> given;
};

std::vector<Guarded> all_guarded() {
  return {{"scaled", {128, 1, 1}, {3, 1, 1}, {{'p'}, {'p'}, {'i', 300}, {'f', 2}}},
          {"summed_charges", {128, 1, 1}, {2, 4, 1}, {{'p'}, {'i', 64}, {'f', 0.5}, {'i', 30}, {'p'}}},
          {"four_each", {64, 1, 1}, {2, 1, 1}, {{'p'}, {'p'}, {'i', 397}, {'f', 3}, {'f', -1}}},
          {"chosen", {64, 1, 1}, {4, 1, 1}, {{'p'}, {'p'}, {'i', 200}, {'f', 1}, {'i', 7}, {'f', 2}}},
          {"divided", {64, 1, 1}, {2, 1, 1}, {{'p'}, {'p'}, {'i', 100}, {'f', 4}, {'f', 9}}},
          {"of_doubles", {64, 1, 1}, {2, 1, 1}, {{'p'}, {'p'}, {'l', 500}, {'d', 2}, {'i', 128}, {'d', 1}}},
          {"mean", {64, 1, 1}, {2, 1, 1}, {{'p'}, {'p'}, {'i', 11}, {'i', 90}}},
          {"clamped", {16, 4, 1}, {3, 3, 1}, {{'p'}, {'p'}, {'i', 37}, {'i', 9}, {'f', 1}, {'f', 8}}},
          {"two_tails", {64, 1, 1}, {3, 1, 1}, {{'p'}, {'p'}, {'p'}, {'i', 150}, {'i', 70}, {'f', 6}}},
          {"filled", {64, 1, 1}, {3, 1, 1}, {{'p'}, {'i', 170}, {'i', 1}, {'f', 5}}},
          {"rows_of", {32, 1, 1}, {3, 1, 1}, {{'p'}, {'p'}, {'f', 2}, {'i', 9}, {'f', 1}, {'i', 80}}},
          {"tiled", {16, 16, 1}, {3, 3, 1}, {{'p'}, {'p'}, {'i', 40}, {'f', 2}}}};
}

class Guards : public testing::TestWithParam<std::string> {
 protected:
  Guards()
      : module_(sass::read_cubin(read_text_file(in_sources("tests/sass/guards/") + GetParam() + ".cubin"),
                                 GetParam() + ".cubin")) {}
  sass::Module module_;
};

bool is_float(char type) { return type == 'f' || type == 'd'; }

std::uint64_t bits_of(const Given& given) {
  if (given.type == 'd') return std::bit_cast<std::uint64_t>(given.value);
  if (given.type == 'f') return std::bit_cast<std::uint32_t>(static_cast<float>(given.value));
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(given.value));
}

std::string typed(double value) {
  return value == std::floor(value) ? std::to_string(static_cast<std::int64_t>(value)) : std::to_string(value);
}

TEST_P(Guards, ParametersAreWhatTheSourceSays) {
  for (const auto& kernel : all_guarded()) {
    auto program = sass::read_program(module_, kernel.name);
    const auto flow = isa::analyse_control_flow(program);
    isa::mark_float_parameters(program, isa::ReachingDefinitions(program, flow));
    ASSERT_GE(program.parameters.size(), kernel.given.size());
    for (std::size_t i = 0; i < kernel.given.size(); ++i)
      EXPECT_EQ(program.parameters[i].type.kind == isa::Type::Kind::Float, is_float(kernel.given[i].type))
          << kernel.name << ", parameter " << i;
  }
}

TEST_P(Guards, IssueWhatExecutingThemDoes) {
  const std::vector<std::byte> array(1 << 16);
  for (const auto& kernel : all_guarded()) {
    const auto program = sass::read_program(module_, kernel.name);
    KernelMachine machine(program);
    isa::ImportOptions options;
    options.entry = kernel.name;
    options.launch.block = kernel.block;
    options.launch.grid = kernel.grid;
    std::vector<std::uint64_t> arguments;
    for (const auto& given : kernel.given) {
      if (given.type != 'p') options.launch.arguments[std::to_string(arguments.size())] = typed(given.value);
      arguments.push_back(given.type == 'p' ? machine.add_array(array) : bits_of(given));
    }
    machine.run(options.launch, arguments);
    EXPECT_EQ(sass::import_cubin(module_, options).report.issued, machine.issued()) << kernel.name;
  }
}

isa::ImportOptions guarded_launch(const std::string& entry) {
  isa::ImportOptions options;
  options.entry = entry;
  options.launch.block = {128, 1, 1};
  options.launch.grid = {2, 1, 1};
  return options;
}

TEST_P(Guards, AnArrayOfTooFewNumbersIsToldApartFromNone) {
  auto options = guarded_launch("gathered");
  options.launch.arguments = {{"3", "200"}};
  const auto error = [&] {
    try {
      sass::import_cubin(module_, options);
    } catch (const Error& found) {
      return std::string(found.what());
    }
    return std::string();
  };
  EXPECT_THAT(error(), HasSubstr("depends on data"));
  options.launch.arrays["0"].values = {5, 1, 4};
  EXPECT_THAT(error(), AllOf(HasSubstr("element "), HasSubstr("of gathered_param_0; found 3 numbers given for it")));
  options.launch.arrays["0"].values.assign(200, 0);  // all elements within the guard
  EXPECT_EQ(error(), "");
}

// Of x a word in a megabyte, whichever way it is called.
TEST_P(Guards, AnArrayWhoseAddressesAreSaidMayBeCalledByItsPlace) {
  for (const auto* name : {"1", "+8", "gathered_param_1"}) {
    auto options = guarded_launch("gathered");
    options.launch.arguments = {{"3", "200"}};
    options.launch.addresses[name] = {1 << 20, false};
    const auto made = sass::import_cubin(module_, options);
    double most = 0;
    for (const auto& access : made.report.accesses)
      most = std::max(most, static_cast<double>(access.statistics.segments.most));
    EXPECT_GT(most, 16) << name;  // of 32 lanes, at random
  }
  auto options = guarded_launch("gathered");
  options.launch.arguments = {{"3", "200"}};
  options.launch.addresses["3"] = {1 << 20, false};  // n
  EXPECT_THROW(sass::import_cubin(module_, options), UsageError);
}

// The only branch of `scaled` is decided by n.
TEST_P(Guards, AShareOfABranchThatIsKnownChangesNothingAndIsSaidTo) {
  const auto program = sass::read_program(module_, "scaled");
  const auto exit = std::ranges::find_if(program.instructions, [](const isa::Instruction& one) {
    return one.flow == isa::Instruction::Flow::Exit && one.guard;
  });
  ASSERT_NE(exit, program.instructions.end());
  auto options = guarded_launch("scaled");
  options.launch.arguments = {{"2", "200"}, {"3", "2"}};
  const auto before = sass::import_cubin(module_, options).report;
  options.launch.taken = {{std::to_string(exit->line), 0.5}};
  const auto after = sass::import_cubin(module_, options).report;
  EXPECT_EQ(after.issued, before.issued);
  EXPECT_THAT(after.notes, testing::Contains(HasSubstr("changes nothing")));
  EXPECT_THAT(before.notes, testing::Not(testing::Contains(HasSubstr("changes nothing"))));
}

/// The line of the branch decided by FCHK.
std::string line_of_slow_path(const isa::Program& program) {
  bool checked = false;
  for (const auto& one : program.instructions) {
    checked = checked || one.name == "FCHK";
    if (checked && one.flow == isa::Instruction::Flow::Jump && one.guard) return std::to_string(one.line);
  }
  return "";
}

// The branch leads around the slow path, or there: it is taken by all lanes, or by none.
TEST_P(Guards, LanesTakeTheSlowPathOfADivisionWhereTheLaunchSaysSo) {
  const auto line = line_of_slow_path(sass::read_program(module_, "quotients"));
  if (!GetParam().ends_with("_exact")) {
    EXPECT_EQ(line, "") << "divides approximately";
    return;
  }
  auto options = guarded_launch("quotients");
  options.launch.arguments = {{"2", "256"}};
  options.launch.assume = true;  // of the branches within the slow path
  const auto issued = [&] {
    double all = 0;
    for (const auto& [op, count] : sass::import_cubin(module_, options).report.issued) all += count;
    return all;
  };
  const auto fast = issued();
  std::vector<double> said;
  for (const double share : {0.0, 1.0}) {
    options.launch.taken = {{line, share}};
    said.push_back(issued());
  }
  EXPECT_EQ(std::ranges::min(said), fast);
  EXPECT_GT(std::ranges::max(said), fast);
}

INSTANTIATE_TEST_SUITE_P(All, Guards,
                         testing::Values("sm_75", "sm_80", "sm_90", "sm_120", "sm_75_exact", "sm_80_exact",
                                         "sm_90_exact", "sm_120_exact"),
                         [](const auto& of) { return of.param; });

}  // namespace
}  // namespace warpipe::test
