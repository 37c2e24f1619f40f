#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/predict/predict.hpp"
#include "warpipe/sweep/sweep.hpp"

/// Changes of a launch and their run times, each simulated with a single change.

namespace warpipe {

/// The response of the run time to a latency: d(time) / time over d(latency) / latency. The model has anomalies (rule
/// 10.5), so both sides are kept: where they differ, the time has a kink there.
struct Elasticity {
  std::string name;  ///< the op, or the id of the instruction
  std::string op;    ///< the op of the instruction, or the op itself
  std::string text;  ///< the instruction's line of source, where the kernel has one; empty for an op
  /// "issue", "completion", or the pipeline of the op's `then` whose lambda it is; of a level of the memory "latency"
  /// or "sector", the time of a sector at the level's rate.
  std::string latency;
  Cycles value;       ///< as bound at the launch's resident warps, before conflicts and transactions add to it
  Cycles less, more;  ///< the two values tried: whole milli-cycles to either side, but for a sector
  Ticks cycles_less, cycles_more;  ///< of the run with them
  /// The largest error of the two times, a fraction of the launch's time; 0: they are exact. A smaller change of the
  /// time is no elasticity.
  double off = 0;
  double central = 0;           ///< from `less` to `more`
  double below = 0, above = 0;  ///< from `less` to the value, from the value to `more`
};

/// @return whether a shorter and a longer latency change the time in opposite senses
bool sides_disagree(const Elasticity& elasticity);

/// The person able to make a change: author of the kernel, user who launches it, builder of the device.
enum class ChangePart { Source, Launch, Device };
std::string to_string(ChangePart part);  ///< "source", "launch", "device"

/// A possible change, and its saving.
struct Change {
  std::string name;  ///< "one more resident group"
  /// The fields of LaunchOptions that give the same cycles, each followed by its values: "concurrent_groups", "8".
  /// Empty if no options do.
  std::vector<std::string> options;
  std::string needs;            ///< the necessary edit, or the resource that must shrink; may be empty
  std::optional<Ticks> cycles;  ///< empty where it was not tried
  double saved = 0;             ///< of the run time, as a fraction; below 0: slower
  std::string remark;           ///< the cause that hides it, where it saves nothing
  std::string why_not;          ///< where it was not tried: it cannot be, or cannot save enough to be seen
  bool left_out = false;        ///< it was a candidate: a bound rules it out, or its launch cannot be
  double off = 0;               ///< how far `saved` may be off, likewise; 0: it is exact
  /// The range of the new time, if the study asks for it. Errors in the numbers of the device shift the base and its
  /// changes alike: the saving is surer than the two times.
  std::optional<TimeRange> range = {};
  ChangePart part = ChangePart::Launch;
};

/// @return whether the saving of a change can be seen
bool is_gain(const Change& change);

/// @return whether the saving or cost of a change is known: false where it may be off by more
bool is_told(const Change& change);

/// Changes of source and launch, of the device; latencies of ops, of instructions.
enum class WhatIfPart { Changes, Device, Ops, Instructions };

struct WhatIfOptions {
  /// The step of a latency to either side, as a fraction; above 0 and below 1. Where latencies are whole numbers, warps
  /// go in step, and a small change of any latency ends their lockstep: the time moves by a per cent or two for any
  /// latency. Over a large step this effect counts for little beside the effect of the latency itself.
  double step = 0.2;
  std::vector<WhatIfPart> parts{WhatIfPart::Changes, WhatIfPart::Device, WhatIfPart::Ops, WhatIfPart::Instructions};
  bool ranges_of_changes = false;  ///< each change is simulated twice more; the launch options ask for the base's range
  /// Leave out the changes whose lower bound rules out a saving, or a saving above the tolerance.
  bool leave_out = true;
};

struct WhatIf {
  Prediction base;
  double step = 0;
  std::vector<Change> changes;           ///< by part, most saved first, then the changes not tried
  std::vector<Elasticity> ops;           ///< of the ops that run, strongest first
  std::vector<Elasticity> instructions;  ///< of the instructions that run, strongest first

  bool ranges_of_changes = false;  ///< as in WhatIfOptions
  bool with_device = true;         ///< changes of the device were asked for

  /// The unfinished part of a running study.
  struct Pending {
    std::vector<std::string> changes;  ///< their names
    bool ops = false, instructions = false;
  };
  Pending pending = {};
  std::size_t certain = 0;  ///< the number of first changes with larger savings than any pending change can have
};

/// @return whether its changes have ranges of their times
bool has_ranges(const WhatIf& what_if);

/// The result of a simulation of a study.
struct WhatIfTrial {
  std::optional<Ticks> cycles;          ///< empty where the change was not tried
  double saved = 0, off = 0;            ///< as in Change
  std::string remark, why_not;          ///< as in Change
  std::optional<TimeRange> range = {};  ///< as in Change
};

/// Simulates a launch again for each change and twice for each latency that is not 0. The change with the largest
/// possible saving comes first. A change is left out if its lower bound rules out a saving large enough to be shown, or
/// above a tolerance. A latency of 0 has no relative step and is left out; so is a latency below 0.0005 cycles. The
/// elasticity of an op is the effect of the option `set`: an instruction with a latency of its own does not follow the
/// op.
class WhatIfStudy {
 public:
  /// Simulates the launch itself and lists the changes and latencies to try.
  /// @throws UsageError for a step that is not above 0 and below 1
  /// @throws UsageError, InputError, ModelError as predict does
  WhatIfStudy(const Kernel& kernel, const Device& device, const LaunchOptions& options, const WhatIfOptions& asked);
  ~WhatIfStudy();
  WhatIfStudy(const WhatIfStudy&) = delete;
  WhatIfStudy& operator=(const WhatIfStudy&) = delete;

  /// The number of further simulations of the launch: first for the changes, then the ops, then the instructions.
  std::size_t simulations() const;
  /// Simulates once: a pure function of its index. May be called from several threads.
  /// @throws as predict does, of a step that overflows
  WhatIfTrial attempt(std::size_t index) const;
  /// Takes the result of attempt, from this or another process, in the order of the indices.
  void keep(std::size_t index, const WhatIfTrial& trial);
  /// Attempts all and keeps them.
  /// @param threads   0: all cores; never changes the result
  /// @param progress  called after each simulation
  /// @throws as attempt
  /// @complexity at most 2 simulations for each latency of each instruction and op, and 14 for each change
  void run(std::size_t threads, const Progress& progress = {});
  /// The results, ranked; during the run, from any thread, the results so far.
  WhatIf result() const;

 private:
  std::unique_ptr<class WhatIfTrials> trials_;
};

/// A study that runs to its end.
WhatIf what_if(const Kernel& kernel, const Device& device, const LaunchOptions& options, const WhatIfOptions& asked,
               std::size_t threads, const Progress& progress = {});

}  // namespace warpipe
