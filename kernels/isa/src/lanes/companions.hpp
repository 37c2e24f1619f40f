#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "lanes/access_cost.hpp"
#include "lanes/prepared.hpp"
#include "warpipe/isa/assumption.hpp"

/// The companions of an executed warp: Questions, Sampling and Recorder. The interpreter knows neither questions nor
/// samples nor statistics: it asks its companions where it cannot go on, and reports executions to them.

namespace warpipe::isa {

/// Results of a comparison: its first number less its second.
struct ComparedValues {
  bool any = false;                    ///< it was executed
  std::int64_t least = 0, most = 0;    ///< of all lanes that executed it
  std::int64_t first = 0, latest = 0;  ///< of the lowest lane the first time, of the highest one the last time
  std::pair<std::int64_t, std::int64_t> sides = {};  ///< both numbers of the latest
  void add(std::int64_t one, std::int64_t other);
};

/// Comparisons and addresses of warps executed with sizes on trial. A size on trial decides nothing: lanes go both ways
/// at a dependent branch, and a loop ended by it goes round once.
struct SizeTrial {
  std::map<std::uint32_t, ComparedValues> comparisons;  ///< by instruction, where they are of interest
  /// Likewise: known addresses of lanes, execution after execution, lane after lane.
  std::map<std::uint32_t, std::vector<std::uint64_t>> accesses;
};

class Interpreter;
using LaneMask = std::uint64_t;

/// The reason for a warp's early end.
struct Stop {
  enum class Why {
    Unknown,    ///< the questions of `lack` have to be answered before
    TakesLong,  ///< loops go round so often that samples would be needed, and they are not allowed
    Costly      ///< the limit of executed instructions is reached
  };
  Why why = Why::Unknown;
  std::optional<UnknownData> lack = {};
};

template <class Value>
using OrStop = std::variant<Value, Stop>;

template <class Value>
const Stop* stop_in(const OrStop<Value>& result) {
  return std::get_if<Stop>(&result);
}

/// A loop under execution. Where it takes long: the values of its written registers at the start of the iteration, and
/// their steps in the iteration before.
struct LoopFrame {
  const LoopInfo* info;
  std::int64_t iterations = 0;  ///< begun, this one included
  std::vector<std::uint64_t> start, moved;
  bool ends = false;  ///< in a trial of sizes: a known condition will end it
};

/// The loop's name in options, where a shell eats a `$`.
std::string name_of_loop(const LoopInfo& info);

/// The way of lanes at a branch with an unknown condition.
struct BranchAnswer {
  std::optional<std::int64_t> trips;  ///< of the loop left by the branch; nothing: the share counts
  double share = 0;                   ///< of jumping lanes
};

/// Answers questions left open by the launch, or stops the warp to have them asked. An answered question is kept.
class Questions {
 public:
  virtual ~Questions() = default;
  /// A predicate of an access is unknown: it is asked for where an argument is missing, else the access counts as made.
  virtual std::optional<Stop> predicate(const Interpreter& warp, std::uint32_t instruction, const Input& guard) = 0;
  /// The pattern of unknown addresses.
  virtual OrStop<AddressPattern> address(const Interpreter& warp, std::uint32_t instruction, const Input& unknown) = 0;
  /// The share of lanes that stays active where their bits of an execution mask are unknown.
  virtual OrStop<double> active_share(const Interpreter& warp, std::uint32_t instruction, const Input& mask,
                                      LaneMask unknown) = 0;
  virtual OrStop<BranchAnswer> branch(const Interpreter& warp, std::uint32_t instruction, const Input& guard,
                                      LaneMask unknown) = 0;
  /// A jump through a table at an unknown index: lanes go to all targets in turn.
  virtual std::optional<Stop> table(const Interpreter& warp, std::uint32_t instruction, const Input& index) = 0;
  /// A loop goes round more often than can be followed: so many trips are assumed; without a number, the trips of a
  /// search.
  virtual Stop trips(const Interpreter& warp, const LoopFrame& frame, std::optional<std::int64_t> trips,
                     std::string why) = 0;
  /// Whether trips of a loop were assumed.
  virtual bool has_trips(const LoopInfo& loop) const = 0;

  /// All answered questions.
  virtual Stop all() const = 0;
  /// Nothing, where no answer changes the execution before it; else all has to begin anew.
  virtual std::optional<Stop> open() const = 0;
  virtual std::size_t count() const = 0;
  /// Forgets all answers but the first.
  virtual void keep_first(std::size_t count) = 0;
};

/// Says how far a warp is followed, and passes over iterations of its loops where it takes long.
class Sampling {
 public:
  virtual ~Sampling() = default;
  std::int64_t most = INT64_MAX;          ///< instructions of the slice, of all warps, until `beyond` is asked
  std::int64_t most_of_warp = INT64_MAX;  ///< of the warp, until its loops are sampled
  /// @return nothing: the warp goes on
  virtual std::optional<Stop> beyond(const Interpreter& warp, std::uint32_t instruction) = 0;
  /// An iteration begins in a warp that takes long.
  virtual std::optional<Stop> begin(const Interpreter& warp, LoopFrame& frame) = 0;
  /// It has ended.
  /// @return the number of iterations it stands for, itself included; the registers are as at the end of the last of
  ///         them
  virtual std::int64_t sample(Interpreter& warp, const NaturalLoop& loop) = 0;
  /// A loop goes round without end.
  virtual Stop endless(const Interpreter& warp, const LoopFrame& frame) = 0;
};

/// Executions of an access in a row.
struct Repetitions {
  std::int64_t known = 1;  ///< with known addresses; they come first
  std::int64_t all = 1;
};

/// Notes iterations, accesses and blocks of warps.
class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual void iterations(std::uint32_t record, std::int64_t times) = 0;
  virtual void access(const Interpreter& warp, std::uint32_t record, const Step& step, AddressEvent& event,
                      Repetitions repeated) = 0;
  /// @param mask  active lanes
  virtual void block(std::uint32_t record, std::uint32_t block, LaneMask mask, std::int64_t times) = 0;
};

struct Companions {
  Questions& questions;
  Sampling& sampling;
  Recorder* recorder = nullptr;  ///< may be null
  SizeTrial* trial = nullptr;    ///< a trial of sizes; then nothing else is gathered, nor asked
};

}  // namespace warpipe::isa
