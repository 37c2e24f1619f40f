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

/// The memory reached by the executions of a memory instruction. Executions without an active lane count for nothing.
struct AccessStatistics {
  double executions = 0;  ///< in all groups
  Spread segments;        ///< sectors, ImportReport::sizes
  Spread lines;
  /// Of shared memory, in its banks: 1 plus the passes beyond `rounds`. Of constant memory the words read by lanes.
  Spread conflict_degree;
  Spread rounds;         ///< passes of an access to shared memory without conflicts
  Spread turns;          ///< of the lanes of an atomic, at the words of each sector
  Spread lanes;          ///< active
  bool sampled = false;  ///< only some executions were looked at
  /// The distance of neighbouring lanes in bytes, where all lanes had the same distance in all executions, all of them
  /// active.
  std::int64_t stride = 0;
  bool strided = true;
  void add(const AccessStatistics& other);
  /// Scales the counts by the ratio of all executions to the observed executions.
  void scale(double by);
};

/// How the kinds of groups were found.
struct GroupSurvey {
  double groups = 0;           ///< of the launch
  std::size_t looked_at = 0;   ///< groups whose control was executed
  bool by_arithmetic = false;  ///< the kinds follow from conditions and trips; a group of each was executed
  bool sampled = false;        ///< groups were taken to be like executed groups nearby
  std::size_t recorded = 0;    ///< groups recorded by a machine during execution; no further groups were looked at
  double uncertain = 0;        ///< two standard errors of the work of the launch, as a share of it
};

/// The knowledge about the addresses of a memory instruction in a kernel.
struct AddressReport {
  enum class Kind {
    None,     ///< nothing: the instruction costs the same at any address
    Formula,  ///< expressions from the program's own arithmetic
    Fitted,   ///< expressions that give every executed address
    Sampled,  ///< some addresses
    NotFound
  };
  Kind kind = Kind::None;          ///< the worst of the kernel's instructions made from this instruction
  std::vector<std::string> texts;  ///< "A + 4 * thread_x", each once
  std::string why;                 ///< reason for the lack of a formula
  /// Where lanes step through a loop by a constant distance, the expressions were checked against so many first
  /// executions of each run of the loop and the last execution; 0: against all.
  std::int64_t checked = 0;
  std::int64_t not_kept = 0;  ///< executions that were looked at, but not compared with any expression
  double elsewhere = 0;       ///< share of the executions with lanes in other arrays, which count for nothing there
  double idle = 0;            ///< share of the sectors of the formula that no active lane reaches
};
std::string_view to_string(AddressReport::Kind kind);  ///< "none", "formula", "fitted", "sampled", "not found"

/// The memory reached by a memory instruction's executions, and the addresses.
struct AccessReport {
  std::uint32_t instruction = 0;  ///< of the program
  std::uint32_t line = 0;         ///< in the program's file
  std::string source;             ///< "saxpy.cu:9"
  std::string name;               ///< "ld.global.f32"
  std::string op;
  Space space = Space::Global;
  AccessStatistics statistics;  ///< of the whole launch
  AddressReport address;
  /// Of an atomic of global memory: mean turns of an execution at the place of 512 bytes with the most turns of all
  /// groups; one lane going for all lanes counts as one.
  std::optional<double> turns_at_one_place{};
};

/// The bytes of an array in global memory read and written by a launch.
struct ArrayReach {
  std::string name;  ///< of the parameter leading to the array, or the array's own; empty: of no known array
  double read = 0, written = 0;  ///< bytes, each once; bytes of an atomic are both
  double lanes = 0;              ///< reading or writing, summed over all executions
  bool is_counted = true;        ///< else the bytes are an estimate, or the user's word for the places
  bool is_result = false;        ///< each group writes one place of it at most, and no more bytes are read than written
};

/// The iterations of a loop.
struct LoopReport {
  std::string label;       ///< of its header; "line 12" where it has none
  std::uint32_t line = 0;  ///< in the program's file
  std::string source;      ///< "saxpy.cu:9"
  double entries = 0;      ///< by a warp, in the whole launch
  Spread iterations;       ///< of an entry, over the entries
};

/// Instructions that no warp of the launch executes.
struct DroppedSide {
  std::uint32_t line = 0;  ///< of the first instruction
  std::string source;      ///< "saxpy.cu:9"
  std::size_t instructions = 0;
};

/// Machine code that a launch goes through.
struct CodeReport {
  std::size_t bytes = 0;  ///< each issued instruction counted once; 0 where their lengths differ
  /// Share of the issued instructions outside of any loop of at most kNearCode: each time, they are fetched from
  /// farther away. 0 where the whole code fits in kNearCode.
  double fetched_share = 0;
};
/// The code a unit of a GH100 keeps near enough to issue an instruction each cycle.
/// @source bench/validation/single_effects/measured_h100.csv, instruction_fetch
inline constexpr std::size_t kNearCode = 32 << 10;

/// Groups that behave alike.
struct KindReport {
  Dimensions group{0, 0, 0};  ///< one group of the kind
  double groups = 0;
  double issued = 0;  ///< instructions issued by the warps of one group
};

/// The findings and decisions of a kernel's import.
struct ImportReport {
  std::string entry;
  std::string device;  ///< name of the kernel's device; empty without a device
  std::size_t instructions = 0, calls = 0, slice = 0, loops = 0;
  std::int64_t executed = 0, closed_iterations = 0, sampled_iterations = 0;
  std::map<std::string, std::size_t> removed;  ///< by rule
  std::size_t moved_loads = 0;                 ///< by the rule early-loads
  std::vector<std::string> skipped;            ///< instructions left out, by name, with lines and why
  std::map<std::string, double> left_out;      ///< executions of skipped instructions by the launch's warps, by name
  std::vector<Assumption> assumptions;         ///< in the order in which they were met
  bool beyond_shared = false;                  ///< an assumption leads to accesses beyond the shared memory
  /// Instructions of the text executed by the warps of the launch, by class of op: the instructions left by the rules,
  /// an instruction with several ops counted once, and conditional branches as before their change into predicates.
  std::map<std::string, double> executions;
  std::map<std::string, double> issued;  ///< instructions issued by the warps of all groups, by op
  std::vector<AccessReport> accesses;
  AccessSizes sizes;                      ///< the sizes of the counts
  std::vector<ArrayReach> arrays;         ///< of global memory
  std::vector<LoopReport> entered_loops;  ///< in the order of the text
  std::vector<DroppedSide> dropped;       ///< sides of branches that no lane takes
  CodeReport code;
  std::vector<KindReport> kinds;  ///< of groups, largest kinds first
  GroupSurvey survey;             ///< search for the kinds
  std::int64_t registers = 0;
  bool registers_estimated = false;
  std::vector<std::string> notes;  ///< averages, samples and omissions
};

/// The share of instructions left out, of all instructions executed by the warps of the launch.
double share_left_out(const ImportReport& report);

}  // namespace warpipe::isa
