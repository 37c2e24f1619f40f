#include "kernel_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "instruction_text.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::ptx {
namespace {

constexpr std::size_t kMostInstructions = 200'000;  // of a kernel

bool is_branch(const std::string& op) { return op == "branch"; }

}  // namespace

Expression expression_of(const std::string& text) {
  static const std::vector<std::string> kVisible{"group_size", "warps", "warp"};
  return Expression::parse(text, kVisible);
}

Warps KernelBuilder::warps_of(const Views& views) {
  Warps warps;
  for (const auto& view : views) warps.push_back(view.warp);
  return warps;
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

void KernelBuilder::find_dependences() {
  for (const auto& [number, index] : firsts_)
    for (const auto producer : lowered_.instructions[index].after)
      for (const auto copy : copies_[producer]) further_[number].insert(copy);
  for (const auto& [number, producers] : further_)
    for (const auto producer : producers)
      kernel_.instructions[number].after.push_back({producer, Expression(1), std::nullopt});
}

}  // namespace warpipe::ptx
