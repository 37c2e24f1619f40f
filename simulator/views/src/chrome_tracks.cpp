#include "chrome_tracks.hpp"

#include <fmt/format.h>

#include "warpipe/idg/json_writer.hpp"

namespace warpipe {

std::string json_text(const std::string& text) {
  std::string json = JsonWriter(JsonWriter::Layout::OneLine).value(text).text();
  json.pop_back();  // the newline
  return json;
}

void ChromeTracks::declare_process(std::size_t process) {
  if (!declared_.emplace(process, true).second) return;
  const bool is_unit = process < static_cast<std::size_t>(trace_.launch.program.machine.units);
  const std::string name = is_unit ? fmt::format("unit {}", process) : "device";
  events_ += fmt::format(
      "{{\"ph\": \"M\", \"pid\": {}, \"name\": \"process_name\", \"args\": {{\"name\": \"{}\"}}}},\n"
      "{{\"ph\": \"M\", \"pid\": {}, \"name\": \"process_sort_index\", \"args\": {{\"sort_index\": {}}}}},\n",
      process + 1, name, process + 1, process);
}

std::string ChromeTracks::find(const Key& key, const std::string& name) {
  const auto [kind, process, number] = key;
  const auto [entry, is_new] = threads_.emplace(key, std::string());
  if (!is_new) return entry->second;
  declare_process(process);
  entry->second = fmt::format("\"pid\": {}, \"tid\": {}", process + 1, threads_.size());
  const std::size_t order = (static_cast<std::size_t>(kind) << 24) + number;
  events_ += fmt::format(
      "{{\"ph\": \"M\", {}, \"name\": \"thread_name\", \"args\": {{\"name\": {}}}}},\n"
      "{{\"ph\": \"M\", {}, \"name\": \"thread_sort_index\", \"args\": {{\"sort_index\": {}}}}},\n",
      entry->second, json_text(name), entry->second, order);
  return entry->second;
}

std::string ChromeTracks::of_slot(std::size_t unit, std::size_t slot) {
  return find({Kind::Slot, unit, slot}, fmt::format("slot {}", slot));
}

std::string ChromeTracks::of_warp(std::size_t warp_slot) {
  const Program& program = trace_.launch.program;
  const WarpSlot at = warp_slot_of(program, warp_slot);
  return find({Kind::Warp, at.unit, at.slot * warps_per_group(program) + at.warp},
              fmt::format("slot {} warp {}", at.slot, at.warp));
}

std::string ChromeTracks::of_pipeline(std::size_t pipeline, std::size_t warp_slot) {
  const Machine& machine = trace_.launch.program.machine;
  const WarpSlot at = warp_slot_of(trace_.launch.program, warp_slot);
  const std::string name = "pipeline " + trace_.launch.device.pipelines[pipeline].name;
  const auto schedulers = static_cast<std::size_t>(std::max<std::int64_t>(machine.schedulers, 1));
  const Scope scope = machine.pipelines[pipeline].scope;
  if (scope == Scope::Device)
    return find({Kind::Pipeline, static_cast<std::size_t>(machine.units), pipeline * schedulers}, name);
  if (scope == Scope::ComputeUnit || machine.schedulers == 0)
    return find({Kind::Pipeline, at.unit, pipeline * schedulers}, name);
  return find({Kind::Pipeline, at.unit, pipeline * schedulers + at.scheduler},
              fmt::format("{}, scheduler {}", name, at.scheduler));
}

}  // namespace warpipe
