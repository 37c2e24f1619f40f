#include "unknown/pitch_finder.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "program/effort.hpp"
#include "survey/sampler.hpp"
#include "unknown/defaults.hpp"
#include "unknown/questioner.hpp"

namespace warpipe::isa {
namespace {

constexpr std::int64_t kStep = 64;  // a pitch on trial: whole in units of up to 64 bytes
constexpr std::int64_t kMostPitch = std::int64_t{1} << 40;
constexpr auto kNowhere = std::numeric_limits<std::size_t>::max();

/// Bytes that each address moves per unit of a pitch; nothing where the moves are not in proportion.
std::optional<std::vector<std::int64_t>> slopes(const std::vector<std::uint64_t>& base,
                                                const std::vector<std::uint64_t>& moved) {
  if (base.size() != moved.size()) return std::nullopt;
  std::vector<std::int64_t> all(base.size());
  for (std::size_t i = 0; i < base.size(); ++i) {
    const auto by = static_cast<std::int64_t>(moved[i] - base[i]);
    if (by % kStep != 0) return std::nullopt;
    all[i] = by / kStep;
  }
  return all;
}

std::size_t first_change(const std::vector<std::int64_t>& rows) {
  const auto found = std::ranges::adjacent_find(rows, std::not_equal_to());
  return found == rows.end() ? kNowhere : static_cast<std::size_t>(found - rows.begin());
}

/// Whether a pitch moves all addresses as far as the slopes say.
bool is_as(const std::map<std::uint32_t, std::vector<std::uint64_t>>& moved,
           const std::map<std::uint32_t, std::vector<std::uint64_t>>& base,
           const std::map<std::uint32_t, std::vector<std::int64_t>>& rows, std::int64_t pitch) {
  return std::ranges::all_of(base, [&](const auto& one) {
    const auto &after = moved.at(one.first), &before = one.second;
    const auto& slope = rows.at(one.first);
    bool same = after.size() == before.size();
    for (std::size_t i = 0; same && i < before.size(); ++i)
      same = after[i] == before[i] + static_cast<std::uint64_t>(slope[i] * pitch);
    return same;
  });
}

/// Extent of the accesses to an array.
struct Extent {
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), end = std::numeric_limits<std::int64_t>::min();
  std::int64_t first = 0;   ///< row
  std::int64_t unit = 0;    ///< divides all rows less the first
  std::int64_t widest = 1;  ///< bytes of an access: each row begins at a multiple
};

}  // namespace

PitchFinder::PitchFinder(const Prepared& kernel, std::vector<Argument>& arguments, std::vector<std::size_t> pitches,
                         const std::set<std::uint32_t>& accesses, std::int64_t most)
    : kernel_(kernel),
      arguments_(arguments),
      pitches_(std::move(pitches)),
      arrays_(bases_of_arrays(kernel.input, kernel.memory)),
      open_(pitches_.size(), true),
      left_(most) {
  for (const auto access : accesses) wanted_.accesses[access];
  choose_warps();
}

std::vector<std::optional<std::int64_t>> PitchFinder::find() {
  std::vector<std::optional<std::int64_t>> all(pitches_.size());
  std::vector<std::uint64_t> before;
  for (std::size_t pitch = 0; pitch < pitches_.size(); ++pitch) before.push_back(std::exchange(bits_of(pitch), 0));
  for (auto base = run(); left_ > 0;) {
    const auto found = innermost(base);
    if (!found || left_ <= 0) break;
    open_[found->pitch] = false;
    const auto value = least(base, found->rows);
    auto moved = run_with(found->pitch, value);
    if (left_ <= 0 || value > kMostPitch || !is_as(moved, base, found->rows, value)) continue;
    all[found->pitch] = value;
    bits_of(found->pitch) = static_cast<std::uint64_t>(value);
    base = std::move(moved);
  }
  for (std::size_t pitch = 0; pitch < pitches_.size(); ++pitch)
    if (!all[pitch]) bits_of(pitch) = before[pitch];
  return all;
}

/// Chooses warps of the groups at the corners of the grid, which reach the ends of rows, and some groups and warps at
/// distances of powers of two, where rows differ.
void PitchFinder::choose_warps() {
  const auto& grid = kernel_.input.launch.grid;
  const auto last = warps_per_group(kernel_.input) - 1;
  add_warp({0, 0, 0}, 0, kEffort.far_trial);
  for (std::int64_t warp = 1; warp < last; warp *= 2) add_warp({0, 0, 0}, warp, kEffort.near_trial);
  add_warp({0, 0, 0}, last, kEffort.far_trial);
  for (std::size_t axis = 0; axis < grid.size(); ++axis)
    for (std::int64_t place = 1; place < grid[axis] - 1; place *= 2) {
      Dimensions group{0, 0, 0};
      group[axis] = place;
      add_warp(group, 0, kEffort.near_trial);
    }
  for (std::size_t corner = 1; corner < 8; ++corner)
    for (const auto warp : {std::int64_t{0}, last})
      add_warp({corner & 1 ? grid[0] - 1 : 0, corner & 2 ? grid[1] - 1 : 0, corner & 4 ? grid[2] - 1 : 0}, warp,
               kEffort.far_trial);
}

