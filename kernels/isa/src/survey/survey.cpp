#include "survey/survey.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "program/effort.hpp"
#include "survey/address_log.hpp"
#include "survey/group_finder.hpp"
#include "survey/group_recorder.hpp"
#include "survey/meeting_lanes.hpp"
#include "survey/sampler.hpp"
#include "survey/tally.hpp"
#include "survey/touched_sectors.hpp"
#include "survey/turns_of_forms.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/isa/recorded_loads.hpp"

namespace warpipe::isa {
namespace {

constexpr std::size_t kSpreadGroups = 8;  // without a common stride, for the steps of addresses

using Sample = std::vector<std::pair<Dimensions, double>>;  ///< groups, and how many each stands for

/// Groups to show the steps of addresses from group to group, most telling first: the middle of the grid and its
/// neighbours, powers of two along each axis, further neighbours along x.
std::vector<Dimensions> telling_groups(const Dimensions& grid) {
  std::vector<Dimensions> groups;
  const Dimensions middle{grid[0] / 2, grid[1] / 2, grid[2] / 2};
  groups.push_back(middle);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    groups.push_back(middle);
    ++groups.back()[axis];
  }
  for (std::int64_t place = 1; place < std::max({grid[0], grid[1], grid[2]}); place *= 2)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      groups.push_back({0, 0, 0});
      groups.back()[axis] = place;
    }
  for (std::int64_t next = 2; next < 10; ++next) {
    groups.push_back(middle);
    groups.back()[0] += next;
  }
  std::erase_if(groups, [&](const Dimensions& group) {
    return group[0] >= grid[0] || group[1] >= grid[1] || group[2] >= grid[2];
  });
  return groups;
}

/// Makes a survey.
class Surveyor {
 public:
  Surveyor(const ExecutionInput& input, Questions& questions) : kernel_(input), questions_(questions), input_(input) {}

  std::optional<Stop> run() {
    if (auto stop = look_for_questions()) return stop;
    const auto& input = kernel_.input;
    survey_.shared_memory = kernel_.memory.shared_bytes();
    survey_.soon_enough = kEffort.kinds;
    survey_.forms = find_forms(input.program, input.flow, input.slice,
                               launch_numbers(input.program, input.launch, input.arguments));
    finder_.emplace(input_, survey_, questions_);
    if (auto stop = finder_->run()) return stop;
    if (const auto& recorded = input.launch.recorded) survey_.groups.recorded = recorded->groups.size();
    survey_.spent_on_kinds = survey_.executed;
    survey_.soon_enough = kEffort.statistics;
    if (auto stop = gather_sample()) return stop;
    survey_.log->close();
    for (std::uint32_t i = 0; i < kernel_.patterns.size(); ++i)
      if (kernel_.patterns[i]) survey_.said_addresses.insert(i);
    find_meeting_lanes();
    extrapolate(input.flow, survey_);
    for (const auto& [name, branches] : kernel_.said_branches)
      if (std::ranges::none_of(branches, [&](auto branch) { return survey_.shared_out.contains(branch); }))
        survey_.unused_taken.push_back(name);
    return std::nullopt;
  }

  Survey take() { return std::move(survey_); }

 private:
  std::int64_t warps() const { return warps_per_group(kernel_.input); }
  std::int64_t left() const { return left_to_spend(kernel_.input, survey_); }

  /// Evenly spread groups, of all groups or of the recorded groups.
  std::vector<Dimensions> spread_groups(std::size_t count) const {
    const auto& grid = kernel_.input.launch.grid;
    const auto* const recorded = kernel_.input.launch.recorded.get();
    const auto all = recorded != nullptr ? std::ssize(recorded->groups) : grid[0] * grid[1] * grid[2];
    std::vector<Dimensions> groups;
    for (const auto place : spread_places(all, count)) {
      const auto index = recorded != nullptr ? recorded->groups[static_cast<std::size_t>(place)].number : place;
      groups.push_back({index % grid[0], index / grid[0] % grid[1], index / grid[0] / grid[1]});
    }
    return groups;
  }

  /// Whether arithmetic gives all addresses of memory behind caches, with constant steps from group to group: then the
  /// corners tell the reach.
  bool are_sums() const {
    const auto& forms = survey_.forms.forms;
    const auto is_of_group = [](Variable one) { return one.place == Place::Group; };
    const auto is_straight = [&](const Term& term) {
      return forms[term.form].kind == FormKind::Variable ||
             std::ranges::none_of(forms.variables(term.form), is_of_group);
    };
    return std::ranges::all_of(survey_.forms.accesses, [&](const AccessForm& access) {
      const auto space = kernel_.input.program.instructions[access.instruction].access->space;
      if (space == Space::Shared) return true;
      std::int64_t constant = 0;
      return forms.is_known(access.address) && forms.is_known(access.made) &&
             std::ranges::all_of(forms.terms_of(access.address, constant), is_straight);
    });
  }

