#include "warpipe/views/path_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "json_writer.hpp"
#include "numbers.hpp"
#include "text_table.hpp"

namespace warpipe {
namespace {

using Align = TextTable::Align;

constexpr std::size_t kMostParts = 12;      // rows shown; JSON has all
constexpr std::size_t kMostStretches = 24;  // likewise, half from the start and half from the end

double share_of(Ticks time, const FollowedPath& path) {
  const Ticks cycles = path.prediction.cycles;
  return cycles == Ticks{} ? 0 : to_cycles(time).count / to_cycles(cycles).count;
}

std::string described(const PathPart& part) {
  const std::string name = to_string(part.edge);
  switch (part.edge) {
    case PathEdge::Pipeline:
      return fmt::format("{} {}: busy with {}", name, part.pipeline, part.instruction);
    case PathEdge::Transit:
      return fmt::format("{} of {} to {}", name, part.instruction, part.pipeline);
    case PathEdge::Backlog:
      return fmt::format("{}: {}, behind {}", name, part.pipeline, part.instruction);
    case PathEdge::Scheduler:
      return fmt::format("{}: busy with {}", name, part.instruction);
    case PathEdge::Barrier:
      return fmt::format("{} {}", name, part.instruction);
    case PathEdge::Interval:
      return fmt::format("{} after {}", name, part.instruction);
    case PathEdge::Result:
    case PathEdge::Drain:
      return fmt::format("{} of {}", name, part.instruction);
    case PathEdge::Launch:
    case PathEdge::Dispatch:
      break;
  }
  return name;
}

std::string parts_table(const FollowedPath& path) {
  TextTable table({{"Critical path", Align::Left}, {"share"}, {"cycles"}, {"links"}});
  const std::size_t shown = std::min(path.parts.size(), kMostParts);
  for (const PathPart& part : std::span(path.parts).first(shown))
    table.add({"  " + described(part), show_percent(share_of(part.time, path)), format_cycles(part.time),
               fmt::format("{}", part.links)});
  Ticks rest;
  std::int64_t links = 0;
  for (const PathPart& part : std::span(path.parts).subspan(shown)) {
    rest = checked_add(rest, part.time);
    links += part.links;
  }
  if (shown < path.parts.size())
    table.add({fmt::format("  {} more", path.parts.size() - shown), show_percent(share_of(rest, path)),
               format_cycles(rest), fmt::format("{}", links)});
  return table.text();
}

std::string changes_line(const FollowedPath& path) {
  std::int64_t all = 0;
  std::vector<std::string> by_edge;
  for (std::size_t i = 0; i < kPathEdges; ++i) {
    all += path.warp_changes[i];
    if (path.warp_changes[i] > 0)
      by_edge.push_back(fmt::format("{} {}", to_string(static_cast<PathEdge>(i)), path.warp_changes[i]));
  }
  if (all == 0) return fmt::format("  {} links, all in one warp.\n", path.links);
  return fmt::format("  {} links; it goes to another warp {} times: {}.\n", path.links, all, fmt::join(by_edge, ", "));
}

/// "index -> load_x: result"; a group where no instruction is at an end of it.
std::string described(const PathStretch& stretch) {
  if (stretch.omitted) return "... stretches left out";
  if (!stretch.body.empty()) return fmt::format("{} times:", stretch.comes);
  const auto name = [](const std::string& instruction) { return instruction.empty() ? "group" : instruction; };
  return fmt::format("{} -> {}: {}{}{}", name(stretch.cause), name(stretch.effect), to_string(stretch.edge),
                     stretch.pipeline.empty() ? "" : " ", stretch.pipeline);
}

void add(TextTable& table, const PathStretch& stretch, std::size_t depth) {
  const bool inside = depth > 0;
  table.add({std::string(2 * depth + 2, ' ') + described(stretch), fmt::format("{}", stretch.links),
             format_cycles(stretch.time), inside ? "" : format_cycles(stretch.from),
             inside ? "" : format_cycles(stretch.to)});
  for (const PathStretch& each : stretch.body) add(table, each, depth + 1);
}

std::string chain_table(const FollowedPath& path) {
  TextTable table({{"Chain", Align::Left}, {"links"}, {"cycles"}, {"from"}, {"to"}});
  const std::size_t all = path.chain.size();
  const std::size_t half = kMostStretches / 2;
  PathStretch left_out;
  left_out.omitted = true;
  for (std::size_t i = 0; i < all; ++i) {
    const bool shown = all <= kMostStretches || i < half || i >= all - half;
    if (shown) {
      if (left_out.links > 0 && i == all - half) add(table, left_out, 0);
      add(table, path.chain[i], 0);
      continue;
    }
    if (left_out.links == 0) left_out.from = path.chain[i].from;
    left_out.links += path.chain[i].links;
    left_out.time = checked_add(left_out.time, path.chain[i].time);
    left_out.to = path.chain[i].to;
  }
  return table.text();
}

void write_stretches(JsonWriter& json, const std::vector<PathStretch>& stretches) {
  json.begin_array();
  for (const PathStretch& stretch : stretches) {
    json.begin_object();
    if (stretch.omitted) {
      json.member("omitted", true);
    } else if (stretch.body.empty()) {
      json.member("edge", to_string(stretch.edge)).member("cause", stretch.cause).member("effect", stretch.effect);
      if (!stretch.pipeline.empty()) json.member("pipeline", stretch.pipeline);
    } else {
      json.member("comes", stretch.comes);
    }
    json.member("links", stretch.links).member("from_cycles", stretch.from).member("to_cycles", stretch.to);
    json.member("cycles", stretch.time);
    if (!stretch.body.empty()) write_stretches(json.key("body"), stretch.body);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string write_path_text(const FollowedPath& path) {
  return fmt::format("{}{}\n{}", parts_table(path), changes_line(path), chain_table(path));
}

std::string path_json(const FollowedPath& path) {
  JsonWriter json(JsonWriter::Layout::Indented, 1);
  json.begin_object().key("parts").begin_array();
  for (const PathPart& part : path.parts) {
    json.begin_object().member("edge", to_string(part.edge)).member("instruction", part.instruction);
    json.member("pipeline", part.pipeline).member("links", part.links).member("cycles", part.time).end_object();
  }
  json.end_array().member("links", path.links).key("warp_changes").begin_object();
  for (std::size_t i = 0; i < kPathEdges; ++i)
    if (path.warp_changes[i] > 0) json.member(to_string(static_cast<PathEdge>(i)), path.warp_changes[i]);
  write_stretches(json.end_object().key("chain"), path.chain);
  return json.end_object().value_text();
}

}  // namespace warpipe
