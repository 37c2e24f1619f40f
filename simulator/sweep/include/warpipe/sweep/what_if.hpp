#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/predict/predict.hpp"
#include "warpipe/sweep/sweep.hpp"

/// What would change the time of a run, by simulating it again with one thing changed.

namespace warpipe {

/// How the run time follows one latency: d(time) / time over d(latency) / latency. The model has anomalies (rule 10.5),
/// so both sides are kept: where they differ, the time has a kink there.
struct Elasticity {
  std::string name;  ///< the op, or the id of the instruction
  std::string op;    ///< the op of the instruction, or the op itself
  std::string text;  ///< the instruction's line of source, where the kernel has one; empty for an op
  /// "issue", "completion", or the pipeline of the op's `then` whose lambda it is; of a level of the memory "latency"
  /// or "sector", what one takes at its rate.
  std::string latency;
  Cycles value;       ///< as bound at the launch's resident warps, before conflicts and transactions add to it
  Cycles less, more;  ///< the two values tried: whole milli-cycles to either side, but for a sector
  Ticks cycles_less, cycles_more;  ///< of the run with them
  /// How far the two times may be off, a fraction of the launch's; 0: they are exact. What moves the time by less is no
  /// elasticity.
  double off = 0;
  double central = 0;           ///< from `less` to `more`
  double below = 0, above = 0;  ///< from `less` to the value, from the value to `more`
};

/// @return whether a shorter and a longer latency change the time in opposite senses
bool sides_disagree(const Elasticity& elasticity);

/// Who could make a change: the author of the kernel, who launches it, who builds the device.
enum class ChangePart { Source, Launch, Device };
std::string to_string(ChangePart part);  ///< "source", "launch", "device"

/// A change that somebody could make, and what it brings.
struct Change {
  std::string name;  ///< "one more resident group"
  /// The fields of LaunchOptions that give the same cycles, each followed by its values: "concurrent_groups", "8".
  /// Empty if no options do.
  std::vector<std::string> options;
  std::string needs;            ///< what must be edited for it, or shrink; may be empty
  std::optional<Ticks> cycles;  ///< empty where it was not tried
  double saved = 0;             ///< of the run time, as a fraction; below 0: slower
  std::string remark;           ///< what hides it, where it brings nothing
  std::string why_not;          ///< where it was not tried: it cannot be, or cannot save enough to be seen
  bool left_out = false;        ///< it was among those to try: a bound rules it out, or its launch cannot be
  double off = 0;               ///< how far `saved` may be off, likewise; 0: it is exact
  /// Where the time then lies, if the study asks for it. The numbers of the device are off for the base and its
  /// changes alike: what is saved is surer than the two times.
  std::optional<TimeRange> range = {};
  ChangePart part = ChangePart::Launch;
};

/// @return whether a change saves what can be seen
bool is_gain(const Change& change);

/// @return whether what a change saves or costs is known: not where it may be off by more
bool is_told(const Change& change);

/// Changes of source and launch, of the device; latencies of ops, of instructions.
enum class WhatIfPart { Changes, Device, Ops, Instructions };

struct WhatIfOptions {
  /// Of a latency to either side, as a fraction; above 0 and below 1. Where latencies are whole numbers, warps go in
  /// step, and a small change of any of them ends that: the time moves by a per cent or two whichever it was. Over a
  /// large step that counts for little beside what the latency itself does.
  double step = 0.2;
  std::vector<WhatIfPart> parts{WhatIfPart::Changes, WhatIfPart::Device, WhatIfPart::Ops, WhatIfPart::Instructions};
  bool ranges_of_changes = false;  ///< each change is simulated twice more; the launch options ask for that of the base
  /// Leave out the changes of which a lower bound says that they save nothing, or less than the tolerance.
  bool leave_out = true;
};

struct WhatIf {
  Prediction base;
  double step = 0;
  std::vector<Change> changes;           ///< by part, most saved first, then those that were not tried
  std::vector<Elasticity> ops;           ///< of the ops that run, strongest first
  std::vector<Elasticity> instructions;  ///< of the instructions that run, strongest first

  bool ranges_of_changes = false;  ///< as in WhatIfOptions
  bool with_device = true;         ///< changes of the device were asked for

  /// What a study that runs has not come to.
  struct Pending {
    std::vector<std::string> changes;  ///< their names
    bool ops = false, instructions = false;
  };
  Pending pending = {};
  std::size_t certain = 0;  ///< so many changes, the first ones, save more than any that is pending can
};

/// @return whether it says of changes where their times lie
bool has_ranges(const WhatIf& what_if);

/// What one simulation of a study found.
struct WhatIfTrial {
  std::optional<Ticks> cycles;          ///< empty where the change was not tried
  double saved = 0, off = 0;            ///< as in Change
  std::string remark, why_not;          ///< as in Change
  std::optional<TimeRange> range = {};  ///< as in Change
};

/// Simulates a launch again for each change and twice for each latency that is not 0. The change that may save most
/// comes first. One whose lower bound says that it cannot save as much as is shown, or as a tolerance tells, is left
/// out. A latency of 0 has no relative step and is left out; so is one below 0.0005 cycles. The elasticity of an op is
/// of what the option `set` changes: an instruction with a latency of its own does not follow it.
class WhatIfStudy {
 public:
  /// Simulates the launch itself and lists what there is to try.
  /// @throws UsageError for a step that is not above 0 and below 1
  /// @throws UsageError, InputError, ModelError as predict does
  WhatIfStudy(const Kernel& kernel, const Device& device, const LaunchOptions& options, const WhatIfOptions& asked);
  ~WhatIfStudy();
  WhatIfStudy(const WhatIfStudy&) = delete;
  WhatIfStudy& operator=(const WhatIfStudy&) = delete;

  /// How often the launch will be simulated again: first for the changes, then the ops, then the instructions.
  std::size_t simulations() const;
  /// Simulates once: a pure function of its index. May be called from several threads.
  /// @throws as predict does, of a step that overflows
  WhatIfTrial attempt(std::size_t index) const;
  /// Takes what attempt found, here or in another process, in the order of the indices.
  void keep(std::size_t index, const WhatIfTrial& trial);
  /// Attempts all and keeps them.
  /// @param threads   0: all cores; never changes the result
  /// @param progress  called after each simulation
  /// @throws as attempt
  /// @complexity at most 2 simulations for each latency of each instruction and op, and 14 for each change
  void run(std::size_t threads, const Progress& progress = {});
  /// What has been found, ranked; while it runs, from any thread, what has been found so far.
  WhatIf result() const;

 private:
  std::unique_ptr<class WhatIfTrials> trials_;
};

/// A study that runs to its end.
WhatIf what_if(const Kernel& kernel, const Device& device, const LaunchOptions& options, const WhatIfOptions& asked,
               std::size_t threads, const Progress& progress = {});

}  // namespace warpipe
