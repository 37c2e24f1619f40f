// Forms of the shipped kernels, in PTX, machine code and AMD's assembly, against each access of the interpreter.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>

#include "decode.hpp"
#include "lanes/arguments.hpp"
#include "lanes/memory_layout.hpp"
#include "routine.hpp"
#include "support/folders.hpp"
#include "support/whole_kernels.hpp"
#include "survey/sampler.hpp"
#include "survey/survey.hpp"
#include "symbolic/program_forms.hpp"
#include "unknown/questioner.hpp"
#include "warpipe/amdgcn/entries.hpp"
#include "warpipe/amdgcn/import.hpp"
#include "warpipe/amdgcn/read_assembly.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/ptx/read_ptx.hpp"
#include "warpipe/sass/import.hpp"
#include "warpipe/sass/read_cubin.hpp"

namespace warpipe::test {
namespace {

/// Of a set of kernels.
struct Share {
  std::int64_t accesses = 0, by_formula = 0, of_data = 0;                    ///< in the text
  std::int64_t executed = 0, executed_by_formula = 0, executed_of_data = 0;  ///< by lanes
  std::map<isa::Reasons, std::int64_t> reasons;  ///< of accesses whose address does not depend on data
};

/// Compares each access of a warp with its form.
class Comparing : public isa::Recorder {
 public:
  Comparing(const isa::ProgramForms& forms, const isa::Launch& launch, std::int64_t lanes, Share& share)
      : forms_(forms), launch_(launch), lanes_(lanes), share_(share) {
    for (const auto& access : forms.accesses) accesses_[access.instruction] = &access;
  }

  void iterations(std::uint32_t, std::int64_t) override {}
  void block(std::uint32_t, std::uint32_t, isa::LaneMask, std::int64_t) override {}
  void access(const isa::Interpreter& warp, std::uint32_t, const isa::Step& step, isa::AddressEvent& event,
              isa::Repetitions repeated) override {
    const auto& access = *step.instruction->access;
    const auto found = accesses_.find(step.index);
    ASSERT_NE(found, accesses_.end()) << step.instruction->text;
    const auto& form = *found->second;
    const auto& arena = forms_.forms;
    const auto lanes = std::popcount(event.mask);
    share_.executed += lanes;
    if ((arena.reasons(form.address) & isa::kData) != 0) share_.executed_of_data += lanes;
    if (!arena.is_known(form.address)) return;
    share_.executed_by_formula += lanes;
    if (access.space == isa::Space::Local || access.bulk || repeated.all != 1) return;
    std::map<std::uint32_t, std::int64_t> trips;  // by header
    for (const auto& frame : warp.frames()) trips[frame.info->loop->header] = frame.iterations - 1;
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(lanes_); ++lane) {
      if (((event.mask >> lane) & 1) == 0) continue;
      const auto& block = launch_.block;
      const auto linear = warp.warp() * lanes_ + static_cast<std::int64_t>(lane);
      const isa::Dimensions thread{linear % block[0], linear / block[0] % block[1], linear / block[0] / block[1]};
      const auto at = [&](isa::Variable variable) -> std::int64_t {
        if (variable.place == isa::Place::Thread) return thread[variable.number];
        if (variable.place == isa::Place::Group) return warp.group()[variable.number];
        return trips[forms_.loops[variable.number].header];
      };
      ASSERT_EQ(static_cast<std::uint64_t>(arena.evaluate(form.address, at)), event.addresses[lane])
          << step.instruction->text << ", thread " << thread[0] << ',' << thread[1] << ": " << arena.text(form.address);
      if (arena.is_known(form.made)) {
        ASSERT_EQ(arena.evaluate(form.made, at), 1)
            << step.instruction->text << ", thread " << thread[0] << ',' << thread[1] << ": " << arena.text(form.made);
      }
    }
  }

