#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warpipe/idg/machine.hpp"  // Scope, Policy and their names
#include "warpipe/idg/units.hpp"

/// A device: its limits, pipelines and latency table. Knows no kernel. Immutable after reading.

namespace warpipe {

struct Kernel;

/// A latency that may depend on the number of resident warps.
struct Latency {
  /// (resident warps, cycles), residents strictly ascending, at least one; one point is a constant.
  std::vector<std::pair<std::int64_t, double>> points{{1, 0.0}};
  friend bool operator==(const Latency&, const Latency&) = default;
};

/// Interpolates between points, constant outside them (rule 4 of the model).
Cycles latency_at(const Latency& latency, std::int64_t resident_warps);

/// The increments of a latency for each further way of a bank conflict, or each further transaction.
struct Increment {
  Cycles issue;
  Cycles completion;
  friend bool operator==(const Increment&, const Increment&) = default;
};

/// The origin of a number, a measure of trust in it.
enum class SourceKind { Measured, Documented, Published, Simulator, Derived, Estimated, Fitted, Carried, Given };
std::string to_string(SourceKind kind);

/// The range of a number.
struct Interval {
  double low = 0, high = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// The source of the numbers of a row, of a level or of the device.
struct Source {
  SourceKind kind = SourceKind::Estimated;
  std::string reference;
  std::string clock, method, date;  ///< if known, else empty
  /// By the key of a number, "issue", "per_conflict.issue", "read_bytes_per_s": its range in 90 of 100 cases.
  std::map<std::string, Interval, std::less<>> intervals{};
  std::map<std::string, double, std::less<>> uncalibrated{};  ///< by the same keys: the values before a fit
  friend bool operator==(const Source&, const Source&) = default;
};

struct Pipeline {
  std::string name;
  Scope scope = Scope::ComputeUnit;
  std::optional<Cycles> backlog;       ///< work that may wait there if reached through `then`; none: no limit
  std::optional<std::size_t> level{};  ///< index into Memory::levels: the pipeline stands for the rate of the level
  std::optional<Hertz> clock{};        ///< the highest clock of the units in a kernel using it
  std::optional<Source> source{};
  friend bool operator==(const Pipeline&, const Pipeline&) = default;
};

/// A pipeline on an instruction's way after its own (rule 5 of the model).
struct Then {
  std::size_t pipeline = 0;  ///< index into Device::pipelines
  Latency issue;
  Cycles after;                        ///< from the issue until the arrival there on an idle machine
  std::optional<Cycles> per_conflict;  ///< added to issue for each further way; empty counts as 0
  std::optional<Cycles> per_transaction;
  std::optional<Cycles> per_turn{};  ///< of an atomic, in place of the time of its ways if less
  friend bool operator==(const Then&, const Then&) = default;
};

/// A row of the latency table.
struct Op {
  std::string name;
  std::size_t pipeline = 0;  ///< index into Device::pipelines
  Latency issue;             ///< lambda
  Latency completion;        ///< Lambda
  std::optional<Increment> per_conflict;
  std::optional<Increment> per_transaction;
  std::int64_t ways = 1;          ///< ways of a conflict covered by the latencies
  std::int64_t transactions = 1;  ///< transactions covered by the latencies
  std::int64_t issue_slots = 1;
  std::vector<Then> then;
  bool barrier = false;           ///< kind "barrier"
  bool retires_at_issue = false;  ///< a store: no instruction waits for it
  std::optional<Source> source;
  friend bool operator==(const Op&, const Op&) = default;
};

/// @return the ways of a conflict beyond the ways covered by the op's latencies
std::int64_t further_ways(const Op& op, std::int64_t degree);

/// Whether an op, or an entry of its `then`, has an increment per way or per transaction at all.
bool takes_conflict_degree(const Op& op);
bool takes_transactions(const Op& op);

struct Limits {  ///< a missing limit or a limit of 0 does not bind
  std::optional<std::int64_t> warps_per_unit, groups_per_unit, threads_per_group;
  std::optional<std::int64_t> registers_per_unit, registers_per_thread;
  std::optional<std::int64_t> shared_memory_per_unit, shared_memory_per_group;              ///< bytes
  std::int64_t register_allocation = 1, shared_memory_allocation = 1, warp_allocation = 1;  ///< granularities
  std::int64_t shared_memory_reserved_per_group = 0;                                        ///< bytes
  friend bool operator==(const Limits&, const Limits&) = default;
};

/// The sharers of an instance of a level of the memory hierarchy.
enum class LevelScope { ComputeUnit, Die, Device };
std::string to_string(LevelScope scope);  ///< "compute_unit", "die", "device"

/// The path of a store at a level: sent on at once, or kept until its line is evicted.
enum class WritePolicy { Through, Back };
std::string to_string(WritePolicy policy);  ///< "through", "back"

/// A level of the memory hierarchy: a cache, or behind the last cache the memory.
struct MemoryLevel {
  std::string name;  ///< "l1", "l2", "dram"
  LevelScope scope = LevelScope::Device;
  std::optional<std::int64_t> bytes;  ///< of one instance; none for the memory behind the last cache
  bool holds_shared_memory = false;   ///< shared memory takes a part of its bytes
  std::int64_t line_bytes = 128, sector_bytes = 32, ways = 16;
  std::int64_t parts = 1;         ///< of a level of the device; each holds data read by its share of the units
  std::int64_t joined_units = 1;  ///< neighbouring units with their loads of the same sectors at a time served together
  WritePolicy write = WritePolicy::Back;
  std::optional<std::int64_t> dirty_bytes;  ///< most bytes still unwritten at the end of a launch; none: 0
  bool masked_writes = false;               ///< of the memory: parts of a sector are written without reading its rest
  // Of a unit's level, in cycles of the units:
  Cycles latency{0};                      ///< of a hit
  Cycles cycles_per_line{0};              ///< to look up each line of an access
  std::optional<double> bytes_per_cycle;  ///< yield; none: no limit
  Cycles cycles_per_packet{0};            ///< to send on a written sector, or the mask of a line
  // Beyond the unit, whatever the clock of the units:
  Seconds latency_s{0};                                 ///< from issue to use, of an idle device
  std::optional<BytesPerSecond> read_rate, write_rate;  ///< reachable; none: no limit; write: as read
  std::optional<BytesPerSecond> mixed_rate;  ///< of reads and of writes while both are in flight; none: as alone
  std::optional<BytesPerSecond> pin_rate;    ///< of the data sheet
  std::optional<Hertz> line_rate;            ///< of scattered loads, beyond lines filled by sectors; none: no limit
  std::optional<Hertz> store_line_rate;      ///< of lines touched by stores; none: no limit, and masks cost nothing
  std::optional<Source> source;
  friend bool operator==(const MemoryLevel&, const MemoryLevel&) = default;
};

/// The first level shared by units.
/// @param levels  of a device, at least one shared by units
/// @return        index into them
std::size_t first_shared_level(const std::vector<MemoryLevel>& levels);

/// The latency of a level on an idle device, in cycles of units with this clock.
Cycles latency_of(const MemoryLevel& level, Hertz clock);

struct Memory {
  std::optional<BytesPerSecond> bandwidth;  ///< of a device without levels; else bandwidth_of
  std::int64_t transaction_bytes = 32, banks = 32, bank_bytes = 4;
  std::vector<MemoryLevel> levels{};       ///< the nearest first; empty: ops hold the costs of accesses
  std::optional<Seconds> store_latency{};  ///< until a store is acknowledged and lets its group end
  friend bool operator==(const Memory&, const Memory&) = default;
};

/// The least intervals of instructions in more machine code than a unit keeps near.
struct FarCode {
  std::int64_t bytes = 0;          ///< the intervals hold in more code
  std::int64_t warp_interval = 0;  ///< whole cycles between two issues of one warp; at most kMostStall
  Cycles interval{0};              ///< between two issues of one scheduler
  friend bool operator==(const FarCode&, const FarCode&) = default;
};

/// A device file, read and checked.
struct Device {
  std::string name, title, architecture;
  std::string file;  ///< for messages; empty for a device made in memory
  std::int64_t compute_units = 1;
  Hertz clock{1e9};
  std::int64_t warp_size = 32;
  std::int64_t dies = 1;  ///< the units are divided among them; groups are dealt to dies in turn
  Limits limits;
  std::optional<std::int64_t> schedulers;  ///< per unit; none: no issue limit
  Cycles issue_interval{1};                ///< between two issues of one scheduler
  Cycles warp_interval{0};                 ///< between two issues of one warp
  Cycles register_read{0};                 ///< of an operand from a scheduler's bank of registers
  std::vector<FarCode> far_code;           ///< ascending bytes
  Policy policy = Policy::FirstReady;
  std::optional<Memory> memory;
  Cycles group_launch_latency{0};
  Cycles group_dispatch_interval{0};
  Seconds launch_begin{0};              ///< until the first group is placed, beyond an empty launch
  Seconds launch_end{0};                ///< from the last group's end until all written data has arrived
  Seconds launch_overhead{0};           ///< of a launch, beside its run
  Seconds launch_interval{0};           ///< the least time between two launches in a row of many
  std::optional<Seconds> launch_gap{};  ///< from the end of a launch to the start of a waiting launch; none: unknown
  std::vector<Pipeline> pipelines;      ///< in file order
  std::vector<Op> ops;                  ///< in file order
  /// Of numbers outside rows and levels, by their keys: "clock_hz", "memory.store_latency_s".
  std::map<std::string, Source, std::less<>> sources;

