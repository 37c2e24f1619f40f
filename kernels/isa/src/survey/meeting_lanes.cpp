#include "survey/meeting_lanes.hpp"

#include <algorithm>
#include <cmath>

#include "program/effort.hpp"

namespace warpipe::isa {
namespace {

/// Mean of `count` alike counts with the given largest: of Poisson numbers with the mean m, the largest is about m +
/// sqrt(2 m ln(count)).
double mean_of(double largest, std::size_t count) {
  const auto spread = std::sqrt(2 * std::log(static_cast<double>(count)));
  const auto root = (std::sqrt(spread * spread + 4 * largest) - spread) / 2;
  return root * root;
}

/// Forgets half of the places, with the fewest turns.
template <class Places>
void forget_half(Places& places) {
  std::vector<double> turns;
  for (const auto& entry : places) turns.push_back(entry.second.turns);
  const auto middle = turns.begin() + static_cast<std::ptrdiff_t>(turns.size() / 2);
  std::nth_element(turns.begin(), middle, turns.end());
  std::erase_if(places, [few = *middle](const auto& entry) { return entry.second.turns <= few; });
}

}  // namespace

MeetingLanes::MeetingLanes(std::vector<AddressOrigin> origins, const Dimensions& grid, Sample sample)
    : grid_(grid), origins_(std::move(origins)), sample_(std::move(sample)) {}

MeetingLanes::Places MeetingLanes::empty(const AddressOrigin& origin) const {
  Places places;
  std::map<std::uint64_t, double> all_groups;
  for (const auto& [group, alike_groups] : sample_) {
    places.group.push_back(place_along(origin.axes, grid_, group));
    all_groups[places.group.back()] += alike_groups;
  }
  double groups = 1;  // alike, at each place along the axes
  for (std::size_t axis = 0; axis < 3; ++axis)
    (origin.axes[axis] ? places.all : groups) *= static_cast<double>(grid_[axis]);
  for (std::size_t i = 0; i < sample_.size(); ++i)
    places.alike.push_back(groups * sample_[i].second / all_groups[places.group[i]]);
  places.looked_at = static_cast<double>(all_groups.size());
  return places;
}

bool MeetingLanes::has_seen_all(std::uint32_t instruction) const {
  const auto found = places_.find(instruction);
  return found == places_.end() || found->second.looked_at >= found->second.all;
}

void MeetingLanes::add(const AddressEvent& event, std::int64_t times) {
  if (event.mask == 0 || times <= 0) return;
  const auto& origin = origins_[event.instruction];
  const auto found = places_.find(event.instruction);
  auto& all = found != places_.end() ? found->second : places_.emplace(event.instruction, empty(origin)).first->second;
  all.executions += sample_[group_].second * static_cast<double>(times);
  const auto mask = event.combines ? event.mask & (~event.mask + 1) : event.mask;
  const bool moves = std::ranges::any_of(event.strides, [](std::uint64_t stride) { return stride != 0; });
  const auto iterations = moves ? std::min(times, kEffort.pattern) : 1;
  const auto count = static_cast<double>(times) / static_cast<double>(iterations);
  std::vector<std::uint64_t> addresses(event.addresses.begin(), event.addresses.end());
  for (std::int64_t k = 0; k < iterations; ++k) {
    for (const auto& [sector, turns] : turns_of(addresses, mask, kSectorBytes))
      add_turns(all, place_of_sector(sector), count * static_cast<double>(turns));
    for (std::size_t lane = 0; moves && lane < addresses.size(); ++lane) addresses[lane] += event.strides[lane];
  }
}

void MeetingLanes::add_turns(Places& all, std::uint64_t number, double turns) const {
  auto& place = all.of[number];
  place.turns += turns * all.alike[group_];
  place.drawn += turns;
  const auto group = all.group[group_];
  if (place.groups.empty() || place.groups.back() != group) place.groups.push_back(group);
  if (all.of.size() > kEffort.kept_places) forget_half(all.of);
}

double MeetingLanes::turns_at(const Place& place, const Places& places, bool loaded) {
  if (places.looked_at >= places.all) return place.turns;
  auto groups = place.groups;
  std::ranges::sort(groups);
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  const auto reached = static_cast<double>(groups.size());
  const auto alone = loaded ? 1. : 0.;  // share of further groups that go there, after a look at a single group
  const auto others = places.looked_at > 1 ? (reached - 1) / (places.looked_at - 1) : alone;
  const auto turns = place.turns + (places.all - places.looked_at) * others * place.turns / reached;
  return loaded ? turns * mean_of(place.drawn, places.of.size()) / place.drawn : turns;
}

std::map<std::uint32_t, double> MeetingLanes::per_execution() const {
  std::map<std::uint32_t, double> result;
  for (const auto& [instruction, places] : places_) {
    double most = 0;
    for (const auto& [number, place] : places.of)
      most = std::max(most, turns_at(place, places, origins_[instruction].loaded));
    result[instruction] = most / places.executions;
  }
  return result;
}

}  // namespace warpipe::isa
