#pragma once

#include <optional>
#include <string>

#include "warpipe/predict/lower.hpp"
#include "warpipe/predict/predict.hpp"

/// Where the limit of a launch comes from, in the code: for the sentence above a result.

namespace warpipe {

struct Finding {
  enum class Cause {
    None,
    Scattered,  ///< of `of` bytes of each sector `amount` are used
    Conflicts,  ///< bank conflicts of `amount` ways
    Bytes,      ///< `amount` go through the level, of which `of` must; 0: not known
    Line,       ///< `amount` is the share of the limit's time
    Warps,      ///< `amount` are resident per unit, `of` would keep `busiest` busy
    Groups      ///< `amount` for `of` units
  };
  Cause cause = Cause::None;
  std::string limit;      ///< as Bound::name
  std::string place, op;  ///< the line of source, or the instruction's id; an op there
  std::string busiest;    ///< as Bound::name
  double amount = 0, of = 0;
  /// The launch as if neighbouring lanes reached neighbours, or no banks were in conflict: an estimate, for the code
  /// would have other instructions too. Nothing where no option stands for a change.
  std::optional<LaunchOptions> changed;
};

/// Looks at the line of source with the most of the work on what limits, and for what is unusual there.
/// @param prediction  of the launch
/// @complexity        steps of the program
Finding find_cause(const LoweredLaunch& launch, const Prediction& prediction);

/// The time with the options of a finding; nothing where it has none.
/// @param kernel, device  of the launch, as read
std::optional<Seconds> time_without(const Finding& finding, const Kernel& kernel, const Device& device);

}  // namespace warpipe
