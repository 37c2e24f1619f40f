#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "warpipe/idg/op.hpp"
#include "warpipe/predict/lower.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe {

/// All executions of an instruction.
struct Use {
  double executions = 0;
  double work = 0;                ///< time on the limiter
  double latency = 0;             ///< summed over executions
  double ways = 0;                ///< bank conflicts, summed over executions
  double touched = 0, asked = 0;  ///< bytes of sectors of global memory, and of lanes; 0 where not known
  double moved = 0;               ///< bytes, of the limiting level
  std::int64_t needed = 0;        ///< sectors of the same lanes as neighbours
  std::vector<double> busy = {};  ///< cycles of each pipeline
};

/// Instructions of the same name.
struct Heavy {
  std::vector<std::size_t> instructions;
  double work = 0, share = 0;  ///< of the work of all
};

/// The work of each instruction of a launch on the limiter.
class LinesOfLaunch {
 public:
  LinesOfLaunch(const LoweredLaunch& launch, const Prediction& prediction);

  std::optional<std::size_t> pipeline;  ///< the limiter; nothing: another bound limits
  std::optional<std::size_t> level;     ///< of the memory, with the limiting pipeline
  std::vector<Use> uses;                ///< by instruction

  const Instruction& instruction(std::size_t index) const { return launch_.kernel.instructions[index]; }

  /// Whether lanes ask for less than their touched sectors hold, and than the limiting level moves: caches may keep the
  /// rest for other warps, or for another access to the array, as to the next field of a structure.
  bool is_scattered(std::size_t index) const;
  bool has_conflicts(std::size_t index) const;

  /// The executed instructions with the property `is`.
  template <class Is>
  std::vector<std::size_t> all_that(const Is& is) const {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < uses.size(); ++i)
      if (uses[i].executions > 0 && is(i)) all.push_back(i);
    return all;
  }

  /// The instructions of each name, by falling weight.
  std::vector<Heavy> by_weight(std::string (*name_of)(const Instruction&), double Use::*weight) const;

 private:
  void add(std::size_t index, double count, const Values& values);
  /// Of what the limiting level moves.
  static bool leaves_much(const Use& use);
  /// `asked` and `moved` of all accesses of its kind to the array of an instruction.
  const Use& of_array(std::size_t index) const;

  const LoweredLaunch& launch_;
  const Prediction& prediction_;
  std::map<std::pair<std::size_t, AccessKind>, Use> of_arrays_;
};

/// The array of an access, where known.
std::optional<std::size_t> array_of(const Instruction& instruction);
/// Loads, stores and atomics are told apart; further instructions by their op.
std::string kind_of(const Instruction& instruction);
/// The kind and the place.
std::string kind_and_place_of(const Instruction& instruction);

}  // namespace warpipe
