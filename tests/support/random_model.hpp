#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"

/// Random kernels and devices for RapidCheck. An op, a pipeline or a producer is chosen by a plain number that counts
/// round: each shrunk model is still a model.

namespace warpipe::random_model {

/// Ten-thousandths of a cycle: some times have to be rounded to milli-cycles.
using Time = std::int64_t;
inline constexpr Time kCycle = 10000;

struct Points {       ///< of a latency over resident warps
  int residents = 1;  ///< at the first point
  Time first = 0;
  std::vector<std::pair<int, Time>> further;  ///< (residents more than the point before, time)
};

struct Increments {
  Time issue = 0, completion = 0;
};

struct Stage {  ///< an entry of `then`
  int pipeline = 0;
  Points issue;
  Time after = 0;
  Time per_conflict = 0, per_transaction = 0;
};

struct Op {
  int pipeline = 0;
  Points issue, completion;
  std::optional<Increments> per_conflict, per_transaction;
  int ways = 1, transactions = 1, issue_slots = 1;
  bool retires_at_issue = false;
  std::vector<Stage> then;
};

struct Pipeline {
  Scope scope = Scope::ComputeUnit;
  std::optional<Time> backlog;
};

struct Level {          ///< of the memory; a rate is in bytes per cycle
  bool of_unit = true;  ///< only the first can be
  int sectors = 1;      ///< per line
  int sector_bytes = 8;
  Time latency = 0;
  std::optional<int> read_rate, write_rate, mixed_rate;  ///< beyond the unit
  std::optional<int> unit_rate;                          ///< of the unit
  Time per_line = 0, per_packet = 0;
  std::optional<int> line_rate, store_line_rate;  ///< beyond the unit: lines in a hundred cycles
};

struct FarCode {          ///< of more than kFarBytes, the second of more than twice as much
  int warp_interval = 0;  ///< whole cycles, up to kLongestStall
  Time interval = 0;
};
inline constexpr int kFarBytes = 1000;

struct DeviceModel {
  int compute_units = 1, warp_size = 4;
  std::optional<int> schedulers;
  Time interval = kCycle, warp_interval = 0, register_read = 0, launch_latency = 0, dispatch_interval = 0;
  Time launch_begin = 0, launch_end = 0;
  std::vector<FarCode> far_code;
  Policy policy = Policy::FirstReady;
  std::vector<Pipeline> further_pipelines;  ///< besides a plain one, always present
  Op barrier;
  Op first_op;
  std::vector<Op> further_ops;
  std::vector<Level> levels;  ///< then there are the ops of global memory, with the latencies of global_op
  std::optional<Time> store_latency;
  Op global_op;
};

struct Edge {
  int producer = 0, back = 1;
  std::optional<Time> latency;
};

inline constexpr int kLongestStall = 15;  ///< of an instruction; whole cycles

/// (width, stride) of the lanes' addresses; a stride of 0 is written as a broadcast.
using Access = std::pair<int, int>;

/// The use of one level: its part of the executions; tenths of sectors moved by an execution.
struct LevelUse {
  int part = 0;
  std::optional<int> sectors;
};

struct Instruction {
  int op = 0;  ///< behind the device's own ops: the barrier, global memory
  std::vector<Edge> after;
  std::optional<Time> issue_latency, completion_latency;
  std::optional<int> conflict_degree, transactions;  ///< left out where the op lacks the increment
  bool by_kind = false;                              ///< transactions depend on the kind of group
  std::optional<Access> access;
  std::optional<int> lines, turns;
  int register_reads = 1;
  int stall = 0;  ///< whole cycles, up to kLongestStall
  int code_bytes = 0;
  std::vector<LevelUse> levels;        ///< the nearest first; counted round
  bool by_warp = false;                ///< the first two levels swap their parts in all warps but the first
  std::optional<int> arrives, awaits;  ///< signals, counted round; left out of a barrier
};

struct Node {
  enum class Kind { Instruction, Loop, When };
  Kind kind = Kind::Instruction;
  Instruction instruction;
  int number = 0;        ///< trips of a loop, or number of a condition
  bool by_warp = false;  ///< the number of trips depends on the warp
  bool by_kind = false;  ///< trips or condition depend on the kind of group
  std::vector<Node> body;
};

/// Four kinds of groups.
struct Kinds {
  std::vector<std::pair<int, int>> runs;  ///< (kind, groups), counted round; none: an expression
  std::vector<int> few, by_warp;          ///< a number for each kind; by_warp: and for each warp
};

/// (arrivals, open)
using Signal = std::pair<int, int>;

struct KernelModel {
  int threads_more = 0;  ///< threads of a group, less 1
  int groups = 1, concurrent_groups = 1;
  std::optional<Kinds> kinds;
  std::vector<Signal> signals;
  std::vector<Node> body;
};

struct Model {
  KernelModel kernel;
  DeviceModel device;
  bool all_units = false;
};

/// How far models may go.
struct Shape {
  int most_trips = 3;
  int most_groups = 8;
  std::int64_t most_issues = 1500;  ///< warp instructions in the launch, at most
  bool kinds = false;               ///< groups differ
  bool levels = false;              ///< the memory has levels
  bool signals = false;             ///< warps arrive at signals and await them
};

/// Any model of the shape.
rc::Gen<Model> models(const Shape& shape);
/// Any model of the shape; in half of the models the memory has levels.
rc::Gen<Model> models_with_any_memory(Shape shape);
/// Likewise, and one model in three has signals: its warps may wait for good.
rc::Gen<Model> models_of_any_kind(Shape shape);

/// The same model with whole cycles only, and without the points between which latencies are interpolated.
Model in_whole_cycles(Model model);
/// The same model with all times multiplied.
Model times(Model model, std::int64_t factor);

/// The files of a model, without the additions of add_levels() and add_level_uses().
std::string kernel_json(const Model& model);
std::string device_json(const Model& model);
Kernel read_kernel(const Model& model);
Device read_device(const Model& model);

/// Adds the levels of the memory, their pipelines and the ops of global memory to a device.
void add_levels(const DeviceModel& model, Device& device);
/// Adds the levels given by the instructions of global memory to a kernel.
void add_level_uses(const Model& model, Kernel& kernel);
/// The additions of add_levels() and add_level_uses(), for the message of a failure.
std::string shown_levels(const Model& model);

/// Names of the ops of global memory; with levels they are the ops behind the barrier.
const std::vector<std::string>& global_ops();

/// Both files and the mode, for the message of a failure.
void showValue(const Model& model, std::ostream& stream);

}  // namespace warpipe::random_model
