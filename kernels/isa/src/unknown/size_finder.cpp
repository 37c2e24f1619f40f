#include "unknown/size_finder.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "program/effort.hpp"
#include "unknown/defaults.hpp"
#include "unknown/pitch_finder.hpp"

namespace warpipe::isa {
namespace {

constexpr int kLongestCondition = 4;  // operations from a comparison to the jump

/// A launch without assumptions, and with a look at each iteration of a loop.
Launch plain(Launch launch) {
  launch.assume = launch.close_loops = false;
  launch.addresses.clear();
  return launch;
}

template <class Visit>
void for_each_bit(std::uint64_t bits, const Visit& visit) {
  for (; bits != 0; bits &= bits - 1) visit(static_cast<std::size_t>(std::countr_zero(bits)));
}

int sign(std::int64_t number) { return number > 0 ? 1 : number < 0 ? -1 : 0; }

}  // namespace

/// Whether the comparison has the same result in all lanes as for the largest sizes. Lanes at the border, where a
/// number is taken off a size, may have another result.
bool SizeFinder::Site::holds(const ComparedValues& seen) const {
  using enum Comparison;
  if (!seen.any) return true;
  const auto how = operation->op == LaneOp::Minimum ? LessEqual : operation->comparison;
  const bool is_strict = operation->op != LaneOp::Minimum &&
                         (downwards ? how == Less || how == GreaterEqual : how == Greater || how == LessEqual);
  const auto most = (downwards ? seen.most : -seen.least) - border;
  return is_strict || border > 0 ? most < 0 : most <= 0;
}

SizeFinder::SizeFinder(const ExecutionInput& given, std::vector<std::size_t> sizes, std::int64_t any)
    : sizes_(std::move(sizes)),
      any_(any),
      launch_(plain(given.launch)),
      arguments_(given.arguments),
      slice_(find_slice(given.program, given.definitions)),
      input_{given.program, given.flow, given.definitions, slice_,       given.branch_of,
             launch_,       arguments_, given.names,       given.issued, given.program.lanes},
      sources_(input_, sizes_),
      kernel_(input_),
      found_(sizes_.size(), FoundSize{any, FoundSize::By::Nothing}),
      least_(sizes_.size(), any) {
  for (auto& argument : arguments_)
    if (!argument.bits) {
      argument.bits = 1;
      argument.is_tried = true;
    }
  for (std::size_t size = 0; size < sizes_.size(); ++size) set(size, any);
}

std::vector<FoundSize> SizeFinder::find() {
  find_sites();
  choose_warps();
  const auto base = run();
  for (std::size_t size = 0; size < sizes_.size(); ++size) {
    if (found_[size].by == FoundSize::By::Radius) continue;
    find_bounds(base, size, run_with(size, any_ + 1));
    find_bounds(base, size, run_with(size, 2 * any_));
  }
  keep_decisive_warps();
  find_borders();
  raise();
  lower();
  find_pitches();
  return found_;
}

bool SizeFinder::is_bounding(std::size_t size) const { return found_[size].by == FoundSize::By::Comparison; }

void SizeFinder::set(std::size_t size, std::int64_t value) {
  found_[size].value = value;
  arguments_[sizes_[size]].bits = static_cast<std::uint64_t>(value);
}

std::int64_t SizeFinder::most_of(std::size_t size) const {
  const auto bits = input_.program.parameters[sizes_[size]].type.bits;
  return bits <= 16 ? INT16_MAX : bits <= 32 ? INT32_MAX : std::int64_t{1} << 40;
}

void SizeFinder::find_sites() {
  for (const auto& [header, info] : kernel_.loops)
    for (const auto exit : info.exits) {
      const auto& guard = kernel_.at(exit).guard;
      if (guard) ending_ |= sources_.of(exit, *guard).parameters();
      if (std::ranges::count(input_.flow.blocks[input_.flow.block_of[exit]].successors, header) > 0)
        add_comparisons(info, exit, guard, kLongestCondition);
    }
  for (std::uint32_t i = 0; i < input_.program.instructions.size(); ++i)
    if (slice_.needed[i])
      for (const auto& assignment : input_.program.instructions[i].assignments) find_site(i, assignment);
}

/// Collects the comparisons behind a condition to go round a loop once more: they say nothing about the extent of the
/// launch, unlike a condition to enter the loop.
void SizeFinder::add_comparisons(const LoopInfo& loop, std::uint32_t reader, const std::optional<Input>& input,
                                 int depth) {
  if (!input || input->kind != Input::Kind::Register || depth == 0) return;
  for (const auto writer : input_.definitions.writers(reader, input->registers.first)) {
    if (!loop.members[input_.flow.block_of[writer]]) continue;
    for (const auto& assignment : kernel_.at(writer).assignments) {
      if (assignment.operation.op == LaneOp::Compare) goes_on_.insert(writer);
      for (const auto& from : assignment.inputs)
        if (assignment.operation.op != LaneOp::Compare) add_comparisons(loop, writer, from, depth - 1);
    }
  }
}

void SizeFinder::find_site(std::uint32_t instruction, const Assignment& assignment) {
  const auto& operation = assignment.operation;
  const bool compares = operation.op == LaneOp::Compare || operation.op == LaneOp::Minimum;
  if (!compares || operation.type.kind == Type::Kind::Float || assignment.inputs.size() < 2) return;
  const auto first = sources_.of(instruction, assignment.inputs[0]);
  const auto second = sources_.of(instruction, assignment.inputs[1]);
  // From -r to r, or from x - r to x + r.
  const auto rises = [](const NumberSources& side) { return side.rising & ~side.falling; };
  const auto falls = [](const NumberSources& side) { return side.falling & ~side.rising; };
  for_each_bit((rises(first) & falls(second)) | (falls(first) & rises(second)), [&](std::size_t size) {
    set(size, kGuesses.radius);
    found_[size].by = FoundSize::By::Radius;
  });
  Site site{instruction, &operation, first.parameters() | second.parameters()};
  if (first.is_index() || second.is_index()) compared_ |= site.sizes;
  if (goes_on_.contains(instruction)) return;
  if (site.sizes == 0 || first.loaded || second.loaded || !(first.is_index() || second.is_index())) return;
  const bool by_group = first.by_group || second.by_group;
  if ((first.parameters() == 0) != (second.parameters() == 0) && !(first.parameters() != 0 ? first : second).is_index())
    site.size_side = first.parameters() != 0 ? Side::First : Side::Second;
  site.is_part = !by_group && (ending_ & site.sizes) != 0;
  sites_.push_back(site);
  wanted_.comparisons[instruction];
}

void SizeFinder::choose_warps() {
  const auto& grid = launch_.grid;
  const auto warps = warps_per_group(input_);
  for (std::size_t corner = 0; corner < 8; ++corner) {
    const Dimensions group{corner & 1 ? grid[0] - 1 : 0, corner & 2 ? grid[1] - 1 : 0, corner & 4 ? grid[2] - 1 : 0};
    if (std::ranges::find(warps_, group, &Warp::first) != warps_.end()) continue;
    warps_.emplace_back(group, 0);
    if (warps > 1) warps_.emplace_back(group, warps - 1);
  }
}

/// Comparisons of the warps with the current sizes.
SizeTrial SizeFinder::run() {
  auto trial = wanted_;
  for (const auto& [group, warp] : warps_) {
    // A warp's comparisons count as far as it gets.
    spent_ += try_warp(kernel_, group, warp, std::min(kEffort.trial_of_sizes, kEffort.sizes - spent_), trial).executed;
    is_spent_ = is_spent_ || spent_ >= kEffort.sizes;
  }
  return trial;
}

SizeTrial SizeFinder::run_with(std::size_t size, std::int64_t value) {
  const auto before = found_[size].value;
  set(size, value);
  auto trial = run();
  set(size, before);
  return trial;
}

/// Finds the comparisons that a size moves, opposite to the index.
void SizeFinder::find_bounds(const SizeTrial& base, std::size_t size, const SizeTrial& raised) {
  for (auto& site : sites_) {
    const auto &before = base.comparisons.at(site.instruction), &after = raised.comparisons.at(site.instruction);
    const auto index = sign(before.latest - before.first);
    if (!after.any || index == 0 || sign(after.latest - before.latest) != -index) continue;
    site.downwards = index > 0;
    site.bounding |= std::uint64_t{1} << size;
    found_[size].by = FoundSize::By::Comparison;
    if (!site.is_part) least_[size] = 1;
  }
}

/// Keeps the warps with the furthest index, for each comparison.
void SizeFinder::keep_decisive_warps() {
  std::erase_if(sites_, [](const Site& site) { return site.bounding == 0; });
  const auto base = run();
  const auto all = std::exchange(warps_, {});
  std::vector<Warp> kept;
  std::map<std::uint32_t, bool> settled;
  for (auto warp = all.rbegin(); warp != all.rend(); ++warp) {
    warps_ = {*warp};
    const auto alone = run();
    bool decides = false;
    for (const auto& site : sites_) {
      const auto &seen = alone.comparisons.at(site.instruction), &most = base.comparisons.at(site.instruction);
      const bool furthest = seen.any && (site.downwards ? seen.most == most.most : seen.least == most.least);
      if (furthest && !std::exchange(settled[site.instruction], true)) decides = true;
    }
    if (decides) kept.push_back(*warp);
  }
  warps_ = std::move(kept);
}

/// Finds the numbers taken off sizes before the comparison with an index: n - 1.
void SizeFinder::find_borders() {
  for (std::size_t size = 0; size < sizes_.size(); ++size)
    if (is_bounding(size)) set(size, 0);
  const auto trial = run();
  for (auto& site : sites_) {
    const auto& [first, second] = trial.comparisons.at(site.instruction).sides;
    if (site.size_side == Side::Neither) continue;
    const auto left = static_cast<std::uint64_t>(site.size_side == Side::First ? first : second);
    site.border = -std::min<std::int64_t>(0, sign_extended(left, site.operation->type.bits));
  }
}

/// Sizes that bound an index still beyond.
std::uint64_t SizeFinder::beyond() {
  const auto trial = run();
  std::uint64_t sizes = 0;
  for (const auto& site : sites_)
    if (!site.holds(trial.comparisons.at(site.instruction))) sizes |= site.bounding;
  return sizes;
}

/// Takes some sizes to bound nothing.
void SizeFinder::give_up(std::uint64_t sizes) {
  std::erase_if(sites_, [&](const Site& site) { return (site.bounding & sizes) != 0; });
  for (std::size_t size = 0; size < sizes_.size(); ++size) {
    if (((sizes >> size) & 1) == 0 || !is_bounding(size)) continue;
    found_[size].by = FoundSize::By::Nothing;
    set(size, any_);
  }
}

/// Doubles sizes until all indices are within. Sizes too small for this even at their largest bound nothing.
void SizeFinder::raise() {
  for (std::size_t size = 0; size < sizes_.size(); ++size)
    if (is_bounding(size)) set(size, least_[size]);
  for (auto sizes = beyond(); sizes != 0 && !is_spent_; sizes = beyond()) {
    bool any = false;
    for_each_bit(sizes, [&](std::size_t size) {
      const auto value = std::min(2 * found_[size].value, most_of(size));
      any = any || value > found_[size].value;
      set(size, value);
    });
    if (any) continue;
    give_up(sizes);
    return raise();
  }
  if (is_spent_) give_up(~std::uint64_t{0});
}

/// Lowers each size as far as all indices stay within.
void SizeFinder::lower() {
  for (std::size_t size = 0; size < sizes_.size(); ++size) {
    auto low = least_[size] - 1, high = found_[size].value;  // too small, or less than it may be; large enough
    while (is_bounding(size) && high - low > 1 && !is_spent_) {
      const auto middle = low + (high - low) / 2;
      set(size, middle);
      (beyond() == 0 && !is_spent_ ? high : low) = middle;
    }
    set(size, high);
  }
}

/// Finds the pitches, with all other sizes as found.
void SizeFinder::find_pitches() {
  find_divisors();
  std::uint64_t open = 0;
  for (std::size_t size = 0; size < sizes_.size(); ++size)
    if (found_[size].by == FoundSize::By::Nothing) open |= std::uint64_t{1} << size;
  open &= ~(ending_ | compared_);
  std::vector<std::size_t> places, parameters;
  for_each_bit(open, [&](std::size_t size) {
    places.push_back(size);
    parameters.push_back(sizes_[size]);
  });
  const auto accesses = accesses_by(open);
  if (accesses.empty()) return;
  for (const auto parameter : sizes_) arguments_[parameter].is_tried = false;
  const auto pitches = PitchFinder(kernel_, arguments_, parameters, accesses, kEffort.sizes).find();
  for (std::size_t i = 0; i < places.size(); ++i)
    if (pitches[i] && *pitches[i] <= most_of(places[i])) found_[places[i]] = {*pitches[i], FoundSize::By::Pitch};
}

/// A size used as a divisor counts parts of an index, and is no pitch.
void SizeFinder::find_divisors() {
  for (std::uint32_t i = 0; i < input_.program.instructions.size(); ++i)
    for (const auto& assignment : input_.program.instructions[i].assignments)
      if (const auto op = assignment.operation.op;
          (op == LaneOp::Divide || op == LaneOp::Remainder) && assignment.inputs.size() > 1)
        compared_ |= sources_.of(i, assignment.inputs[1]).parameters();
}

/// Accesses to global memory at addresses made of sizes, without addresses moved by loops of unknown length.
std::set<std::uint32_t> SizeFinder::accesses_by(std::uint64_t sizes) const {
  std::set<std::uint32_t> found;
  for (std::uint32_t i = 0; i < input_.program.instructions.size(); ++i) {
    const auto& access = input_.program.instructions[i].access;
    if (!access || (access->space != Space::Global && access->space != Space::Generic) || access->bulk) continue;
    auto sources = sources_.of(i, access->base);
    if (access->uniform_base) sources.add(sources_.of(i, *access->uniform_base));
    if (access->tile) sources.add(sources_.of(i, access->tile->pitch));
    if ((sources.parameters() & sizes) == 0 || (sources.by_counter && is_open(i))) continue;
    found.insert(i);
  }
  return found;
}

/// Whether an instruction is in a loop with an end by data only.
bool SizeFinder::is_open(std::uint32_t instruction) const {
  return std::ranges::any_of(kernel_.loops, [&](const auto& one) {
    const auto& loop = one.second;
    return loop.members[input_.flow.block_of[instruction]] && std::ranges::all_of(loop.exits, [&](std::uint32_t exit) {
             const auto& guard = kernel_.at(exit).guard;
             return guard && sources_.of(exit, *guard).loaded;
           });
  });
}

}  // namespace warpipe::isa
