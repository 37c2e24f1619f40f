#include "warpipe/views/path_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "warpipe/idg/json_writer.hpp"
#include "warpipe/views/numbers.hpp"
#include "warpipe/views/text_table.hpp"

namespace warpipe {
namespace {

using Align = TextTable::Align;

constexpr std::size_t kMostParts = 5;       // instructions shown of each kind; JSON has all
constexpr std::size_t kMostStretches = 24;  // likewise, half from the start and half from the end

/// Parts of the same kind: of the same edge, and of the same pipeline where the edge has pipelines.
struct Kind {
  std::string name;
  Ticks time;
  std::int64_t links = 0;
  std::vector<const PathPart*> parts;  ///< the longest first
};

void add(Kind& kind, const PathPart& part) {
  kind.time = checked_add(kind.time, part.time);
  kind.links += part.links;
}

/// The longest first.
std::vector<Kind> kinds_of(const FollowedPath& path) {
  std::vector<Kind> kinds;
  for (const PathPart& part : path.parts) {
    const std::string name =
        part.pipeline.empty() ? to_string(part.edge) : fmt::format("{} {}", to_string(part.edge), part.pipeline);
    auto kind = std::ranges::find(kinds, name, &Kind::name);
    if (kind == kinds.end()) {
      kinds.push_back({name, {}, 0, {}});
      kind = kinds.end() - 1;
    }
    add(*kind, part);
    kind->parts.push_back(&part);
  }
  std::ranges::stable_sort(kinds, std::ranges::greater{}, &Kind::time);
  return kinds;
}

std::string parts_table(const FollowedPath& path) {
  TextTable table({{"Critical path", Align::Left}, {"share"}, {"cycles"}, {"links"}});
  const auto row = [&](const std::string& name, Ticks time, std::int64_t links) {
    table.add({name, show_percent(share(time, path.cycles)), format_cycles(time), fmt::format("{}", links)});
  };
  for (const Kind& kind : kinds_of(path)) {
    row("  " + kind.name, kind.time, kind.links);
    const std::size_t shown = kind.parts.size() <= kMostParts + 1 ? kind.parts.size() : kMostParts;
    for (const PathPart* part : std::span(kind.parts).first(shown))
      if (!part->instruction.empty()) row("    " + part->instruction, part->time, part->links);
    Kind rest;
    for (const PathPart* part : std::span(kind.parts).subspan(shown)) add(rest, *part);
    if (shown < kind.parts.size()) row(fmt::format("    {} more", kind.parts.size() - shown), rest.time, rest.links);
  }
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
