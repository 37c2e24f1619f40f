#include "kernel_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "lexer.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::ptx {
namespace {

constexpr std::size_t kMostIntervals = 64;
constexpr std::size_t kMostCopies = 20'000;         // instructions that a loop may be written out to
constexpr std::size_t kMostInstructions = 200'000;  // of a kernel

bool is_branch(const std::string& op) { return op == "branch"; }

std::string shown(const Routine& routine, const Operand& operand) {
  const auto joined = [&](const char* separator) {
    std::string text;
    for (const auto& part : operand.parts) text += (text.empty() ? "" : separator) + shown(routine, part);
    return text;
  };
  switch (operand.kind) {
    case Operand::Kind::Register:
      return (operand.negated ? "!" : "") + routine.registers[operand.reg].name;
    case Operand::Kind::Immediate:
      if (operand.float_bits == 32) return fmt::format("0f{:08X}", operand.bits);
      if (operand.float_bits == 64) return fmt::format("0d{:016X}", operand.bits);
      return fmt::format("{}", static_cast<std::int64_t>(operand.bits));
    case Operand::Kind::Special:
    case Operand::Kind::Symbol:
      return operand.name;
    case Operand::Kind::Address: {
      const auto base = operand.has_register ? routine.registers[operand.reg].name : operand.name;
      return operand.offset == 0 ? fmt::format("[{}]", base) : fmt::format("[{}+{}]", base, operand.offset);
    }
    case Operand::Kind::Vector:
      return fmt::format("{{{}}}", joined(", "));
    case Operand::Kind::Sink:
      return "_";
  }
  return "";
}

Expression expression_of(const std::string& text) {
  static const std::vector<std::string> kVisible{"group_size", "warps", "warp"};
  return Expression::parse(text, kVisible);
}

Warps warps_of(const auto& views) {
  Warps warps;
  for (const auto& view : views) warps.push_back(view.warp);
  return warps;
}

std::string as_name(std::string_view text) {
  std::string name;
  for (const char c : text) name += (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') ? c : '_';
  while (name.starts_with('_')) name.erase(0, 1);
  return name;
}

}  // namespace

std::string to_string(const Routine& routine, const Instruction& instruction) {
  std::string text = instruction.guard ? "@" + shown(routine, *instruction.guard) + " " : std::string();
  text += instruction.name;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i)
    text += (i == 0 ? " " : ", ") + shown(routine, instruction.operands[i]);
  return text;
}

Kernel KernelBuilder::build(const std::vector<std::uint32_t>& warps) {
  Views views;
  for (std::size_t warp = 0; warp < warps.size(); ++warp)
    views.push_back({static_cast<std::int64_t>(warp), warps[warp]});
  note_loops(flow_.regions, kRoot);
  kernel_.body = list(flow_.regions, views);
  find_dependences();
  return std::move(kernel_);
}

void KernelBuilder::note_loops(const std::vector<Region>& regions, std::uint32_t header) {
  for (std::size_t item = 0; item < regions.size(); ++item)
    if (const auto* inner = std::get_if<NaturalLoop>(&regions[item].node)) {
      loop_items_.emplace(header, item);
      note_loops(inner->body, inner->header);
    }
}

std::vector<Item> KernelBuilder::list(const std::vector<Region>& regions, const Views& views) {
  std::vector<Item> items;
  const auto all = warps_of(views);
  for (std::size_t place = 0; place < regions.size(); ++place) {
    Views here;
    for (const auto& view : views) {
      const auto item = execution_.pool.record(view.record).items[place];
      const bool is_block = std::holds_alternative<std::uint32_t>(regions[place].node);
      if (is_block ? item != 0 : item >= 0) here.push_back(view);
    }
    if (here.empty()) continue;
    // Whoever goes round a side waits for its branch, too.
    const auto waiting = branches_;
    std::vector<Item> body;
    if (const auto* index = std::get_if<std::uint32_t>(&regions[place].node)) block(*index, here, body);
    if (const auto* inner = std::get_if<NaturalLoop>(&regions[place].node)) loop(*inner, place, here, body);
    if (here.size() != views.size()) branches_.insert(waiting.begin(), waiting.end());
    under(warps_of(here), all, std::move(body), items);
  }
  return items;
}

