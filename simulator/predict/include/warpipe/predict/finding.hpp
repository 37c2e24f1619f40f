#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/predict/predict.hpp"

/// Where the limit of a launch comes from, in the code: for the sentence above a result.

namespace warpipe {

struct LoweredLaunch;

/// @return "transpose.cu:17" of a text that begins with a line of a source; empty for another one
std::string source_line(const std::string& text);
/// The line of an instruction's source, "transpose.cu:17", else its id.
std::string place_of(const Instruction& instruction);

struct Finding {
  enum class Cause {
    None,
    Scattered,  ///< of `of` bytes of each sector `amount` are used
    Conflicts,  ///< bank conflicts of `amount` ways
    Bytes,      ///< `amount` go through the level, of which `of` must; 0: not known
    Line,       ///< `amount` is the share of the limit's time
    Doubles,    ///< likewise, where numbers that are floats before and after are doubles
    Lanes,      ///< `amount` of `of` lanes of a warp compute, as a mean
    Warps,      ///< `amount` of the `of` that a unit holds are resident; `why`
    Groups,     ///< `amount` for `of` units
    Rounds,     ///< `amount` for `of` units, which some units get one more of than others
    Starts      ///< `amount` groups of `of` threads start one after the other
  };
  Cause cause = Cause::None;
  std::string limit;            ///< as Bound::name
  std::string place, op;        ///< the line of source, or the instruction's id; an op there; empty: none stands out
  bool thread_private = false;  ///< the op's memory
  double share = 0;             ///< of the limit's time, for the place
  std::string why;              ///< no more warps are resident: "64 registers per thread leave room for 1 group"
  double amount = 0, of = 0;

  /// The launch without the cause: an estimate, for the code would have other instructions too. Nothing where no
  /// change stands for it.
  struct Change {
    LaunchOptions options;
    std::function<void(Kernel&)> edit = {};  ///< of the kernel as read; empty: none
    std::string words;                       ///< what changed: "as neighbours"
    double times = 1;                        ///< of the time with these, what the change leaves
  };
  std::optional<Change> change;
};

/// What the author of a kernel could change, and where; as an estimate, whether it helps or not.
struct SourceChange {
  std::string name;   ///< "coalesced access"
  std::string where;  ///< "that loads of a.cu:7 reach neighbours"
  Finding::Change change;
};

/// Changes that the code leaves to make: accesses that are not coalesced, doubles between floats, lanes that do not
/// compute, loads in loops that each wait for the one before, groups that start one after the other.
std::vector<SourceChange> source_changes(const LoweredLaunch& launch, const Prediction& prediction);

/// Looks at the line of source with the most of the work on what limits, and for what is unusual there.
/// @param prediction  of the launch
/// @complexity        steps of the program; where latency limits, three times its bound by latency
Finding find_cause(const LoweredLaunch& launch, const Prediction& prediction);

/// The time with the change of a finding; nothing where it has none.
/// @param time            of the launch
/// @param kernel, device  of the launch, as read
std::optional<Seconds> time_without(const Finding& finding, Seconds time, const Kernel& kernel, const Device& device);

}  // namespace warpipe
