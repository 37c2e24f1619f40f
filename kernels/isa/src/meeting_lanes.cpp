#include "meeting_lanes.hpp"

#include <algorithm>
#include <cmath>

namespace warpipe::isa {
namespace {

constexpr std::int64_t kMostIterations = 64;              // of a lane that moves
constexpr std::size_t kMostWords = std::size_t{1} << 16;  // that are kept of an instruction

/// What a count is on average, where the largest of so many alike is `largest`: of Poisson's numbers with the mean m it
/// is about m + sqrt(2 m ln(count)).
double mean_of(double largest, std::size_t count) {
  const auto spread = std::sqrt(2 * std::log(static_cast<double>(count)));
  const auto root = (std::sqrt(spread * spread + 4 * largest) - spread) / 2;
  return root * root;
}

/// Forgets those that fewest lanes go to.
template <class Words>
void forget_half(Words& words) {
  std::vector<double> lanes;
  for (const auto& entry : words) lanes.push_back(entry.second.lanes);
  const auto middle = lanes.begin() + static_cast<std::ptrdiff_t>(lanes.size() / 2);
  std::nth_element(lanes.begin(), middle, lanes.end());
  std::erase_if(words, [few = *middle](const auto& entry) { return entry.second.lanes <= few; });
}

}  // namespace

MeetingLanes::MeetingLanes(std::vector<AddressOrigin> origins, const Dimensions& grid, Sample sample)
    : grid_(grid), origins_(std::move(origins)), sample_(std::move(sample)) {}

MeetingLanes::Words MeetingLanes::empty(const AddressOrigin& origin) const {
  Words words;
  std::map<std::uint64_t, double> standing_for;
  for (const auto& [group, stands_for] : sample_) {
    words.place.push_back(place_along(origin.axes, grid_, group));
    standing_for[words.place.back()] += stands_for;
  }
  double groups = 1;  // of a place
  for (std::size_t axis = 0; axis < 3; ++axis)
    (origin.axes[axis] ? words.all : groups) *= static_cast<double>(grid_[axis]);
  for (std::size_t i = 0; i < sample_.size(); ++i)
    words.alike.push_back(groups * sample_[i].second / standing_for[words.place[i]]);
  words.looked_at = static_cast<double>(standing_for.size());
  return words;
}

void MeetingLanes::add(const AddressEvent& event, bool one_lane, std::int64_t times) {
  if (event.mask == 0 || times <= 0) return;
  const auto& origin = origins_[event.instruction];
  const auto found = words_.find(event.instruction);
  auto& words = found != words_.end() ? found->second : words_.emplace(event.instruction, empty(origin)).first->second;
  words.executions += sample_[group_].second * static_cast<double>(times);
  const auto mask = one_lane && !origin.by_thread ? event.mask & (~event.mask + 1) : event.mask;
  for (std::size_t lane = 0; lane < event.addresses.size(); ++lane) {
    if (((mask >> lane) & 1) == 0) continue;
    const auto stride = event.strides.empty() ? 0 : event.strides[lane];
    const auto iterations = stride == 0 ? 1 : std::min(times, kMostIterations);
    const auto count = static_cast<double>(times) / static_cast<double>(iterations);
    for (std::int64_t k = 0; k < iterations; ++k) {
      auto& word = words.of[(event.addresses[lane] + static_cast<std::uint64_t>(k) * stride) / kWordBytes];
      word.lanes += count * words.alike[group_];
      word.drawn += count;
      const auto place = words.place[group_];
      if (word.places.empty() || word.places.back() != place) word.places.push_back(place);
      if (words.of.size() > kMostWords) forget_half(words.of);
    }
  }
}

double MeetingLanes::lanes_at(const Word& word, const Words& words, bool loaded) {
  if (words.looked_at >= words.all) return word.lanes;
  auto places = word.places;
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  const auto reached = static_cast<double>(places.size());
  const auto alone = loaded ? 1. : 0.;  // whether further places go to the word, where but one was looked at
  const auto others = words.looked_at > 1 ? (reached - 1) / (words.looked_at - 1) : alone;
  const auto lanes = word.lanes + (words.all - words.looked_at) * others * word.lanes / reached;
  return loaded ? lanes * mean_of(word.drawn, words.of.size()) / word.drawn : lanes;
}

std::map<std::uint32_t, double> MeetingLanes::per_execution() const {
  std::map<std::uint32_t, double> result;
  for (const auto& [instruction, words] : words_) {
    double most = 0;
    for (const auto& [address, word] : words.of)
      most = std::max(most, lanes_at(word, words, origins_[instruction].loaded));
    result[instruction] = most / words.executions;
  }
  return result;
}

}  // namespace warpipe::isa
