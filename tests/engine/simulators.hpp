#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <ostream>
#include <string>

#include "support/random_model.hpp"
#include "warpipe/engine/program.hpp"
#include "warpipe/predict/launch.hpp"

namespace warpipe {

/// The simulators that follow the rules of the model: the tests hold both to the same expectations.
enum class Simulator { Reference, Product };
std::string to_string(Simulator simulator);

/// Simulates a kernel with its own launch on a device with its own policy; limits are ignored.
/// @return the cycles of the run
Ticks simulated_cycles(Simulator simulator, const Kernel& kernel, const Device& device, Units units);

/// As simulated_cycles, for hand-drawn timelines.
/// @return the cycles as text: "440", "0.001"
std::string cycles(Simulator simulator, const Kernel& kernel, const Device& device, Units units = Units::One);

/// @return warp instructions issued
std::int64_t instructions_issued(Simulator simulator, const Kernel& kernel, const Device& device, Units units);

/// @return the busy time of each pipeline, summed over its instances, by name; without idle pipelines
std::map<std::string, Ticks> busy_pipelines(Simulator simulator, const Kernel& kernel, const Device& device,
                                            Units units);

/// The program simulated by the product.
Program program_of(const Kernel& kernel, const Device& device, Units units = Units::One);
Program program_of(const random_model::Model& model);

/// Whether its warps do not wait for each other's signals for good.
bool comes_to_an_end(const Program& program);

/// Instantiates a suite for both simulators: `INSTANTIATE_TEST_SUITE_P(Simulators, Suite, both_simulators(),
/// name_of_simulator)`.
inline auto both_simulators() { return testing::Values(Simulator::Reference, Simulator::Product); }
inline std::string name_of_simulator(const testing::TestParamInfo<Simulator>& tested) {
  return to_string(tested.param);
}

/// How GoogleTest shows parameters.
inline void PrintTo(Simulator simulator, std::ostream* stream) { *stream << to_string(simulator); }
inline void PrintTo(Policy policy, std::ostream* stream) { *stream << to_string(policy); }

}  // namespace warpipe
