#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "support/random_model.hpp"
#include "warpipe/kernels/read_kernel.hpp"

namespace warpipe::random_model {
namespace {

using Json = nlohmann::ordered_json;

double cycles(Time time) { return static_cast<double>(time) / static_cast<double>(kCycle); }

// Numbers count round among `count` things.
std::size_t choose(int number, std::size_t count) { return static_cast<std::size_t>(number) % count; }

std::string pipeline_name(std::size_t index) { return "pipe" + std::to_string(index); }
std::string op_name(std::size_t index) { return "op" + std::to_string(index); }
std::string signal_name(std::size_t index) { return "signal" + std::to_string(index); }
std::string instruction_name(std::size_t index) { return "i" + std::to_string(index); }

Json points_json(const Points& points) {
  if (points.further.empty()) return cycles(points.first);
  int residents = points.residents;
  Json json{{residents, cycles(points.first)}};
  for (const auto& [more, time] : points.further) json.push_back({residents += more, cycles(time)});
  return json;
}

Json increments_json(const Increments& increments) {
  return {{"issue", cycles(increments.issue)}, {"completion", cycles(increments.completion)}};
}

Json stage_json(const Stage& stage, std::size_t pipelines) {
  Json json{{"pipeline", pipeline_name(choose(stage.pipeline, pipelines))}, {"issue", points_json(stage.issue)}};
  if (stage.after != 0) json["after"] = cycles(stage.after);
  if (stage.per_conflict != 0) json["per_conflict"] = cycles(stage.per_conflict);
  if (stage.per_transaction != 0) json["per_transaction"] = cycles(stage.per_transaction);
  return json;
}

Json op_json(const Op& op, std::size_t pipelines) {
  Json json{{"pipeline", pipeline_name(choose(op.pipeline, pipelines))},
            {"issue", points_json(op.issue)},
            {"completion", points_json(op.completion)}};
  if (op.per_conflict) json["per_conflict"] = increments_json(*op.per_conflict);
  if (op.per_transaction) json["per_transaction"] = increments_json(*op.per_transaction);
  if (op.ways != 1) json["ways"] = op.ways;
  if (op.transactions != 1) json["transactions"] = op.transactions;
  if (op.issue_slots != 1) json["issue_slots"] = op.issue_slots;
  if (op.retires_at_issue) json["retires_at"] = "issue";
  for (const Stage& stage : op.then) json["then"].push_back(stage_json(stage, pipelines));
  return json;
}

Json barrier_json(Op op, std::size_t pipelines) {
  op.retires_at_issue = false;  // "An op of kind `barrier` has neither `then` nor `retires_at`"
  op.then.clear();
  Json json = op_json(op, pipelines);
  json["kind"] = "barrier";
  return json;
}

Json pipelines_json(const DeviceModel& device) {
  Json json;
  json[pipeline_name(0)] = Json::object();
  for (std::size_t i = 0; i < device.further_pipelines.size(); ++i) {
    Json& pipeline = json[pipeline_name(i + 1)] = Json::object();
    pipeline["scope"] = to_string(device.further_pipelines[i].scope);
    if (const auto& backlog = device.further_pipelines[i].backlog) pipeline["backlog"] = cycles(*backlog);
  }
  return json;
}

// All ops but the barrier, in order.
std::vector<Op> plain_ops(const DeviceModel& device) {
  std::vector<Op> ops{device.first_op};
  ops.insert(ops.end(), device.further_ops.begin(), device.further_ops.end());
  return ops;
}

bool takes_conflict_degree(const Op& op) {
  return op.per_conflict || std::ranges::any_of(op.then, [](const Stage& stage) { return stage.per_conflict != 0; });
}

bool takes_transactions(const Op& op) {
  return op.per_transaction ||
         std::ranges::any_of(op.then, [](const Stage& stage) { return stage.per_transaction != 0; });
}

/// Writes the body; knows all instructions in program order, because an edge may point forward.
class BodyWriter {
 public:
  explicit BodyWriter(const Model& model)
      : has_kinds_(model.kernel.kinds),
        ops_(plain_ops(model.device)),
        global_ops_(model.device.levels.empty() ? 0 : global_ops().size()),
        signals_(model.kernel.signals.size()) {
    collect(model.kernel.body);
  }

