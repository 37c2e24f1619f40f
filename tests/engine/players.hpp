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

/// Who plays the rules of the model: the tests hold both to the same expectations.
enum class Player { Reference, Product };
std::string to_string(Player player);

/// Plays a kernel with its own launch on a device with its own policy; limits are ignored.
/// @return the cycles of the run
Ticks play(Player player, const Kernel& kernel, const Device& device, Units units);

/// As play, for hand-drawn timelines.
/// @return the cycles as text: "440", "0.001"
std::string cycles(Player player, const Kernel& kernel, const Device& device, Units units = Units::One);

/// @return warp instructions issued
std::int64_t instructions_issued(Player player, const Kernel& kernel, const Device& device, Units units);

/// @return the time that each pipeline was busy, summed over its instances, by name; without those that never were
std::map<std::string, Ticks> busy_pipelines(Player player, const Kernel& kernel, const Device& device, Units units);

/// The program that the product plays then.
Program program_of(const Kernel& kernel, const Device& device, Units units = Units::One);
Program program_of(const random_model::Model& model);

/// Instantiates a suite that is parameterised by who plays: `INSTANTIATE_TEST_SUITE_P(Players, Suite, both_players(),
/// name_of_player)`.
inline auto both_players() { return testing::Values(Player::Reference, Player::Product); }
inline std::string name_of_player(const testing::TestParamInfo<Player>& tested) { return to_string(tested.param); }

/// How GoogleTest shows parameters.
inline void PrintTo(Player player, std::ostream* stream) { *stream << to_string(player); }
inline void PrintTo(Policy policy, std::ostream* stream) { *stream << to_string(policy); }

}  // namespace warpipe
