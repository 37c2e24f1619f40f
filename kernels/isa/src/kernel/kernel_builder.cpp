#include "kernel/kernel_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>

#include "kernel/addressed_costs.hpp"
#include "lanes/access_cost.hpp"
#include "program/effort.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/op.hpp"

namespace warpipe::isa {
namespace {

constexpr std::string_view kConstantLoad = "constant.load";
constexpr const char* kFloatAtomic = "global.atomic.float";

bool is_branch(const std::string& op) { return op == "branch"; }

/// Whether warps of a record go through the region at a place of its list.
bool goes_through(const TraceRecord& record, const std::vector<Region>& regions, std::size_t place) {
  const auto item = record.items[place];
  return std::holds_alternative<std::uint32_t>(regions[place].node) ? item != 0 : item >= 0;
}

/// The op of a branch: back to the header of a loop, taken to another place, or passed by its warps.
/// @param jumps  no warp goes through the region after it
std::string form_of_branch(const Instruction& read, std::uint32_t index, bool jumps) {
  if (read.targets.empty()) return "branch";
  if (std::ranges::any_of(read.targets, [&](std::uint32_t target) { return target <= index; })) return "branch.back";
  return jumps || !read.guard ? "branch.taken" : "branch";
}

}  // namespace

std::string as_name(std::string_view text) {
  std::string name;
  for (const char c : text) name += (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') ? c : '_';
  while (name.starts_with('_')) name.erase(0, 1);
  return name;
}

Expression expression_of(const std::string& text) {
  static const std::vector<std::string> kVisible{"group_size", "warps", "warp"};
  return Expression::parse(text, kVisible);
}

Slots KernelBuilder::slots_of(const Views& views) {
  Slots slots;
  for (const auto& view : views) slots.insert(slots.end(), view.slots.begin(), view.slots.end());
  std::ranges::sort(slots);
  return slots;
}

Kernel KernelBuilder::build() {
  Views views;
  std::map<std::uint32_t, std::size_t> view_of;
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind)
    for (std::size_t warp = 0; warp < kinds_[kind].warps.size(); ++warp) {
      const auto record = kinds_[kind].warps[warp];
      const auto [place, is_new] = view_of.emplace(record, views.size());
      if (is_new) views.push_back({record, {}});
      views[place->second].slots.push_back(values_.slot(kind, static_cast<std::int64_t>(warp)));
    }
  kernel_.body = list(flow_.regions, views);
  find_dependences();
  addresses_.write(accesses_, kernel_);
  leave_out_counts();
  if (!values_.columns().empty()) kernel_.kinds = GroupKinds{{}, values_.columns()};
  return std::move(kernel_);
}

std::vector<Item> KernelBuilder::list(const std::vector<Region>& regions, const Views& views) {
  std::vector<Item> items;
  const auto all = slots_of(views);
  for (std::size_t place = 0; place < regions.size(); ++place) {
    const auto* index = std::get_if<std::uint32_t>(&regions[place].node);
    const auto* inner = std::get_if<NaturalLoop>(&regions[place].node);
    Views here;
    for (const auto& view : views)
      if (goes_through(survey_.pool.record(view.record), regions, place)) here.push_back(view);
    if (here.empty()) continue;
    std::vector<Item> body;
    if (index != nullptr) block(*index, passes_over(regions, place + 1, here), here, body);
    if (inner != nullptr) loop(*inner, place, here, body);
    const auto first = flow_.blocks[index != nullptr ? *index : inner->header].first;
    under(slots_of(here), all, place_name(program_, first), std::move(body), items);
  }
  return items;
}

bool KernelBuilder::passes_over(const std::vector<Region>& regions, std::size_t place, const Views& views) const {
  return place < regions.size() && std::ranges::none_of(views, [&](const View& view) {
           return goes_through(survey_.pool.record(view.record), regions, place);
         });
}

void KernelBuilder::under(const Slots& some, const Slots& all, const std::string& what, std::vector<Item> body,
                          std::vector<Item>& items) {
  if (body.empty()) return;
  if (some.size() == all.size()) {
    std::ranges::move(body, std::back_inserter(items));
    return;
  }
  const auto condition = values_.condition(some, all, "runs_" + as_name(what));
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

void KernelBuilder::block(std::uint32_t index, bool jumps, const Views& views, std::vector<Item>& items) {
  for (const auto i : plan_.order[index]) {
    const auto reaching = reaching_views(i, views);
    if (reaching.empty()) continue;
    std::vector<Item> body;
    instruction(i, jumps, reaching, body);
    under(slots_of(reaching), slots_of(views), fmt::format("line_{}", program_.instructions[i].line), std::move(body),
          items);
  }
}

/// Views of warps with an active lane by the predicate: an access to global memory without an active lane moves
/// nothing.
KernelBuilder::Views KernelBuilder::reaching_views(std::uint32_t index, const Views& views) const {
  if (!may_idle(program_.instructions[index])) return views;
  Views reaching;
  for (const auto& view : views)
    if (std::ranges::count(survey_.pool.record(view.record).idle, index) == 0) reaching.push_back(view);
  return reaching;
}

std::string KernelBuilder::unique(std::string name, std::map<std::string, int>& used) const {
  const int number = ++used[name];
  return number == 1 ? name : fmt::format("{}_{}", name, number);
}

std::string KernelBuilder::text_of(std::uint32_t index) const {
  const auto source = source_of(program_, index);
  return (source.empty() ? "" : source + ": ") + program_.instructions[index].text;
}

void KernelBuilder::instruction(std::uint32_t index, bool jumps, const Views& views, std::vector<Item>& items) {
  const auto& read = program_.instructions[index];
  const auto& ops = read.ops;
  if (plan_.left_out[index] || ops.empty()) return;
  if (kernel_.instructions.size() + ops.size() > kEffort.instructions)
    throw InputError(
        Diagnostic{program_.file,
                   fmt::format("a kernel has at most {} instructions with its loops written out", kEffort.instructions),
                   "found more", "import it for a smaller launch"});
  std::vector<Item> round;
  auto& issued = retries(read) ? round : items;
  std::optional<std::size_t> previous;
  for (const auto& op : ops) {
    const auto number = kernel_.instructions.size();
    warpipe::Instruction made;
    made.id = unique(fmt::format("{}_{}", as_name(op), read.line), ids_);
    made.op = is_branch(op) ? form_of_branch(read, index, jumps) : op;
    made.text = text_of(index);
    made.where = "/" + made.id;
    if (const auto bytes = code_.of_block[flow_.block_of[index]]; bytes > kNearCode)
      made.code_bytes = static_cast<std::int64_t>(bytes);
    factors(made, index, views);
    note_access(made, number, index, views);
    kernel_.instructions.push_back(std::move(made));
    issued.push_back({number});
    if (previous) wait_for(number, *previous);
    previous = number;
  }
  if (read.stall > 1) kernel_.instructions.back().stall = read.stall;  // a scheduler takes a cycle for each
  const auto first = kernel_.instructions.size() - ops.size();
  const auto slots = slots_of(views);
  wait_for_branches(first, slots);
  if (retries(read)) {
    wait_for(first, *previous);  // the branch back
    items.push_back({rounds_of(index, views, std::move(round))});
  }
  copies_.add(index, first, *previous, slots);
  if (read.barrier) barrier_uses_.push_back({index, first, *previous});
  if (is_branch(ops.back())) branches_[*previous] = slots;
}

/// A loop of an atomic's instructions: in each round a single lane of the lanes that meet on a word gets through.
Loop KernelBuilder::rounds_of(std::uint32_t index, const Views& views, std::vector<Item> body) {
  Loop made;
  made.name = unique(fmt::format("retries_{}", program_.instructions[index].line), loops_);
  made.trip_count = Expression(1);
  if (measured(index, views).accesses.executions > 0)
    made.trip_count = mean_of_kinds(index, views, &AccessStatistics::rounds, "rounds_");
  made.body = std::move(body);
  made.where = "/" + made.name;
  return made;
}

const MeasuredRecords::Measured& KernelBuilder::measured(std::uint32_t index, const Views& views) {
  std::vector<std::uint32_t> records;
  for (const auto& view : views) records.push_back(view.record);
  return measured_.of(index, records);
}

/// Remembers an access to memory behind caches.
void KernelBuilder::note_access(const warpipe::Instruction& made, std::size_t number, std::uint32_t index,
                                const Views& views) {
  if (!program_.instructions[index].access || class_of(made.op) != OpClass::GlobalMemory) return;
  const auto& found = measured(index, views);
  if (found.accesses.executions == 0) return;
  auto& copy = accesses_.emplace_back(AccessCopy{number, index, slots_of(views), {around_.begin(), around_.end()}});
  const auto always = [&](const Spread& of) {
    return found.idle == 0 && of.least == of.most ? std::optional(of.most) : std::nullopt;
  };
  copy.sectors = always(found.accesses.segments);
  copy.lines = always(found.accesses.lines);
  copy.turns = always(found.accesses.turns);
}

/// Leaves out the counts of an access where its address gives them: on another device they are different.
void KernelBuilder::leave_out_counts() {
  AddressedCosts costs(kernel_, input_.launch, program_.lanes, input_.sizes);
  for (const auto& copy : accesses_) {
    auto& made = kernel_.instructions[copy.instruction];
    const auto found = costs.of(made, [&](const std::string& name) { return values_.columns().contains(name); });
    if (!found || addresses_.reports().at(copy.index).idle > 0) continue;
    if (copy.lines == found->lines) made.lines.reset();
    if (copy.sectors != found->sectors) continue;
    made.transactions.reset();
    if (copy.turns == found->sectors) made.turns.reset();
  }
}

bool gives_counts(const Kernel& kernel) {
  return std::ranges::any_of(kernel.instructions, [](const warpipe::Instruction& one) {
    if (class_of(one.op) == OpClass::SharedMemory) return one.conflict_degree.has_value();
    return class_of(one.op) == OpClass::GlobalMemory && (one.transactions || one.lines || one.turns);
  });
}

/// Transactions, lines or the conflict degree, as measured by the slice.
void KernelBuilder::factors(warpipe::Instruction& made, std::uint32_t index, const Views& views) {
  const OpClass op_class = class_of(made.op);
  const bool global = op_class == OpClass::GlobalMemory;
  const auto& read = program_.instructions[index];
  if (!read.level.empty() && global) {
    const auto sector = input_.sizes.sector_bytes;
    made.transactions = Expression(static_cast<double>((read.transactions * kSectorBytes + sector - 1) / sector));
    made.levels = {{read.level, Expression(1), std::nullopt}};
    return;
  }
  if (op_class == OpClass::TextureMemory) {
    made.transactions = Expression(std::max(1, read.texture_turns));
    return;
  }
  made.register_reads = read.register_reads;
  if (read.transactions > 1 && !global) made.transactions = Expression(read.transactions);
  const auto& reached = read.access;
  if (!reached) return;
  const auto& statistics = measured(index, views).accesses;
  if (statistics.executions == 0) return;
  if (made.op == kConstantLoad) constant_words(made, index, views);
  if (op_class == OpClass::SharedMemory) passes(made, index, views);
  if (!global) return;
  made.transactions = mean_of_kinds(index, views, &AccessStatistics::segments, "segments_");
  made.lines = mean_of_kinds(index, views, &AccessStatistics::lines, "lines_");
  if (const auto ways = ways_of_atomic(index); ways > 1) made.conflict_degree = Expression(static_cast<double>(ways));
  if (reached->kind == Access::Kind::Atomic)
    made.turns = mean_of_kinds(index, views, &AccessStatistics::turns, "turns_");
  if (reached->adds_floats && is_at_one_word(index)) made.op = kFloatAtomic;
}

/// Whether all executions of the launch go to the same word, as their address tells.
bool KernelBuilder::is_at_one_word(std::uint32_t index) const {
  const auto& [forms, accesses] = std::tie(survey_.forms.forms, survey_.forms.accesses);
  const auto access = std::ranges::find(accesses, index, &AccessForm::instruction);
  return access != accesses.end() && forms.is_known(access->address) && forms.variables(access->address).empty();
}

/// The op stands for a single word.
void KernelBuilder::constant_words(warpipe::Instruction& made, std::uint32_t index, const Views& views) {
  if (measured(index, views).accesses.conflict_degree.most > 1)
    made.conflict_degree = mean_of_kinds(index, views, &AccessStatistics::conflict_degree, "words_");
}

/// Passes of a loop around a compare-and-swap, which brings two numbers, each in its own passes.
Expression KernelBuilder::passes_of_retry(const std::string& op, std::uint32_t index, const Views& views) {
  if (op != kSharedAtomic) return mean_of_kinds(index, views, &AccessStatistics::conflict_degree, "conflicts_");
  const auto& statistics = measured(index, views).accesses;
  // No more than a kernel may say.
  const auto passes = std::llround(2 * statistics.conflict_degree.sum / statistics.executions);
  return Expression(static_cast<double>(std::clamp<std::int64_t>(passes, 2, program_.lanes)));
}

/// A wide load with half of the rounds of its op counts as the op of half the width.
void KernelBuilder::passes(warpipe::Instruction& made, std::uint32_t index, const Views& views) {
  const auto& reached = *program_.instructions[index].access;
  const auto& statistics = measured(index, views).accesses;
  if (retries(program_.instructions[index])) {
    made.conflict_degree = passes_of_retry(made.op, index, views);
    return;
  }
  const auto rounds = std::llround(statistics.rounds.sum / statistics.executions);
  const bool narrow = reached.kind == Access::Kind::Load && 2 * rounds <= (reached.bytes + 3) / 4;
  if (narrow) made.op = rounds > 1 ? "shared.load.64" : "shared.load";
  if (narrow || !statistics.strided) {
    made.conflict_degree = mean_of_kinds(index, views, &AccessStatistics::conflict_degree, "conflicts_");
    return;
  }
  AccessPattern access;
  access.width_bytes = Expression(reached.bytes);
  if (statistics.stride == 0)
    access.lanes = AccessPattern::Broadcast{};
  else
    access.lanes = AccessPattern::Strided{Expression(static_cast<double>(statistics.stride))};
  made.access = std::move(access);
}

/// An atomic alone on its word has a single way. Where warps meet on a word each of their lanes takes a turn, the first
/// lane, too.
/// A whole number; the next atomic gets the rest, so unrolled copies with half a turn each have the right sum.
std::int64_t KernelBuilder::ways_of_atomic(std::uint32_t index) {
  const auto met = survey_.meeting_lanes.find(index);
  if (met == survey_.meeting_lanes.end()) return 1;
  const auto turns = std::max<std::int64_t>(0, std::llround(met->second + rest_of_turns_));
  rest_of_turns_ += met->second - static_cast<double>(turns);
  return std::min<std::int64_t>(program_.lanes, 1 + turns);
}

/// A whole number for each kind of groups; the number of all where nothing was measured of a kind. An execution without
/// an active lane reaches nothing, but a pass through shared memory it takes.
Expression KernelBuilder::mean_of_kinds(std::uint32_t index, const Views& views, Spread AccessStatistics::*what,
                                        const char* about) {
  const auto mean = [&](const MeasuredRecords::Measured& of) {
    const auto passes = what == &AccessStatistics::conflict_degree ? of.idle : 0;
    return std::max<std::int64_t>(
        1, std::llround(((of.accesses.*what).sum + passes) / (of.accesses.executions + of.idle)));
  };
  const auto& all = measured(index, views);
  if (values_.kinds() == 1) return Expression(static_cast<double>(mean(all)));
  std::map<std::size_t, Views> of_kind;
  for (const auto& view : views)
    for (const auto slot : view.slots) {
      auto& those = of_kind[values_.kind_of(slot)];
      if (those.empty() || those.back().record != view.record) those.push_back({view.record, {}});
      those.back().slots.push_back(slot);
    }
  std::vector<std::pair<std::uint32_t, std::int64_t>> means;
  for (const auto& [kind, those] : of_kind) {
    const auto& here = measured(index, those);
    const auto value = mean(here.accesses.executions > 0 ? here : all);
    for (const auto slot : slots_of(those)) means.emplace_back(slot, value);
  }
  return values_.number(means, fmt::format("{}{}", about, program_.instructions[index].line), 1);
}

/// Of several executions of a producer the most recent stands for all.
void KernelBuilder::wait_for(std::size_t waiting, std::size_t producer, std::uint32_t back) {
  const auto [place, is_new] = waits_[waiting].emplace(producer, back);
  if (!is_new) place->second = std::min(place->second, back);
}

/// All instructions of a warp after a branch wait for the branch.
void KernelBuilder::wait_for_branches(std::size_t waiting, const Slots& slots) {
  for (auto& [branch, going_on] : branches_) {
    Slots others;
    std::ranges::set_difference(going_on, slots, std::back_inserter(others));
    if (others.size() < going_on.size()) wait_for(waiting, branch);
    going_on = std::move(others);
  }
  std::erase_if(branches_, [](const auto& branch) { return branch.second.empty(); });
}

bool KernelBuilder::is_guarded(std::uint32_t index) const {
  return program_.instructions[index].guard || plan_.branch_of[flow_.block_of[index]] != kNoBlock;
}

/// A comparison's result reaches a guard later than a select.
void KernelBuilder::find_dependences() {
  for (std::uint32_t index = 0; index < program_.instructions.size(); ++index)
    for (const auto& consumer : copies_.of(index))
      for (const auto& [producer, back] : plan_.after[index])
        for (const auto copy : copies_.last_before(consumer, producer)) {
          wait_for(consumer.first, copy, back);
          if (auto& op = kernel_.instructions[copy].op; op == "compare" && is_guarded(index)) op = "compare.guard";
        }
  for (const auto& [number, producers] : waits_)
    for (const auto& [producer, back] : producers)
      kernel_.instructions[number].after.push_back({producer, Expression(back), std::nullopt});
}

}  // namespace warpipe::isa
