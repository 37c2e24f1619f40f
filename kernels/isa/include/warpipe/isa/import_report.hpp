#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/isa/assumption.hpp"
#include "warpipe/isa/launch.hpp"
#include "warpipe/isa/type.hpp"

namespace warpipe::isa {

/// A number over many executions.
struct Spread {
  double sum = 0;
  std::int64_t least = INT64_MAX, most = 0;
  void add(std::int64_t value, double times) {
    sum += static_cast<double>(value) * times;
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  void add(const Spread& other) {
    sum += other.sum;
    least = other.least < least ? other.least : least;
    most = other.most > most ? other.most : most;
  }
  void scale(double by) { sum *= by; }
};

/// What the executions of a memory instruction reached. Executions without an active lane count for nothing.
struct AccessStatistics {
  double executions = 0;  ///< in all groups
  Spread segments;        ///< sectors, ImportReport::sizes
  Spread lines;
  /// Of shared memory, in its banks: one more than the passes beyond `rounds`. Of constant memory the words
  /// that lanes read.
  Spread conflict_degree;
  Spread rounds;         ///< passes that an access to shared memory takes without conflicts
  Spread turns;          ///< of the lanes of an atomic, at the words of each sector
  Spread lanes;          ///< active
  bool sampled = false;  ///< not every execution was looked at
  /// The distance of neighbouring lanes in bytes, where it was the same for all lanes in all executions, all of them
  /// active.
  std::int64_t stride = 0;
  bool strided = true;
  void add(const AccessStatistics& other);
  /// Takes it that what was seen happens so much more often.
  void scale(double by);
};

/// How it was found out which group is of which kind.
struct GroupSurvey {
  double groups = 0;           ///< of the launch
  std::size_t looked_at = 0;   ///< groups whose control was executed
  bool by_arithmetic = false;  ///< conditions and trips told the kinds; a group of each was executed
  bool sampled = false;        ///< groups were taken to be like those nearest to them
  std::size_t checked = 0;     ///< further groups, executed to see whether they are of the kind they are taken for
  double off = 0;              ///< how much more they work than taken for: a share of all their work
  std::size_t recorded = 0;    ///< that were recorded as they were executed, and are all that was looked at
  double uncertain = 0;        ///< one standard error of the work of the launch, as a share of it
};

/// What a kernel says of the addresses of a memory instruction.
struct AddressReport {
  enum class Kind {
    None,     ///< nothing: it costs the same wherever it is
    Formula,  ///< expressions that are the program's own arithmetic
    Fitted,   ///< expressions that give every address that was executed
    Sampled,  ///< some addresses
    NotFound
  };
  Kind kind = Kind::None;          ///< the worst of the kernel's instructions that it became
  std::vector<std::string> texts;  ///< "A + 4 * thread_x", each once
  std::string why;                 ///< it is no formula
  /// Where lanes go on by a constant step through a loop, the expressions were held against so many first executions
  /// of each run of it and the last one; 0: against all.
  std::int64_t checked = 0;
  std::int64_t not_kept = 0;  ///< executions that were looked at, but that nothing was held against
  double elsewhere = 0;       ///< share of the executions with lanes in other arrays, which count for nothing there
  double idle = 0;            ///< of the sectors that the formula reaches, those that no active lane does
};
std::string_view to_string(AddressReport::Kind kind);  ///< "none", "formula", "fitted", "sampled", "not found"

/// What a memory instruction's executions reached.
struct AccessReport {
  std::uint32_t instruction = 0;  ///< of the program
  std::uint32_t line = 0;         ///< in the program's file
  std::string source;             ///< "saxpy.cu:9"
  std::string name;               ///< "ld.global.f32"
  std::string op;
  Space space = Space::Global;
  AccessStatistics statistics;  ///< of the whole launch
  AddressReport address;
  /// Of an atomic of global memory: turns of an execution at the place of 512 bytes where all groups take most, as a
  /// mean; one lane that goes for all counts as one.
  std::optional<double> turns_at_one_place{};
};

/// What a launch reads and writes of an array of global memory.
struct ArrayReach {
  std::string name;              ///< of the parameter that leads to it, or its own; empty: of no array that is known
  double read = 0, written = 0;  ///< bytes, each once; those of an atomic are both
  double lanes = 0;              ///< that read or write, summed over all executions
  bool is_counted = true;        ///< else the bytes are an estimate, or somebody's word for where they are
  bool is_result = false;        ///< each group writes one place of it at most, and no more is read
};

/// How often a loop went round.
struct LoopReport {
  std::string label;       ///< of its header; "line 12" where it has none
  std::uint32_t line = 0;  ///< in the program's file
  std::string source;      ///< "saxpy.cu:9"
  double entries = 0;      ///< by a warp, in the whole launch
  Spread iterations;       ///< of an entry, over the entries
};

/// Instructions that no warp of the launch executes.
struct DroppedSide {
  std::uint32_t line = 0;  ///< of the first one
  std::string source;      ///< "saxpy.cu:9"
  std::size_t instructions = 0;
};

/// Machine code that a launch goes through.
struct CodeReport {
  std::size_t bytes = 0;  ///< each instruction that is issued once; 0 where their lengths differ
  /// Of the instructions that are issued, those in no loop of at most kNearCode: each time, they are fetched from
  /// farther away. 0 where all of the code is no more than that.
  double fetched_share = 0;
};
/// What a unit of a GH100 keeps near enough to issue an instruction each cycle.
/// @source tests/single_effects/measured_h100.csv, instruction_fetch
inline constexpr std::size_t kNearCode = 32 << 10;

/// Groups that behave alike.
struct KindReport {
  Dimensions group{0, 0, 0};  ///< one of them
  double groups = 0;
  double issued = 0;  ///< instructions that the warps of one issue
};

/// What a kernel's import found and did.
struct ImportReport {
  std::string entry;
  std::string device;  ///< name of the device that the kernel is for; empty where there is none
  std::size_t instructions = 0, calls = 0, slice = 0, loops = 0;
  std::int64_t executed = 0, closed_iterations = 0, sampled_iterations = 0;
  std::map<std::string, std::size_t> removed;  ///< by rule
  std::size_t moved_loads = 0;                 ///< by the rule early-loads
  std::vector<std::string> skipped;            ///< instructions that were left out, by name, with lines and why
  std::map<std::string, double> left_out;      ///< how often the warps of the launch execute those, by name
  std::vector<Assumption> assumptions;         ///< in the order in which they were met
  bool beyond_shared = false;                  ///< what is assumed leads to accesses beyond the shared memory
  /// Instructions of the text that the warps of the launch execute, by class of op: those that the rules leave, what
  /// becomes several counted once, and conditional branches as they were before they became predicates.
  std::map<std::string, double> executions;
  std::map<std::string, double> issued;  ///< instructions that the warps of all groups issue, by op
  std::vector<AccessReport> accesses;
  AccessSizes sizes;                      ///< that they were counted for
  std::vector<ArrayReach> arrays;         ///< of global memory
  std::vector<LoopReport> entered_loops;  ///< in the order of the text
  std::vector<DroppedSide> dropped;       ///< sides of branches that no lane takes
  CodeReport code;
  std::vector<KindReport> kinds;  ///< of groups, those of most groups first
  GroupSurvey survey;             ///< how they were found
  std::int64_t registers = 0;
  bool registers_estimated = false;
  std::vector<std::string> notes;  ///< what was averaged, sampled or left out
};

/// Of all instructions that the warps of the launch execute, the share that was left out.
double share_left_out(const ImportReport& report);

}  // namespace warpipe::isa