void KernelBuilder::under(const Warps& some, const Warps& all, std::vector<Item> body, std::vector<Item>& items) const {
  if (body.empty()) return;
  if (some.size() == all.size()) {
    std::ranges::move(body, std::back_inserter(items));
    return;
  }
  const auto condition = expression_of(warp_condition(some, all));
  if (auto* last = items.empty() ? nullptr : std::get_if<When>(&items.back().node);
      last && last->condition == condition) {
    std::ranges::move(body, std::back_inserter(last->body));
    return;
  }
  When when;
  when.condition = condition;
  when.body = std::move(body);
  items.push_back({std::move(when)});
}

void KernelBuilder::block(std::uint32_t index, const Views& views, std::vector<Item>& items) {
  for (const auto i : schedule_.blocks[index]) instruction(i, views, items);
}

std::string KernelBuilder::unique(std::string name, std::map<std::string, int>& used) const {
  const int number = ++used[name];
  return number == 1 ? name : fmt::format("{}_{}", name, number);
}

std::string KernelBuilder::text_of(std::uint32_t index) const {
  const auto& instruction = routine_.instructions[index];
  const auto file = routine_.sources.find(instruction.source.file);
  const auto text = to_string(routine_, instruction);
  if (instruction.source.line == 0 || file == routine_.sources.end()) return text;
  return fmt::format("{}:{}: {}", std::filesystem::path(file->second).filename().string(), instruction.source.line,
                     text);
}

void KernelBuilder::instruction(std::uint32_t index, const Views& views, std::vector<Item>& items) {
  const auto& lowered = lowered_.instructions[index];
  if (lowered.gone || lowered.ops.empty()) return;
  if (kernel_.instructions.size() + lowered.ops.size() > kMostInstructions)
    throw InputError(
        Diagnostic{routine_.file,
                   fmt::format("a kernel has at most {} instructions with its loops written out", kMostInstructions),
                   "found more", "import it for a smaller launch"});
  const auto& read = routine_.instructions[index];
  std::optional<std::size_t> previous;
  for (const auto& op : lowered.ops) {
    const auto number = kernel_.instructions.size();
    warpipe::Instruction made;
    made.id = unique(fmt::format("{}_{}", as_name(op), read.line), ids_);
    made.op = op;
    made.text = text_of(index);
    made.where = "/" + made.id;
    factors(made, index, views);
    kernel_.instructions.push_back(std::move(made));
    items.push_back({number});
    if (previous) {
      further_[number].insert(*previous);
    } else {
      firsts_.emplace_back(number, index);
    }
    further_[number].insert(branches_.begin(), branches_.end());
    branches_.clear();
    previous = number;
  }
  copies_[index].push_back(*previous);
  if (is_branch(lowered.ops.back())) branches_ = {*previous};
}

void KernelBuilder::sources(std::uint32_t record, std::set<std::uint32_t>& result) const {
  if (!result.insert(record).second) return;
  const auto merged = averaged_from_.find(record);
  if (merged == averaged_from_.end()) return;
  for (const auto source : merged->second) sources(source, result);
}

/// Transactions or the conflict degree, as measured by the slice.
void KernelBuilder::factors(warpipe::Instruction& made, std::uint32_t index, const Views& views) const {
  const bool local = made.op.starts_with("local."), global = made.op.starts_with("global.");
  if ((!local && !global) || !is_access(routine_.instructions[index])) return;
  std::set<std::uint32_t> records;
  for (const auto& view : views) sources(view.record, records);
  AccessStatistics statistics;
  for (const auto record : records) {
    const auto found = execution_.accesses.find({record, index});
    if (found != execution_.accesses.end()) statistics.add(found->second);
  }
  if (statistics.executions == 0) return;
  const auto mean = [&](const Spread& spread) {
    return std::max(1.0, std::round(spread.sum / static_cast<double>(statistics.executions)));
  };
  if (global) {
    made.transactions = Expression(mean(statistics.segments));
    return;
  }
  const auto& read = routine_.instructions[index];
  if (!statistics.strided) {
    made.conflict_degree = Expression(mean(statistics.conflict_degree));
    return;
  }
  AccessPattern access;
  access.width_bytes = Expression(read.type().bits / 8 * read.vector_length());
  if (statistics.stride == 0)
    access.lanes = AccessPattern::Broadcast{};
  else
    access.lanes = AccessPattern::Strided{Expression(static_cast<double>(statistics.stride))};
  made.access = std::move(access);
}

