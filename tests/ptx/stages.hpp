#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "decode.hpp"
#include "simplify.hpp"
#include "small_ptx.hpp"
#include "warpipe/isa/dataflow.hpp"

namespace warpipe::test {

/// The stages before the tested stage, for the body of a small kernel.
struct Stages {
  explicit Stages(const std::string& body)
      : routine(ptx::inline_calls(ptx::read_ptx(entry_with(body), "k.ptx"), "k")),
        program(ptx::decode(routine, 32)),
        flow(isa::analyse_control_flow(program)),
        definitions(program, flow) {}
  Stages(const Stages&) = delete;
  Stages& operator=(const Stages&) = delete;

  ptx::Routine routine;
  isa::Program program;
  isa::ControlFlow flow;
  isa::ReachingDefinitions definitions;

  /// The index of the `number`th instruction of a name, from 0.
  std::uint32_t at(const std::string& name, int number = 0) const {
    for (std::uint32_t i = 0; i < routine.instructions.size(); ++i)
      if (routine.instructions[i].name == name && number-- == 0) return i;
    ADD_FAILURE() << "there is no " << name;
    return 0;
  }

  ptx::Lowered lowered(const std::set<std::string, std::less<>>& without = {}, int capability = 0) const {
    const auto predication = ptx::find_predication(routine, flow, without.contains("predication") ? 0 : 7);
    ptx::LoweringOptions options{without, {}};
    options.capability = capability;
    return ptx::lower_routine(routine, flow, definitions, predication, options);
  }

  /// The names of the instructions at some places.
  std::vector<std::string> names(const std::vector<std::uint32_t>& places) const {
    std::vector<std::string> result;
    for (const auto i : places) result.push_back(routine.instructions[i].name);
    return result;
  }
};

}  // namespace warpipe::test
