#include "support/random_model.hpp"

/// Changes of all times of a model at once.

namespace warpipe::random_model {
namespace {

template <class Change>
void change_points(Points& points, const Change& change) {
  change(points.first);
  for (auto& [more, time] : points.further) change(time);
}

template <class Change>
void change_increments(std::optional<Increments>& increments, const Change& change) {
  if (!increments) return;
  change(increments->issue);
  change(increments->completion);
}

template <class Change>
void change_op(Op& op, const Change& change) {
  change_points(op.issue, change);
  change_points(op.completion, change);
  change_increments(op.per_conflict, change);
  change_increments(op.per_transaction, change);
  for (Stage& stage : op.then) {
    change_points(stage.issue, change);
    for (Time* time : {&stage.after, &stage.per_conflict, &stage.per_transaction}) change(*time);
  }
}

/// Of whole cycles.
template <class Change>
void change_whole(int& cycles, const Change& change) {
  Time time = cycles * kCycle;
  change(time);
  cycles = static_cast<int>(time / kCycle);
}

template <class Change>
void change_body(std::vector<Node>& body, const Change& change) {
  for (Node& node : body) {
    for (auto* time : {&node.instruction.issue_latency, &node.instruction.completion_latency})
      if (*time) change(**time);
    change_whole(node.instruction.stall, change);
    for (Edge& edge : node.instruction.after)
      if (edge.latency) change(*edge.latency);
    change_body(node.body, change);
  }
}

template <class Visit>
void for_each_op(DeviceModel& device, const Visit& visit) {
  visit(device.barrier);
  visit(device.first_op);
  visit(device.global_op);
  for (Op& op : device.further_ops) visit(op);
}

template <class Change>
void change_levels(DeviceModel& device, const Change& change) {
  for (Level& level : device.levels)
    for (Time* time : {&level.latency, &level.per_line, &level.per_packet}) change(*time);
  if (device.store_latency) change(*device.store_latency);
}

template <class Change>
void change_times(Model& model, const Change& change) {
  DeviceModel& device = model.device;
  for (Time* time : {&device.interval, &device.warp_interval, &device.register_read, &device.launch_latency,
                     &device.dispatch_interval, &device.launch_begin, &device.launch_end})
    change(*time);
  for (FarCode& entry : device.far_code) {
    change_whole(entry.warp_interval, change);
    change(entry.interval);
  }
  for (Pipeline& pipeline : device.further_pipelines)
    if (pipeline.backlog) change(*pipeline.backlog);
  change_levels(device, change);
  for_each_op(device, [&](Op& op) { change_op(op, change); });
  change_body(model.kernel.body, change);
}

}  // namespace

Model in_whole_cycles(Model model) {
  for_each_op(model.device, [](Op& op) {
    op.issue.further.clear();
    op.completion.further.clear();
    for (Stage& stage : op.then) stage.issue.further.clear();
  });
  change_times(model, [](Time& time) { time -= time % kCycle; });
  return model;
}

Model times(Model model, std::int64_t factor) {
  change_times(model, [factor](Time& time) { time *= factor; });
  return model;
}

}  // namespace warpipe::random_model