void KernelBuilder::loop(const NaturalLoop& loop, std::size_t place, const Views& views, std::vector<Item>& items) {
  std::map<std::int64_t, LoopTrace> traces;
  for (const auto& view : views)
    traces[view.warp] = execution_.pool.trace(execution_.pool.record(view.record).items[place]);
  if (loop_with_table(loop, traces, items)) return;
  const auto most =
      std::clamp<std::size_t>(kMostCopies / std::max<std::size_t>(1, size_of(loop.body)), 2, kMostIntervals);
  auto parts = intervals(traces);
  if (parts.size() > most) parts = by_kind(parts);
  if (parts.size() > most) parts = averaged(loop, traces);
  const auto all = warps_of(views);
  for (const auto& part : parts) {
    Views here;
    for (const auto& [warp, record] : part.records) here.push_back({warp, record});
    std::vector<Item> body;
    const auto waiting = branches_;
    repeat(loop, Expression(static_cast<double>(part.passes)), here, body);
    if (here.size() != all.size()) branches_.insert(waiting.begin(), waiting.end());
    under(warps_of(here), all, std::move(body), items);
  }
}

/// Where every warp does the same thing in all of its passes, only their number may differ.
bool KernelBuilder::loop_with_table(const NaturalLoop& loop, const std::map<std::int64_t, LoopTrace>& traces,
                                    std::vector<Item>& items) {
  std::map<std::int64_t, std::int64_t> trips;
  Views views;
  for (const auto& [warp, trace] : traces) {
    if (trace.size() != 1) return false;
    trips[warp] = trace.front().second;
    views.push_back({warp, trace.front().first});
  }
  repeat(loop, expression_of(warp_table(trips)), views, items);
  return true;
}

void KernelBuilder::repeat(const NaturalLoop& loop, Expression trips, const Views& views, std::vector<Item>& items) {
  const auto first = kernel_.instructions.size();
  auto body = list(loop.body, views);
  if (body.empty()) return;
  if (trips == Expression(1)) {
    std::ranges::move(body, std::back_inserter(items));
    return;
  }
  // The first instruction also waits for the branch that came back to it.
  further_[first].insert(branches_.begin(), branches_.end());
  Loop made;
  made.name = unique("loop_" + as_name(loop.label), loops_);
  made.trip_count = std::move(trips);
  made.body = std::move(body);
  made.where = "/" + made.name;
  items.push_back({std::move(made)});
}

std::vector<KernelBuilder::Interval> KernelBuilder::intervals(const std::map<std::int64_t, LoopTrace>& traces) const {
  struct Cursor {
    const LoopTrace* trace;
    std::size_t run = 0;
    std::int64_t left = 0;
  };
  std::map<std::int64_t, Cursor> cursors;
  for (const auto& [warp, trace] : traces) cursors[warp] = {&trace, 0, trace.empty() ? 0 : trace.front().second};
  std::vector<Interval> result;
  while (true) {
    Interval interval;
    interval.passes = INT64_MAX;
    for (const auto& [warp, cursor] : cursors) {
      if (cursor.run == cursor.trace->size()) continue;
      interval.records[warp] = (*cursor.trace)[cursor.run].first;
      interval.passes = std::min(interval.passes, cursor.left);
    }
    if (interval.records.empty()) return result;
    for (auto& [warp, cursor] : cursors) {
      if (cursor.run == cursor.trace->size()) continue;
      cursor.left -= interval.passes;
      if (cursor.left == 0 && ++cursor.run < cursor.trace->size()) cursor.left = (*cursor.trace)[cursor.run].second;
    }
    if (!result.empty() && result.back().records == interval.records)
      result.back().passes += interval.passes;
    else
      result.push_back(std::move(interval));
  }
}

