#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "warpipe/latency_tables/device.hpp"

/// The keys of a device file, a row per key: reader, writer, parameters, schema and documentation follow from the rows.
///
///     {"latency", &MemoryLevel::latency, "cycles from ...", required(kUnitFitted)}
///
/// The type of the field determines the reading and writing of its value, and the range of its numbers.

namespace warpipe::detail {

/// The member that keeps the value of a key. Without a field, a function of its own reads and writes the value.
template <class Object>
using Field =
    std::variant<std::monostate, std::string Object::*, bool Object::*, std::int64_t Object::*,
                 std::optional<std::int64_t> Object::*, Cycles Object::*, std::optional<Cycles> Object::*,
                 Seconds Object::*, std::optional<Seconds> Object::*, Hertz Object::*, std::optional<Hertz> Object::*,
                 std::optional<BytesPerSecond> Object::*, std::optional<double> Object::*, Latency Object::*,
                 std::optional<Increment> Object::*, std::optional<Source> Object::*, Scope Object::*,
                 LevelScope Object::*, WritePolicy Object::*, Policy Object::*, SourceKind Object::*>;

enum class Presence { Optional, Written, Required };  ///< Written: may be missing, the writer never leaves it out
enum class Where { Anywhere, Unit, Beyond };          ///< the levels with the key
enum class Fit { Never, OfRuns, OfLaunches };         ///< a parameter of all runs, or where launches count too

/// The properties of a row beside name, field and meaning.
struct Traits {
  Presence presence = Presence::Optional;
  Where where = Where::Anywhere;
  Fit fit = Fit::Never;
  bool has_source = false;                  ///< in `sources` of the file
  std::int64_t least = 1;                   ///< of a whole number
  double most_seconds = 1;                  ///< small enough to catch a value in cycles
  std::array<std::string_view, 2> words{};  ///< of a bool written as a word: false, true
  std::string_view absent{};                ///< for the documentation: the meaning of a missing key
};

template <class Object>
struct Key {
  std::string_view name;
  Field<Object> field;
  std::string_view meaning;
  Traits traits{};
};

inline constexpr std::monostate kByHand;
inline constexpr double kAnySeconds = std::numeric_limits<double>::infinity();
inline constexpr Traits kWritten{.presence = Presence::Written};
inline constexpr Traits kLimit{.least = 0};
inline constexpr Traits kUnit{.where = Where::Unit}, kUnitFitted{.where = Where::Unit, .fit = Fit::OfRuns};
inline constexpr Traits kBeyond{.where = Where::Beyond}, kBeyondFitted{.where = Where::Beyond, .fit = Fit::OfRuns};
inline constexpr Traits kSourced{.has_source = true, .most_seconds = kAnySeconds};
inline constexpr Traits kOfRuns{.fit = Fit::OfRuns, .has_source = true};
inline constexpr Traits kOfLaunches{.fit = Fit::OfLaunches, .has_source = true, .most_seconds = kAnySeconds};

constexpr Traits required(Traits traits = {}) {
  traits.presence = Presence::Required;
  return traits;
}
constexpr Traits absent(std::string_view text, Traits traits = {}) {
  traits.absent = text;
  return traits;
}
constexpr Traits words(std::string_view if_false, std::string_view if_true) {
  Traits traits;
  traits.words = {if_false, if_true};
  return traits;
}

inline constexpr auto kKeysOfDevice = std::to_array<Key<Device>>({
    {"$schema", kByHand, "the schema that an editor checks the file against"},
    {"format", kByHand, "`warpipe-device`", required()},
    {"version", kByHand, "1", required()},
    {"name", &Device::name, "what results call the device", required()},
    {"title", &Device::title, "the full name"},
    {"architecture", &Device::architecture,
     "the family. Where it says `compute capability X.Y`, CUDA source is compiled for that"},
    {"compute_units", &Device::compute_units, "how many compute units (SMs, CUs) the device has", required(kSourced)},
    {"clock_hz", &Device::clock, "cycles per second, of the clock that latencies count", required(kOfLaunches)},
    {"warp_size", &Device::warp_size, "threads that issue together", required()},
    {"dies", &Device::dies,
     "chips that the units are divided among, at most `compute_units`; groups are dealt to them in turn"},
    {"limits", kByHand, "what bounds the groups of a unit. A limit that is missing or 0 does not bind"},
    {"issue", kByHand, "how often who may issue"},
    {"memory", kByHand, "what turns addresses into conflicts and transactions; the levels behind a unit"},
    {"group_launch_latency", &Device::group_launch_latency,
     "cycles from the end of a group until its slot takes the next", kOfRuns},
    {"group_dispatch_interval", &Device::group_dispatch_interval,
     "cycles between two placements of groups on the device", kOfRuns},
    {"launch_begin_s", &Device::launch_begin,
     "seconds until the first group of a launch is placed, beyond those of an empty launch", kOfRuns},
    {"launch_end_s", &Device::launch_end,
     "seconds from the end of the last group until what a launch wrote has arrived", kOfRuns},
    {"launch_overhead_s", &Device::launch_overhead, "seconds that a launch costs beside its run; reported apart",
     kOfLaunches},
    {"launch_interval_s", &Device::launch_interval,
     "the fewest seconds from one launch to the next, where many follow each other: what the host takes to launch",
     kOfLaunches},
    {"launch_gap_s", &Device::launch_gap,
     "seconds from the end of a launch to the start of the next one of the same queue, which waits for it",
     absent("unknown", kSourced)},
    {"pipelines", kByHand, "what instructions occupy while they issue: at least one", required()},
    {"ops", kByHand, "the latency table: at least one row", required()},
    {"sources", kByHand, "[where numbers come from](#sources) that are in no row and no level"},
});

inline constexpr auto kKeysOfLimits = std::to_array<Key<Limits>>({
    {"warps_per_unit", &Limits::warps_per_unit, "the most warps of a unit", kLimit},
    {"groups_per_unit", &Limits::groups_per_unit, "the most groups of a unit", kLimit},
    {"threads_per_group", &Limits::threads_per_group, "the most threads of a group", kLimit},
    {"registers_per_unit", &Limits::registers_per_unit, "the most registers of a unit", kLimit},
    {"registers_per_thread", &Limits::registers_per_thread, "the most registers of a thread", kLimit},
    {"register_allocation", &Limits::register_allocation, "a warp's registers are rounded up to a multiple of it"},
    {"shared_memory_per_unit", &Limits::shared_memory_per_unit, "the most of a unit, in bytes", kLimit},
    {"shared_memory_per_group", &Limits::shared_memory_per_group, "the most of a group, in bytes", kLimit},
    {"shared_memory_allocation", &Limits::shared_memory_allocation,
     "a group's bytes are rounded up to a multiple of it"},
    {"shared_memory_reserved_per_group", &Limits::shared_memory_reserved_per_group,
     "bytes that each group takes beside those that it asks for", kLimit},
    {"warp_allocation", &Limits::warp_allocation,
     "a group's warps are rounded up to a multiple of it where registers are handed out"},
});

inline constexpr auto kKeysOfIssue = std::to_array<Key<Device>>({
    {"schedulers", &Device::schedulers, "per unit", absent("no issue limit")},
    {"interval", &Device::issue_interval, "cycles between two issues of one scheduler"},
    {"warp_interval", &Device::warp_interval, "cycles between two issues of one warp", kOfRuns},
    {"register_read", &Device::register_read,
     "cycles in which a bank of a scheduler's registers gives an operand of an instruction's `register_reads`",
     kSourced},
    {"far_code", kByHand,
     "what instructions take at least that lie in more machine code than a unit keeps near: a list in the order of the "
     "bytes, of which the last one holds with fewer than the instruction's `code_bytes`",
     absent("code costs nothing to fetch", kSourced)},
    {"policy", &Device::policy, "which ready warp goes first"},
});

inline constexpr auto kKeysOfFarCode = std::to_array<Key<FarCode>>({
    {"bytes", &FarCode::bytes, "in more machine code than that", required(kLimit)},
    {"warp_interval", &FarCode::warp_interval, "whole cycles between two issues of one warp", kLimit},
    {"interval", &FarCode::interval, "cycles between two issues of one scheduler"},
});

inline constexpr auto kKeysOfMemory = std::to_array<Key<Memory>>({
    {"bandwidth_bytes_per_s", &Memory::bandwidth, "without `levels`: of global memory, for lower bounds"},
    {"transaction_bytes", &Memory::transaction_bytes,
     "the size of an aligned segment; with `levels` the nearest one's `sector_bytes`, which it must be where both are "
     "given",
     kWritten},
    {"banks", &Memory::banks, "of shared memory", kWritten},
    {"bank_bytes", &Memory::bank_bytes, "the size of a bank's word", kWritten},
    {"store_latency_s", &Memory::store_latency,
     "with `levels`: seconds until a store is acknowledged and lets its group end", absent("0", kOfRuns)},
    {"levels", kByHand, "the memory hierarchy, [the nearest level first](#levels); the last is the memory"},
});

inline constexpr auto kKeysOfLevel = std::to_array<Key<MemoryLevel>>({
    {"name", &MemoryLevel::name, "what kernels and results call it, a name without dots", required()},
    {"scope", &MemoryLevel::scope, "who shares one instance, never fewer than of the level before it"},
    {"bytes", &MemoryLevel::bytes, "of one instance", absent("required but in the last")},
    {"holds_shared_memory", &MemoryLevel::holds_shared_memory, "shared memory takes of its bytes", kUnit},
    {"line_bytes", &MemoryLevel::line_bytes, "what is looked up at a time"},
    {"sector_bytes", &MemoryLevel::sector_bytes,
     "what is moved at a time; of the nearest level by default the `transaction_bytes`"},
    {"ways", &MemoryLevel::ways, "the lines of a set"},
    {"parts", &MemoryLevel::parts, "in which it is divided: each part holds what its share of the units reads",
     kBeyond},
    {"joined_units", &MemoryLevel::joined_units,
     "at most 32 neighbours, whose loads of the same sectors at about the same time it serves as one", kBeyond},
    {"write", &MemoryLevel::write, "what a store does: `through` goes on at once, `back` stays until its line goes"},
    {"dirty_bytes", &MemoryLevel::dirty_bytes,
     "the most that it has still to write when a launch ends and that never counts, as counters of launches show that "
     "find nothing to be written. What else it holds is written on: the launch before left as much",
     absent("0")},
    {"masked_writes", &MemoryLevel::masked_writes,
     "of the last level only: whether parts of a sector are written without reading the rest of it"},
    {"latency", &MemoryLevel::latency, "cycles from the issue of an access that it serves until the use of its result",
     required(kUnitFitted)},
    {"cycles_per_line", &MemoryLevel::cycles_per_line, "cycles to look up each line of an access", kUnitFitted},
    {"bytes_per_cycle", &MemoryLevel::bytes_per_cycle, "what it yields", absent("no limit", kUnitFitted)},
    {"cycles_per_packet", &MemoryLevel::cycles_per_packet,
     "cycles to send on each sector that a store writes, and each line of which it writes sectors in part",
     kUnitFitted},
    {"latency_s", &MemoryLevel::latency_s,
     "seconds, at most 1, from the issue of an access that it serves until the use of its result, on an idle device",
     required(kBeyondFitted)},
    {"read_bytes_per_s", &MemoryLevel::read_rate, "what reads can reach, all instances together",
     absent("no limit", kBeyondFitted)},
    {"write_bytes_per_s", &MemoryLevel::write_rate, "what writes can reach", absent("as reads", kBeyondFitted)},
    {"mixed_bytes_per_s", &MemoryLevel::mixed_rate,
     "what each can reach while accesses of the other kind are in flight; never more than alone",
     absent("as alone", kBeyondFitted)},
    {"pin_bytes_per_s", &MemoryLevel::pin_rate, "the rate of the data sheet", kBeyond},
    {"lines_per_s", &MemoryLevel::line_rate,
     "lines of scattered loads, all instances together: those beyond what their sectors would fill",
     absent("no limit", kBeyond)},
    {"store_lines_per_s", &MemoryLevel::store_line_rate,
     "lines touched by stores, all instances together; the mask of a line with sectors written in part takes as "
     "long as a sector then",
     absent("no limit; masks take no time", kBeyond)},
    {"source", &MemoryLevel::source, "as of an op", absent("none; required in shipped tables")},
});

inline constexpr auto kKeysOfPipeline = std::to_array<Key<Pipeline>>({
    {"scope", &Pipeline::scope, "who shares one instance"},
    {"backlog", &Pipeline::backlog, "cycles of work that may wait in front of it, where it is reached through `then`",
     absent("no limit")},
    {"clock_hz", &Pipeline::clock, "the most that the units' clock is in a kernel with an instruction that uses it",
     absent("no limit")},
    {"source", &Pipeline::source, "as of an op", absent("none")},
});

inline constexpr auto kKeysOfOp = std::to_array<Key<Op>>({
    {"pipeline", kByHand, "one of `pipelines`", required()},
    {"issue", &Op::issue,
     "the issue latency, until the pipeline takes its next instruction: a number or points "
     "`[[resident warps, cycles], ...]`, with whole, ascending resident warps",
     required()},
    {"completion", &Op::completion,
     "the completion latency, from the issue until the result can be used: likewise. Of an access to [levels](#levels) "
     "what it adds to theirs, 0 by default",
     absent("required, but for accesses to levels", kWritten)},
    {"per_conflict", &Op::per_conflict,
     "what each further way of a conflict adds to `issue` and `completion`, each further word of constant memory, each "
     "further lane on the word of an atomic",
     absent("0")},
    {"per_transaction", &Op::per_transaction, "what each further transaction adds to `issue` and `completion`",
     absent("0")},
    {"ways", &Op::ways, "how many ways of a conflict the latencies stand for"},
    {"transactions", &Op::transactions, "how many transactions the latencies stand for"},
    {"issue_slots", &Op::issue_slots, "how many issue intervals of its scheduler the op takes; may be 0", kLimit},
    {"then", kByHand, "further pipelines that the instruction goes through after its own", absent("none")},
    {"kind", &Op::barrier, "`barrier` for a barrier, which then has neither `then` nor `retires_at`",
     words("normal", "barrier")},
    {"retires_at", &Op::retires_at_issue, "`issue` for a store whose result is not awaited",
     words("completion", "issue")},
    {"source", &Op::source, "[where the numbers come from](#sources)", absent("none; required in shipped tables")},
});

inline constexpr auto kKeysOfIncrement = std::to_array<Key<Increment>>({
    {"issue", &Increment::issue, "cycles added to `issue`", kWritten},
    {"completion", &Increment::completion, "cycles added to `completion`", kWritten},
});

inline constexpr auto kKeysOfThen = std::to_array<Key<Then>>({
    {"pipeline", kByHand, "one of `pipelines`, or of a level", required()},
    {"issue", &Then::issue, "cycles that it occupies that pipeline: a number or points", required()},
    {"after", &Then::after, "cycles from the issue until the instruction arrives there on an idle device"},
    {"per_conflict", &Then::per_conflict, "what each further way of a conflict adds to `issue`", absent("0")},
    {"per_transaction", &Then::per_transaction, "what each further transaction adds to `issue`", absent("0")},
    {"per_turn", &Then::per_turn,
     "of an atomic at a level: each turn that its lanes take, where all turns take longer than its ways"},
});

inline constexpr auto kKeysOfSource = std::to_array<Key<Source>>({
    {"kind", &Source::kind,
     "`measured`: on that very device. `documented`: by its maker. `published`: in a paper. `simulator`: a simulator's "
     "value, tuned so that the simulator fits. `derived`: arithmetic on others. `estimated`: recalled, or a guess. "
     "`fitted`: by a calibration. `carried`: from the table of a sibling. `given`: chosen, of a device that nobody has "
     "built",
     required()},
    {"reference", &Source::reference, "what was read", required()},
    {"clock", &Source::clock, "the clock that it was measured at, where known"},
    {"method", &Source::method, "how it was measured, where known"},
    {"date", &Source::date, "where known"},
    {"intervals", kByHand,
     "by the key of a number beside the source, `issue`, `per_conflict.issue`, `read_bytes_per_s`: `[low, high]`, "
     "where it lies in 90 of 100 cases. A number without one has the interval of its "
     "[kind](predict.md#how-sure-is-it)"},
    {"uncalibrated", kByHand, "by the same keys: what stood there before it was fitted"},
});

template <class Value>
struct Content {
  using Type = Value;
};
template <class Value>
struct Content<std::optional<Value>> {
  using Type = Value;
};

/// Calls a function with the pointer to a key's member; without one there is no call.
template <class Object, class Visitor>
void visit_field(const Key<Object>& key, Visitor&& visitor) {
  std::visit(
      [&](auto field) {
        if constexpr (!std::is_same_v<decltype(field), std::monostate>) visitor(field);
      },
      key.field);
}

/// The type of a field's value; of an optional, the type of its content.
template <class Object, class Value>
typename Content<Value>::Type content_of(Value Object::*);

template <class Value>
inline constexpr bool kIsRate =
    std::is_same_v<Value, Hertz> || std::is_same_v<Value, BytesPerSecond> || std::is_same_v<Value, double>;
template <class Value>
inline constexpr bool kIsTime = std::is_same_v<Value, Cycles> || std::is_same_v<Value, Seconds>;
/// All other values are counts, words and whole rows.
template <class Value>
inline constexpr bool kIsQuantity = kIsRate<Value> || kIsTime<Value>;

inline bool is_quantity(const Key<MemoryLevel>& key) {
  bool is = false;
  visit_field(key, [&](auto field) { is = kIsQuantity<decltype(content_of(field))>; });
  return is;
}

inline bool belongs(Where where, LevelScope scope) {
  return where == Where::Anywhere || (where == Where::Unit) == (scope == LevelScope::ComputeUnit);
}

/// Whether an object can have a key.
inline bool has(const MemoryLevel& level, const Key<MemoryLevel>& key) {
  return belongs(key.traits.where, level.scope);
}
template <class Object>
bool has(const Object&, const Key<Object>&) {
  return true;
}

template <class Keys>
const auto& key_named(const Keys& keys, std::string_view name) {
  return *std::ranges::find(keys, name, [](const auto& key) { return key.name; });
}

template <class Keys>
std::vector<std::string_view> names_of(const Keys& keys) {
  std::vector<std::string_view> names;
  for (const auto& key : keys) names.push_back(key.name);
  return names;
}

/// The keys of a device's numbers outside rows and levels with a source of their own: "clock_hz",
/// "issue.warp_interval", "memory.store_latency_s".
inline std::vector<std::string> keys_of_sources() {
  std::vector<std::string> names;
  const auto add = [&](const std::string& before, const auto& keys) {
    for (const auto& key : keys)
      if (key.traits.has_source) names.push_back(before + std::string(key.name));
  };
  add("", kKeysOfDevice);
  add("issue.", kKeysOfIssue);
  add("memory.", kKeysOfMemory);
  return names;
}

/// All words of an enumeration, in order.
template <class Enumeration>
std::vector<std::pair<std::string, Enumeration>> words_of(Enumeration last) {
  std::vector<std::pair<std::string, Enumeration>> words;
  for (int i = 0; i <= static_cast<int>(last); ++i)
    words.emplace_back(to_string(static_cast<Enumeration>(i)), static_cast<Enumeration>(i));
  return words;
}
inline auto words_of(const Traits&, Scope) { return words_of(Scope::Device); }
inline auto words_of(const Traits&, LevelScope) { return words_of(LevelScope::Device); }
inline auto words_of(const Traits&, WritePolicy) { return words_of(WritePolicy::Back); }
inline auto words_of(const Traits&, Policy) { return words_of(Policy::RoundRobin); }
inline auto words_of(const Traits&, SourceKind) { return words_of(SourceKind::Given); }
inline std::vector<std::pair<std::string, bool>> words_of(const Traits& traits, bool) {
  return {{std::string(traits.words[0]), false}, {std::string(traits.words[1]), true}};
}

}  // namespace warpipe::detail