  Json body(const std::vector<Node>& nodes) {
    Json json = Json::array();
    for (const Node& node : nodes) json.push_back(item(node));
    return json;
  }

 private:
  void collect(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) {
      if (node.kind == Node::Kind::Instruction)
        op_of_.push_back(choose(node.instruction.op, ops_.size() + 1 + global_ops_));
      else
        collect(node.body);
    }
  }

  bool is_barrier(std::size_t instruction) const { return op_of_[instruction] == ops_.size(); }
  bool is_global(std::size_t instruction) const { return op_of_[instruction] > ops_.size(); }

  Json item(const Node& node) {
    if (node.kind == Node::Kind::Instruction) return instruction(node.instruction);
    if (node.kind == Node::Kind::When) {
      const std::vector<std::string> conditions{"1",        "warp == 0",        "warp > 0", "warp < warps / 2",
                                                "warp / 3", "warp >= warps - 1"};
      const bool by_kind = has_kinds_ && node.by_kind;
      return {{"when", by_kind ? "by_warp > " + std::to_string(node.number / 2)
                               : conditions[choose(node.number, conditions.size())]},
              {"body", body(node.body)}};
    }
    Json json{{"loop", "loop" + std::to_string(loops_++)}};
    if (has_kinds_ && node.by_kind)
      json["trip_count"] = "min(few, " + std::to_string(node.number) + ")";
    else if (node.by_warp)
      json["trip_count"] = "min(warp, " + std::to_string(node.number) + ")";
    else
      json["trip_count"] = node.number;
    json["body"] = body(node.body);
    return json;
  }

  Json instruction(const Instruction& instruction) {
    const std::size_t self = written_++;
    Json json{{"id", instruction_name(self)}};
    if (is_barrier(self))
      json["op"] = "barrier";
    else if (is_global(self))
      json["op"] = global_ops()[op_of_[self] - ops_.size() - 1];
    else
      json["op"] = op_name(op_of_[self]);
    for (const Edge& edge : instruction.after) json["after"].push_back(this->edge(edge));
    if (instruction.register_reads > 1) json["register_reads"] = instruction.register_reads;
    if (instruction.stall > 0) json["stall"] = instruction.stall;
    if (instruction.code_bytes > 0) json["code_bytes"] = instruction.code_bytes;
    if (instruction.issue_latency) json["issue_latency"] = cycles(*instruction.issue_latency);
    if (instruction.completion_latency) json["completion_latency"] = cycles(*instruction.completion_latency);
    if (signals_ > 0 && !is_barrier(self)) {
      if (instruction.arrives) json["arrives"] = signal_name(choose(*instruction.arrives, signals_));
      if (instruction.awaits) json["awaits"] = signal_name(choose(*instruction.awaits, signals_));
    }
    if (is_global(self))
      add_ways(json, instruction, true, true);
    else if (const Op* op = is_barrier(self) ? nullptr : &ops_[op_of_[self]])
      add_ways(json, instruction, takes_conflict_degree(*op), takes_transactions(*op));
    return json;
  }

  Json edge(const Edge& edge) const {
    const std::size_t producer = choose(edge.producer, op_of_.size());
    Json json{{"id", instruction_name(producer)}};
    if (edge.back != 1) json["back"] = edge.back;
    if (edge.latency && !is_barrier(producer)) json["latency"] = cycles(*edge.latency);
    return json;
  }

  void add_ways(Json& json, const Instruction& instruction, bool takes_degree, bool takes_transactions) const {
    if (instruction.conflict_degree && takes_degree) json["conflict_degree"] = *instruction.conflict_degree;
    if (instruction.transactions && takes_transactions) {
      json["transactions"] = *instruction.transactions;
      if (has_kinds_ && instruction.by_kind) json["transactions"] = "few + 1";
    }
    if (!instruction.access) return;
    const auto& [width, stride] = *instruction.access;
    json["access"] = {{"width_bytes", width}};
    if (stride == 0)
      json["access"]["pattern"] = "broadcast";
    else
      json["access"]["stride_bytes"] = stride;
  }