 private:
  const isa::ProgramForms& forms_;
  const isa::Launch& launch_;
  std::int64_t lanes_;
  Share& share_;
  std::map<std::uint32_t, const isa::AccessForm*> accesses_;
};

void compare(const isa::Program& program, const WholeKernel& kernel, Share& share) {
  SCOPED_TRACE(kernel.name);
  auto launch = kernel.launch;
  launch.close_loops = false;
  for (std::size_t i = 0; i < kernel.arguments.size(); ++i)
    if (kernel.arguments[i].content.empty()) launch.arguments[std::to_string(i)] = kernel.arguments[i].typed;
  const auto flow = isa::analyse_control_flow(program);
  const isa::ReachingDefinitions definitions(program, flow);
  const auto slice = isa::find_slice(program, definitions);
  const auto arguments = isa::bind_arguments(program, definitions, launch, {});
  const auto numbers = isa::launch_numbers(program, launch, arguments);
  const auto forms = isa::find_forms(program, flow, slice, numbers);
  for (const auto& access : forms.accesses) {
    ++share.accesses;
    const auto reasons = forms.forms.reasons(access.address);
    if (reasons == 0) ++share.by_formula;
    if ((reasons & isa::kData) != 0) ++share.of_data;
    if (reasons != 0 && (reasons & isa::kData) == 0) {
      ++share.reasons[reasons];
      fmt::print("  {}: {}: {}\n", kernel.name, program.instructions[access.instruction].text,
                 forms.forms.text(access.address).substr(0, 200));
    }
  }
  const std::vector<std::uint32_t> branch_of(flow.blocks.size(), isa::kNoBlock);
  const isa::Prepared prepared({program,
                                flow,
                                definitions,
                                slice,
                                branch_of,
                                launch,
                                arguments,
                                {},
                                std::vector<std::int64_t>(flow.blocks.size(), 1),
                                program.lanes});
  isa::Survey survey;
  isa::Questioner questions(launch);
  Comparing recorder(forms, launch, program.lanes, share);
  for (std::int64_t z = 0; z < launch.grid[2]; ++z)
    for (std::int64_t y = 0; y < launch.grid[1]; ++y)
      for (std::int64_t x = 0; x < launch.grid[0]; ++x)
        for (std::int64_t warp = 0; warp < isa::warps_per_group(prepared.input); ++warp) {
          auto record = isa::run_warp(prepared, survey, questions, {x, y, z}, warp, {.recorder = &recorder});
          if (isa::stop_in(record) != nullptr || testing::Test::HasFailure()) return;
        }
}

void print(const std::string& name, const Share& share) {
  fmt::print("{}: {} of {} accesses by formula, {} depend on data; executed by lanes: {} of {}, {} depend on data\n",
             name, share.by_formula, share.accesses, share.of_data, share.executed_by_formula, share.executed,
             share.executed_of_data);
  for (const auto& [reasons, count] : share.reasons) fmt::print("  reasons {:#x}: {}\n", reasons, count);
}

std::string source_text(const std::string& file) { return read_text_file(in_sources(file)); }

TEST(ShippedForms, OfPtxAreWhatIsReached) {
  Share share;
  for (const auto& kernel : whole_kernels()) {
    const auto file = fmt::format("kernels/cuda/ptx/sm_80/{}.ptx", kernel.file);
    compare(ptx::decode(ptx::inline_calls(ptx::read_ptx(source_text(file), file), kernel.name), 32), kernel, share);
  }
  print("PTX", share);
  EXPECT_GE(share.by_formula + share.of_data, share.accesses * 98 / 100);
}

class ShippedMachineForms : public testing::TestWithParam<const char*> {};

TEST_P(ShippedMachineForms, AreWhatIsReached) {
  Share share;
  for (const auto& kernel : whole_kernels()) {
    const auto file = fmt::format("kernels/cuda/cubins/{}/{}.cubin", GetParam(), kernel.file);
    compare(sass::read_program(sass::read_cubin(source_text(file), file), kernel.name), kernel, share);
  }
  print(GetParam(), share);
  EXPECT_GE(share.executed_by_formula + share.executed_of_data, share.executed * 98 / 100);
}

INSTANTIATE_TEST_SUITE_P(Targets, ShippedMachineForms, testing::Values("sm_75", "sm_80", "sm_90", "sm_100", "sm_120"));

TEST(ShippedForms, OfAmdAreWhatIsReached) {
  Share share;
  for (const auto& kernel : whole_kernels()) {
    const auto file = fmt::format("kernels/hip/asm/gfx90a/{}.s", kernel.file);
    const auto module = amdgcn::read_assembly(source_text(file), file);
    compare(amdgcn::decode(module, module.find(kernel.name)), kernel, share);
  }
  print("gfx90a", share);
}

}  // namespace
}  // namespace warpipe::test
