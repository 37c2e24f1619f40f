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

/// Who goes along with a warp that is executed. The interpreter knows neither questions nor samples nor statistics: it
/// asks these where it does not know how to go on, and tells them what it did.

namespace warpipe::isa {

/// What a comparison came to: its first number less its second one.
struct ComparedValues {
  bool any = false;                    ///< it was executed
  std::int64_t least = 0, most = 0;    ///< of all lanes that executed it
  std::int64_t first = 0, latest = 0;  ///< of the lowest lane the first time, of the highest one the last time
  std::pair<std::int64_t, std::int64_t> sides = {};  ///< both numbers of the latest
  void add(std::int64_t one, std::int64_t other);
};

/// What warps met that were executed with sizes that are but tried. Such a size decides nothing: where a branch depends
/// on it, lanes go both ways, and a loop that it ends goes round once.
struct SizeTrial {
  std::map<std::uint32_t, ComparedValues> comparisons;  ///< by instruction, of those that are of interest
  /// Likewise: where the lanes reach of which that is known, one after the other, of each execution behind those of the
  /// one before.
  std::map<std::uint32_t, std::vector<std::uint64_t>> accesses;
};

class Interpreter;
using LaneMask = std::uint64_t;

/// Why a warp is not followed to its end.
struct Stop {
  enum class Why {
    Unknown,    ///< what `lack` holds has to be answered before
    TakesLong,  ///< loops go round so often that they would have to be sampled, which may not be
    Costly      ///< more was executed than may be
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

/// A loop that is being executed. Where that takes long: what the registers that it writes held when the iteration
/// began, and by how much they moved in the one before.
struct LoopFrame {
  const LoopInfo* info;
  std::int64_t iterations = 0;  ///< begun, this one included
  std::vector<std::uint64_t> start, moved;
  bool ends = false;  ///< where sizes are tried: something that is known will end it
};

/// As the options name it, where a shell eats a `$`.
std::string name_of_loop(const LoopInfo& info);

/// What lanes do at a branch of which they do not know which way they go.
struct BranchAnswer {
  std::optional<std::int64_t> trips;  ///< of the loop that the branch leaves; nothing: the share counts
  double share = 0;                   ///< of the lanes that jump
};

/// Answers what nobody gave, or says what has to be asked before a warp can go on. A question that is answered here is
/// kept.
class Questions {
 public:
  virtual ~Questions() = default;
  /// A predicate of an access is not known: it is asked for where an argument is missing, else the access counts as
  /// made.
  virtual std::optional<Stop> predicate(const Interpreter& warp, std::uint32_t instruction, const Input& guard) = 0;
  /// Where lanes reach whose address is not known.
  virtual OrStop<AddressPattern> address(const Interpreter& warp, std::uint32_t instruction, const Input& unknown) = 0;
  /// The share of some lanes that stay active under an execution mask of which their bits are not known.
  virtual OrStop<double> active_share(const Interpreter& warp, std::uint32_t instruction, const Input& mask,
                                      LaneMask unknown) = 0;
  virtual OrStop<BranchAnswer> branch(const Interpreter& warp, std::uint32_t instruction, const Input& guard,
                                      LaneMask unknown) = 0;
  /// A jump through a table at an index that is not known: lanes go to all targets in turn.
  virtual std::optional<Stop> table(const Interpreter& warp, std::uint32_t instruction, const Input& index) = 0;
  /// A loop goes round more often than can be followed: so many trips are assumed; without a number, those of a search.
  virtual Stop trips(const Interpreter& warp, const LoopFrame& frame, std::optional<std::int64_t> trips,
                     std::string why) = 0;
  /// Whether trips of a loop were assumed.
  virtual bool has_trips(const LoopInfo& loop) const = 0;

  /// All that was answered, as questions.
  virtual Stop all() const = 0;
  /// Nothing, where what was answered changes nothing of what was executed before: else all has to begin anew.
  virtual std::optional<Stop> open() const = 0;
  virtual std::size_t count() const = 0;
  /// Forgets the answers but for the first ones.
  virtual void keep_first(std::size_t count) = 0;
};

/// Says how far a warp is followed, and lets iterations of its loops stand for others where that takes long.
class Sampling {
 public:
  virtual ~Sampling() = default;
  std::int64_t most = INT64_MAX;          ///< instructions of the slice, of all warps, until `beyond` is asked
  std::int64_t most_of_warp = INT64_MAX;  ///< of the warp, until its loops are sampled
  /// @return nothing: it goes on
  virtual std::optional<Stop> beyond(const Interpreter& warp, std::uint32_t instruction) = 0;
  /// An iteration begins in a warp that takes long.
  virtual std::optional<Stop> begin(const Interpreter& warp, LoopFrame& frame) = 0;
  /// It has ended.
  /// @return how many it stands for, itself included; the registers are those at the end of the last of them
  virtual std::int64_t sample(Interpreter& warp, const NaturalLoop& loop) = 0;
  /// A loop goes round without end.
  virtual Stop endless(const Interpreter& warp, const LoopFrame& frame) = 0;
};

/// Executions of an access in a row.
struct Repetitions {
  std::int64_t known = 1;  ///< of which it is known where they reach; these come first
  std::int64_t all = 1;
};

/// Takes note of what warps did.
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
  SizeTrial* trial = nullptr;    ///< what is met of sizes that are tried; then nothing else is gathered, nor asked
};

}  // namespace warpipe::isa