  /// Groups to show the extent of addresses and their steps; only recorded groups where a recording is given.
  std::vector<Dimensions> further_groups() const {
    const auto& grid = kernel_.input.launch.grid;
    auto groups = finder_->corners();
    if (!are_sums()) {
      std::ranges::copy(telling_groups(grid), std::back_inserter(groups));
      std::ranges::copy(spread_groups(kSpreadGroups), std::back_inserter(groups));
    }
    if (const auto* const recorded = kernel_.input.launch.recorded.get(); recorded != nullptr)
      std::erase_if(groups,
                    [&](const Dimensions& group) { return recorded->find(index_of_group(grid, group)) == nullptr; });
    return groups;
  }

  /// A few groups meet nearly all questions. Asking there saves a look at all groups each time an answer leads to more
  /// questions.
  std::optional<Stop> look_for_questions() {
    const auto& [grid, assume] = std::tie(kernel_.input.launch.grid, kernel_.input.launch.assume);
    if (!assume || grid == Dimensions{1, 1, 1}) return std::nullopt;
    auto groups = spread_groups(kEffort.fewest_groups);
    if (!kernel_.input.launch.recorded) groups.insert(groups.begin(), {grid[0] / 2, grid[1] / 2, grid[2] / 2});
    Survey scratch;
    std::int64_t executed = 0;
    for (const auto& group : groups) {
      const auto known = questions_.count();
      for (std::int64_t warp = 0; warp < warps() && executed <= kEffort.until_asked; ++warp) {
        scratch.executed = 0;
        auto record = run_warp(kernel_, scratch, questions_, group, warp);
        if (auto* stop = std::get_if<Stop>(&record)) return std::move(*stop);
        executed += scratch.executed;
      }
      if (questions_.count() == known) break;
    }
    auto stop = questions_.open();
    questions_.keep_first(0);  // a question that changes nothing before it comes up again in its place
    return stop;
  }

  /// Groups within the budget of the statistics, by the cost of a first warp.
  OrStop<std::size_t> groups_to_gather() {
    if (finder_->representatives() == 1) return std::size_t{1};
    const auto before = survey_.executed, left_before = left();
    auto records = run_warps(kernel_, survey_, questions_, finder_->sample(1).front().first, 1);
    if (auto* stop = std::get_if<Stop>(&records)) return std::move(*stop);
    const auto cost = std::max<std::int64_t>(1, (survey_.executed - before) * warps());
    const auto wanted =
        std::clamp(static_cast<std::size_t>(kEffort.sample / cost), kEffort.fewest_groups, kEffort.most_groups);
    return std::clamp<std::size_t>(static_cast<std::size_t>(left_before / (2 * cost)), 1, wanted);
  }

  /// Takes the turns of atomics from address forms where groups are missing from the sample: sampled groups may lie at
  /// distances by which addresses repeat.
  void find_meeting_lanes() {
    const auto& input = kernel_.input;
    const auto meeting = std::exchange(survey_.meeting, nullptr);
    survey_.meeting_lanes = meeting->per_execution();
    for (const auto& access : survey_.forms.accesses) {
      const auto found = survey_.meeting_lanes.find(access.instruction);
      if (found == survey_.meeting_lanes.end() || meeting->has_seen_all(access.instruction)) continue;
      const bool combines = input.program.instructions[access.instruction].access->combines;
      const auto turns =
          turns_at_one_place(survey_.forms, access, input, combines && meeting->is_alike(access.instruction));
      if (turns) found->second = *turns;
    }
  }

  /// Clears the statistics, and begins them for a sample of the groups.
  void begin_statistics(const Sample& sample) {
    const auto& grid = kernel_.input.launch.grid;
    survey_.statistics.clear();
    survey_.touched = std::make_shared<TouchedSectors>(origins_, grid);
    survey_.log = std::make_shared<AddressLog>(kernel_);
    survey_.meeting = std::make_shared<MeetingLanes>(origins_, grid, sample);
  }

  /// Adds the accesses of a group's warps to the statistics.
  /// @return their records
  OrStop<std::vector<std::uint32_t>> gather(const Dimensions& group, double groups) {
    GroupRecorder recorder(survey_, groups);
    survey_.touched->begin(group, groups);
    survey_.log->begin(group);
    auto records = run_warps(kernel_, survey_, questions_, group, warps(), {.recorder = &recorder});
    if (stop_in(records) != nullptr) return records;
    survey_.log->end(std::get<std::vector<std::uint32_t>>(records));
    survey_.meeting->next();
    return records;
  }