  bool has_kinds_;
  std::vector<Op> ops_;
  std::size_t global_ops_, signals_;
  std::vector<std::size_t> op_of_;  // by instruction; ops_.size() is the barrier; ops of global memory follow
  std::size_t written_ = 0;
  int loops_ = 0;
};

/// The second number also depends on the warp: even warps see one more.
Json kinds_json(const KernelModel& kernel, int warp_size) {
  const Kinds& kinds = *kernel.kinds;
  Json json{{"of_group", "group - 4 * floor(group / 4)"}};
  if (!kinds.runs.empty()) json["of_group"] = kinds.runs;
  json["values"] = {{"few", kinds.few}, {"by_warp", Json::array()}};
  const int warps = kernel.threads_more / warp_size + 1;
  for (const int number : kinds.by_warp) {
    Json numbers = Json::array();
    for (int warp = 0; warp < warps; ++warp) numbers.push_back(number + 1 - warp % 2);
    json["values"]["by_warp"].push_back(numbers);
  }
  return json;
}

}  // namespace

std::string kernel_json(const Model& model) {
  const KernelModel& kernel = model.kernel;
  Json json{{"format", "warpipe-kernel"},
            {"version", 1},
            {"name", "random"},
            {"launch",
             {{"group_size", 1 + kernel.threads_more},
              {"groups", kernel.groups},
              {"concurrent_groups", kernel.concurrent_groups}}},
            {"body", BodyWriter(model).body(kernel.body)}};
  for (std::size_t i = 0; i < kernel.signals.size(); ++i)
    json["signals"][signal_name(i)] = {{"arrivals", kernel.signals[i].first}, {"open", kernel.signals[i].second}};
  if (kernel.kinds) json["kinds"] = kinds_json(kernel, model.device.warp_size);
  return json.dump();
}

std::string device_json(const Model& model) {
  const DeviceModel& device = model.device;
  const std::size_t pipelines = device.further_pipelines.size() + 1;
  Json ops;
  const std::vector<Op> plain = plain_ops(device);
  for (std::size_t i = 0; i < plain.size(); ++i) ops[op_name(i)] = op_json(plain[i], pipelines);
  ops["barrier"] = barrier_json(device.barrier, pipelines);
  Json issue{{"interval", cycles(device.interval)},
             {"warp_interval", cycles(device.warp_interval)},
             {"register_read", cycles(device.register_read)},
             {"policy", to_string(device.policy)}};
  for (const FarCode& entry : device.far_code)
    issue["far_code"].push_back({{"bytes", kFarBytes * (issue["far_code"].size() + 1)},
                                 {"warp_interval", entry.warp_interval},
                                 {"interval", cycles(entry.interval)}});
  if (device.schedulers) issue["schedulers"] = *device.schedulers;
  const Json json{{"format", "warpipe-device"},
                  {"version", 1},
                  {"name", "random"},
                  {"compute_units", device.compute_units},
                  {"clock_hz", 1000000000},
                  {"warp_size", device.warp_size},
                  {"issue", issue},
                  {"memory", {{"transaction_bytes", 8}, {"banks", 4}, {"bank_bytes", 4}}},
                  {"group_launch_latency", cycles(device.launch_latency)},
                  {"group_dispatch_interval", cycles(device.dispatch_interval)},
                  {"launch_begin_s", cycles(device.launch_begin) / 1e9},
                  {"launch_end_s", cycles(device.launch_end) / 1e9},
                  {"pipelines", pipelines_json(device)},
                  {"ops", ops}};
  return json.dump();
}

Kernel read_kernel(const Model& model) {
  Kernel kernel = read_kernel_json(kernel_json(model), "random kernel");
  add_level_uses(model, kernel);
  return kernel;
}

Device read_device(const Model& model) {
  Device device = read_device_json(device_json(model), "random device");
  add_levels(model.device, device);
  return device;
}

void showValue(const Model& model, std::ostream& stream) {
  stream << "units: " << (model.all_units ? "all" : "one") << "\nkernel: " << kernel_json(model)
         << "\ndevice: " << device_json(model) << shown_levels(model);
}

}  // namespace warpipe::random_model