  /// The row of an op; null if there is none. On a device with levels, an access to global memory with a width or a
  /// level in its name has the row of the name without them, unless it has its own. So have "imad.wide",
  /// "ffma.constant", "convert.64", "constant.load.uniform", "global.atomic.float", "compare.guard", "branch.back",
  /// "branch.taken", "shuffle.match" and "shuffle.reduce".
  const Op* find_op(std::string_view name) const;
  friend bool operator==(const Device&, const Device&) = default;
};

/// @return whether the memory of a device has levels, and so knows the level serving an access
bool has_levels(const Device& device);

/// Gives the units another clock. Pipelines of scope `device` have a clock of their own and keep their seconds: their
/// cycles are scaled, as faster units count more cycles in the same time. Everything else keeps its cycles.
void set_clock(Device& device, Hertz clock);

/// @return the clock of the units while they run the kernel: the least of the device's clock and the clocks of the
///         pipelines used by the kernel's instructions
Hertz clock_in(const Device& device, const Kernel& kernel);

/// The bytes per second reachable by reads of global memory: the last level's, or on a device without levels the
/// memory's. Nothing if unknown.
std::optional<BytesPerSecond> bandwidth_of(const Device& device);

/// Appends to the device's own pipelines a pipeline of scope `device` for each level with a rate beyond the unit, under
/// the name of the level. Reading a file does it.
void add_level_pipelines(Device& device);

/// Reads a device from the text of a JSON file.
/// @param text  the file's content, UTF-8
/// @param file  its name, for messages
/// @throws InputError with all problems of the file
/// @source formats, "Device (a latency table)"
Device read_device_json(std::string_view text, const std::string& file);

/// Writes a device; reading the text gives the same device.
/// @return JSON text, two spaces per level, keys in the order of the format's description
std::string write_device_json(const Device& device);

}  // namespace warpipe