/// The same passes, those of one kind together: in another order, as often.
std::vector<KernelBuilder::Interval> KernelBuilder::by_kind(const std::vector<Interval>& parts) const {
  std::vector<Interval> result;
  std::map<std::map<std::int64_t, std::uint32_t>, std::size_t> place_of;
  for (const auto& part : parts) {
    const auto [place, is_new] = place_of.emplace(part.records, result.size());
    if (is_new) result.push_back({part.records, 0});
    result[place->second].passes += part.passes;
  }
  return result;
}

std::vector<KernelBuilder::Interval> KernelBuilder::averaged(const NaturalLoop& loop,
                                                             const std::map<std::int64_t, LoopTrace>& traces) {
  notes_.insert(fmt::format(
      "the passes of the loop at {} differ too much to be written out: an average pass stands for all", loop.label));
  std::map<std::int64_t, LoopTrace> means;
  for (const auto& [warp, trace] : traces) {
    std::vector<std::pair<std::uint32_t, double>> weights;
    std::int64_t passes = 0;
    for (const auto& [record, count] : trace) {
      weights.emplace_back(record, static_cast<double>(count));
      passes += count;
    }
    means[warp] = {{average(weights), passes}};
  }
  return intervals(means);
}

/// A record in which a block runs where it did in half of the passes, and a loop as often as on average.
std::uint32_t KernelBuilder::average(const std::vector<std::pair<std::uint32_t, double>>& records) {
  PassRecord mean = execution_.pool.record(records.front().first);
  const auto total = std::accumulate(records.begin(), records.end(), 0.0,
                                     [](double sum, const auto& one) { return sum + one.second; });
  for (std::size_t item = 0; item < mean.items.size(); ++item) {
    double ran = 0, passes = 0;
    std::vector<std::pair<std::uint32_t, double>> inner;
    for (const auto& [record, weight] : records)
      if (execution_.pool.record(record).items[item] > 0) ran += weight;
    if (!loop_items_.contains({mean.header, item})) {
      mean.items[item] = 2 * ran >= total ? 1 : 0;
      continue;
    }
    for (const auto& [record, weight] : records) {
      const auto trace = execution_.pool.record(record).items[item];
      if (trace < 0) continue;
      for (const auto& [pass, count] : execution_.pool.trace(trace)) {
        inner.emplace_back(pass, weight * static_cast<double>(count));
        passes += weight * static_cast<double>(count);
      }
    }
    const auto trips = static_cast<std::int64_t>(std::llround(passes / total));
    mean.items[item] =
        trips == 0 ? std::int64_t{-1} : std::int64_t{execution_.pool.add(LoopTrace{{average(inner), trips}})};
  }
  const auto made = execution_.pool.add(std::move(mean));
  for (const auto& [record, weight] : records) averaged_from_[made].push_back(record);
  return made;
}

std::size_t KernelBuilder::size_of(const std::vector<Region>& regions) const {
  std::size_t size = 0;
  for (const auto& region : regions) {
    if (const auto* index = std::get_if<std::uint32_t>(&region.node))
      size += flow_.blocks[*index].last - flow_.blocks[*index].first;
    if (const auto* inner = std::get_if<NaturalLoop>(&region.node)) size += size_of(inner->body);
  }
  return size;
}

void KernelBuilder::find_dependences() {
  for (const auto& [number, index] : firsts_)
    for (const auto producer : lowered_.instructions[index].after)
      for (const auto copy : copies_[producer]) further_[number].insert(copy);
  for (const auto& [number, producers] : further_)
    for (const auto producer : producers)
      kernel_.instructions[number].after.push_back({producer, Expression(1), std::nullopt});
}

}  // namespace warpipe::ptx