void PitchFinder::add_warp(const Dimensions& group, std::int64_t warp, std::int64_t most) {
  const auto is_there = [&](const Warp& one) { return one.group == group && one.warp == warp; };
  if (std::ranges::none_of(warps_, is_there)) warps_.push_back({group, warp, most});
}

/// Addresses of the warps with the current pitches.
PitchFinder::Reached PitchFinder::run() {
  auto trial = wanted_;
  for (const auto& [group, warp, most] : warps_) {
    const auto tried = try_warp(kernel_, group, warp, std::min(most, left_), trial);
    is_cut_ = is_cut_ || (tried.is_cut && most == kEffort.far_trial);
    left_ -= tried.executed;
    if (left_ <= 0) break;
  }
  return std::move(trial.accesses);
}

PitchFinder::Reached PitchFinder::run_with(std::size_t pitch, std::int64_t value) {
  const auto before = std::exchange(bits_of(pitch), static_cast<std::uint64_t>(value));
  auto reached = run();
  bits_of(pitch) = before;
  return reached;
}

std::uint64_t PitchFinder::array_of(std::uint32_t instruction, std::uint64_t address) const {
  if (arrays_[instruction].bytes > 0) return arrays_[instruction].address;  // a region
  if (const auto found = find_pointer(kernel_.input.program, address))
    return address - static_cast<std::uint64_t>(found->offset);
  return array_number(address) << kArrayShift;
}

/// The open pitch whose rows change first; of several, the later parameter: outer sizes come first in lists of
/// arguments.
std::optional<PitchFinder::Found> PitchFinder::innermost(const Reached& base) {
  std::optional<Found> best;
  for (auto pitch = pitches_.size(); pitch-- > 0;) {
    if (!open_[pitch]) continue;
    const auto moved = run_with(pitch, kStep);
    Found found{pitch, {}, kNowhere};
    std::map<std::uint64_t, std::int64_t> row_of;  // by array
    for (const auto& [instruction, addresses] : base) {
      auto rows = slopes(addresses, moved.at(instruction));
      open_[pitch] = open_[pitch] && rows;
      if (!rows) break;
      found.changes = std::min(found.changes, first_change(*rows));
      // Rows told apart only by instructions of unrolled loops are the outermost.
      for (std::size_t i = 0; i < rows->size(); ++i)
        if (const auto row = row_of.emplace(array_of(instruction, addresses[i]), (*rows)[i]).first->second;
            row != (*rows)[i])
          found.changes = std::min(found.changes, kNowhere - 1);
      found.rows[instruction] = std::move(*rows);
    }
    if (open_[pitch] && found.changes < (best ? best->changes : kNowhere)) best = std::move(found);
  }
  return best;
}

std::int64_t PitchFinder::least(const Reached& base, const Rows& rows) const {
  std::map<std::uint64_t, Extent> arrays;
  for (const auto& [instruction, slope] : rows) {
    const auto bytes = kernel_.at(instruction).access->bytes;
    const auto& addresses = base.at(instruction);
    for (std::size_t i = 0; i < slope.size(); ++i) {
      const auto start = array_of(instruction, addresses[i]);
      auto& array = arrays.try_emplace(start, Extent{.first = slope[i]}).first->second;
      array.widest = std::max<std::int64_t>(array.widest, bytes);
      const auto place = static_cast<std::int64_t>(addresses[i] - start);
      array.least = std::min(array.least, place);
      array.end = std::max(array.end, place + bytes);
      array.unit = std::gcd(array.unit, slope[i] - array.first);
    }
  }
  std::int64_t most = 0;
  for (const auto& [start, array] : arrays) {
    if (array.unit == 0) continue;  // a single row
    const auto extent = (array.end - array.least + array.widest - 1) / array.widest * array.widest;
    most = std::max(most, (extent + array.unit - 1) / array.unit);
    if (is_cut_ && extent > array.widest)
      most = std::max(most, kGuesses.size);  // rows may extend further than was seen
  }
  return most;
}

TriedWarp try_warp(const Prepared& kernel, const Dimensions& group, std::int64_t warp, std::int64_t most,
                   SizeTrial& trial) {
  Survey survey;
  Questioner questions(kernel.input.launch);
  TriedWarp tried;
  try {
    const auto record = run_warp(kernel, survey, questions, group, warp, {most, nullptr, &trial});
    const auto* stop = stop_in(record);
    tried.is_cut = stop != nullptr && stop->why == Stop::Why::Costly;
  } catch (const InputError&) {  // as far as it got
  }
  tried.executed = survey.executed;
  return tried;
}

}  // namespace warpipe::isa