  /// Gathers the statistics of groups standing for all groups: of fewer where the first group shows that they would
  /// take too long.
  std::optional<Stop> gather_sample() {
    origins_ = origins_of_addresses(kernel_.input.program, kernel_.input.definitions);
    const auto cost = finder_->cost();
    const bool is_costly = cost > left();
    auto most = is_costly ? OrStop<std::size_t>(std::size_t{1}) : groups_to_gather();
    if (auto* stop = std::get_if<Stop>(&most)) return std::move(*stop);
    auto sample = finder_->sample(std::get<std::size_t>(most));
    if (sample.size() < std::min(finder_->representatives(), kEffort.fewest_groups)) survey_.few_groups = sample.size();
    const auto gather_at = [&](std::size_t number) -> std::optional<Stop> {
      if (number == 0) begin_statistics(sample);
      auto records = gather(sample[number].first, sample[number].second);
      if (auto* stop = std::get_if<Stop>(&records)) return std::move(*stop);
      if (survey_.kinds.empty()) finder_->take_as_all(std::get<std::vector<std::uint32_t>>(std::move(records)));
      return std::nullopt;
    };
    const auto before = survey_.executed;
    if (auto stop = gather_at(0)) return stop;
    survey_.group_cost = std::max<std::int64_t>(1, survey_.executed - before);
    const auto further = static_cast<std::size_t>(left() / (2 * survey_.group_cost));
    if (further + 1 < sample.size()) {
      sample = finder_->sample(std::max<std::size_t>(1, further));
      survey_.few_groups = sample.size();
      if (auto stop = gather_at(0)) return stop;
    }
    for (std::size_t next = 1; next < sample.size(); ++next)
      if (auto stop = gather_at(next)) return stop;
    return log_further(sample, is_costly ? std::max(cost, survey_.group_cost) : survey_.group_cost);
  }

  /// Logs the addresses of groups outside the statistics: of whole groups within the budget, then of some first warps.
  /// @param cost  of a group, in instructions of the slice
  std::optional<Stop> log_further(const Sample& looked_at, std::int64_t cost) {
    const auto before = std::tuple(survey_.executed, survey_.sampled_iterations, survey_.largest_sample);
    std::set<Dimensions> known;
    for (const auto& [group, groups] : looked_at) known.insert(group);
    auto whole = std::clamp<std::int64_t>(kEffort.sample / std::max<std::int64_t>(1, cost), kEffort.fewest_further,
                                          kEffort.most_further);
    whole = std::min(whole, left() / std::max<std::int64_t>(1, cost));
    std::int64_t looked = 0;
    for (const auto& group : further_groups()) {
      if (looked >= std::max(whole, kEffort.fewest_followed) || !known.insert(group).second) continue;
      survey_.executed = 0;
      if (looked++ >= whole)
        log_first_warp(group);
      else if (auto stop = log_addresses(group, warps(), INT64_MAX))
        return stop;
    }
    std::tie(survey_.executed, survey_.sampled_iterations, survey_.largest_sample) = before;
    return std::nullopt;
  }

  /// Logs the addresses of a group; a group that cannot be executed is left out.
  /// @return where loops take long, or too much was executed
  std::optional<Stop> log_addresses(const Dimensions& group, std::int64_t warps, std::int64_t most) {
    GroupRecorder recorder(survey_, 0);
    survey_.log->begin(group);
    try {
      auto records = run_warps(kernel_, survey_, questions_, group, warps, {most, &recorder});
      if (auto* stop = std::get_if<Stop>(&records)) {
        if (stop->why != Stop::Why::Unknown) return std::move(*stop);
        survey_.log->discard();
      } else {
        survey_.log->end(std::get<std::vector<std::uint32_t>>(std::move(records)));
      }
    } catch (const InputError&) {
      survey_.log->discard();
    }
    return std::nullopt;
  }

  /// Logs the addresses of a group's first warp as far as it gets. Its loops are sampled soon; nothing is assumed.
  void log_first_warp(const Dimensions& group) {
    const auto known = questions_.count();
    survey_.executed = kernel_.input.launch.max_instructions / 16 + 1;  // so that small parts count, see Sampler
    if (log_addresses(group, 1, survey_.executed + kEffort.one_warp)) survey_.log->end({});
    questions_.keep_first(known);
  }

  Prepared kernel_;
  Questions& questions_;
  Survey survey_;
  const ExecutionInput& input_;
  std::optional<GroupFinder> finder_;
  std::vector<AddressOrigin> origins_;  ///< by instruction
};

}  // namespace

std::int64_t left_to_spend(const ExecutionInput& input, const Survey& survey) {
  const auto spent = survey.executed - survey.spent_on_kinds;
  return std::max<std::int64_t>(0, std::min(survey.soon_enough, input.launch.max_instructions) - spent);
}

OrStop<Survey> survey_groups(const ExecutionInput& input, Questions& questions) {
  Surveyor surveyor(input, questions);
  if (auto stop = surveyor.run()) return std::move(*stop);
  return surveyor.take();
}

}  // namespace warpipe::isa
