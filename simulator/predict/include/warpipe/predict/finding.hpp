#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/predict/predict.hpp"

/// The place in the code behind the limit of a launch, for the sentence above a result.

namespace warpipe {

struct LoweredLaunch;

/// @return "transpose.cu:17" for a text with a source line at its start; empty for any other text
std::string source_line(const std::string& text);
/// The line of an instruction's source, "transpose.cu:17", else its id.
std::string place_of(const Instruction& instruction);

struct Finding {
  enum class Cause {
    None,
    Scattered,  ///< of `of` bytes of each sector `amount` are used
    Conflicts,  ///< bank conflicts of `amount` ways
    Bytes,      ///< `amount` go through the level, `of` of them are compulsory; 0: not known
    Line,       ///< `amount` is the share of the limit's time
    Doubles,    ///< likewise, for doubles made from floats and turned back into floats
    Lanes,      ///< `amount` of `of` lanes of a warp compute, as a mean
    Warps,      ///< `amount` are resident, and a unit holds `of`; `why`
    Groups,     ///< `amount` for `of` units
    Rounds,     ///< `amount` for `of` units: some units get one more than the rest
    Starts      ///< `amount` groups of `of` threads start one after the other
  };
  Cause cause = Cause::None;
  std::string limit;            ///< as Bound::name
  std::string place, op;        ///< the line of source, or the instruction's id; an op there; empty: none stands out
  bool thread_private = false;  ///< the op's memory
  double share = 0;             ///< of the limit's time, for the place
  std::string why;              ///< no more warps are resident: "64 registers per thread leave room for 1 group"
  double amount = 0, of = 0;

  /// The launch without the cause: an estimate, because the changed code would have different instructions too. Empty
  /// where no change stands for the cause.
  struct Change {
    LaunchOptions options;
    std::function<void(Kernel&)> edit = {};  ///< of the kernel as read; empty: none
    std::string words;                       ///< the change: "as neighbours"
    double times = 1;                        ///< of the time with these options and this edit
  };
  std::optional<Change> change;
};

/// A possible change of the source, with its place: as an estimate, whether it helps or not.
struct SourceChange {
  std::string name;   ///< "coalesced access"
  std::string where;  ///< "that loads of a.cu:7 reach neighbours"
  Finding::Change change;
};

/// Possible changes of the code: for accesses that are not coalesced, doubles between floats, idle lanes, loads in
/// loops that each wait for the load before, and groups started one after the other.
std::vector<SourceChange> source_changes(const LoweredLaunch& launch, const Prediction& prediction);

/// Finds the source line with the most work on the limiter, and an unusual property of the line.
/// @param prediction  of the launch
/// @complexity        steps of the program; where latency limits, three times its bound by latency
Finding find_cause(const LoweredLaunch& launch, const Prediction& prediction);

/// The time with the change of a finding; nothing where it has none.
/// @param time            of the launch
/// @param kernel, device  of the launch, as read
std::optional<Seconds> time_without(const Finding& finding, Seconds time, const Kernel& kernel, const Device& device);

}  // namespace warpipe
