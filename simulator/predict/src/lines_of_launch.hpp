#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/predict/lower.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe {

/// All executions of an instruction.
struct Use {
  double executions = 0;
  double work = 0;                ///< on what limits: its time
  double latency = 0;             ///< summed over executions
  double ways = 0;                ///< bank conflicts, summed over executions
  double touched = 0, asked = 0;  ///< bytes of sectors of global memory, and of lanes; 0 where not known
  double moved = 0;               ///< bytes, of the level that limits
  std::int64_t needed = 0;        ///< sectors that lanes that are neighbours touch
  std::vector<double> busy = {};  ///< cycles of each pipeline
};

/// Instructions of one name.
struct Heavy {
  std::vector<std::size_t> instructions;
  double work = 0, share = 0;  ///< of the work of all
};

/// What each instruction of a launch does to what limits it.
class LinesOfLaunch {
 public:
  LinesOfLaunch(const LoweredLaunch& launch, const Prediction& prediction);

  std::optional<std::size_t> pipeline;  ///< that limits; nothing: another bound does
  std::optional<std::size_t> level;     ///< of the memory, whose pipeline limits
  std::vector<Use> uses;                ///< by instruction

  const Instruction& instruction(std::size_t index) const { return launch_.kernel.instructions[index]; }

  /// Lanes ask for less than the sectors that they touch hold, and than the level moves that limits: caches may keep
  /// the rest for other warps.
  bool is_scattered(std::size_t index) const;
  bool has_conflicts(std::size_t index) const;

  /// The instructions that run of which something holds.
  template <class Is>
  std::vector<std::size_t> all_that(const Is& is) const {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < uses.size(); ++i)
      if (uses[i].executions > 0 && is(i)) all.push_back(i);
    return all;
  }

  /// The instructions of each name, those with the most of the weight first.
  std::vector<Heavy> by_weight(std::string (*name_of)(const Instruction&), double Use::*weight) const;

 private:
  void add(std::size_t index, double count, const Values& values);

  const LoweredLaunch& launch_;
  const Prediction& prediction_;
};

/// The array that an access is in, where that is known.
std::optional<std::size_t> array_of(const Instruction& instruction);
/// Loads, stores and atomics are told apart; of other instructions each op.
std::string kind_of(const Instruction& instruction);
/// Both.
std::string kind_and_place_of(const Instruction& instruction);

}  // namespace warpipe
