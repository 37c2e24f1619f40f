
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "program/effort.hpp"
#include "survey/address_form.hpp"

namespace warpipe::isa {
namespace {

constexpr double kGolden = 0.618;  // a stride whose multiples do not come near each other

using Executions = std::vector<std::vector<std::int64_t>>;

class Sampler {
 public:
  Sampler(const AddressLog& log, std::span<const LoggedAccess> accesses, const Dimensions& block,
          const Dimensions& grid, std::int64_t most_sampled)
      : log_(log),
        grid_(grid),
        most_sampled_(most_sampled),
        bytes_(std::max(kSectorBytes, log.arrays()[accesses.front().array].bytes)) {
    warps_ = (block[0] * block[1] * block[2] + log.lanes() - 1) / log.lanes();
    const auto most =
        static_cast<std::size_t>(std::max<std::int64_t>(1, most_sampled_ / warps_ / kEffort.fewest_sampled_groups));
    for (const auto& access : accesses) {
      auto& of_warp = groups_[index_of(access.group)][access.warp];
      add(access, most, of_warp);
      per_warp_ = std::max(per_warp_, of_warp.size());
    }
  }

  AccessPattern::Sampled run() {
    choose();
    AccessPattern::Sampled sampled{0, static_cast<std::int64_t>(per_warp_), {}};
    const std::vector<std::int64_t> nothing(static_cast<std::size_t>(log_.lanes()), AccessPattern::kNotActive);
    for (const auto group : chosen_)
      for (std::uint32_t warp = 0; warp < warps_; ++warp) {
        const auto& of_warp = groups_[group][warp];
        for (std::size_t i = 0; i < per_warp_; ++i)
          sampled.executions.push_back(of_warp.empty() ? nothing : of_warp[i % of_warp.size()]);
      }
    sampled.shift_bytes = shift();
    if (sampled.shift_bytes == 0) shorten(sampled.executions);
    return sampled;
  }

 private:
  /// Leaves one warp's executions where all warps have the same.
  void shorten(Executions& executions) const {
    for (std::size_t i = per_warp_; i < executions.size(); ++i)
      if (executions[i] != executions[i - per_warp_]) return;
    executions.resize(per_warp_);
  }

  std::int64_t index_of(std::uint32_t group) const {
    const auto& place = log_.groups()[group].place;
    return (place[2] * grid_[1] + place[1]) * grid_[0] + place[0];
  }

  /// What the lanes reach, execution by execution. What lies before the array is not active.
  void add(const LoggedAccess& access, std::size_t most, Executions& executions) const {
    for (auto k = access.from; k < access.times && executions.size() < most; ++k) {
      auto& lanes = executions.emplace_back(static_cast<std::size_t>(log_.lanes()), AccessPattern::kNotActive);
      for (std::size_t lane = 0; lane < lanes.size(); ++lane)
        if (((access.mask >> lane) & 1) != 0)
          lanes[lane] = std::max(address_at(log_, access, k, lane), AccessPattern::kNotActive);
    }
  }

  /// As many groups as there is room for: those whose indices follow each other, then others.
  void choose() {
    std::vector<std::int64_t> order;
    std::size_t best = 0, longest = 0, first = 0;
    for (const auto& [group, unused] : groups_) {
      if (!order.empty() && order.back() + 1 != group) first = order.size();
      order.push_back(group);
      if (order.size() - first <= longest) continue;
      longest = order.size() - first;
      best = first;
    }
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(best);
    std::rotate(order.begin(), begin, begin + static_cast<std::ptrdiff_t>(longest));
    const auto room = static_cast<std::size_t>(most_sampled_) / (per_warp_ * static_cast<std::size_t>(warps_));
    // Of a larger launch some are left to compare with.
    const auto looked_at = static_cast<std::int64_t>(order.size());
    const auto most = looked_at == grid_[0] * grid_[1] * grid_[2] ? order.size() : std::max(longest, order.size() / 2);
    order.resize(std::min(most, std::max<std::size_t>(1, room)));
    chosen_ = {order.begin(), order.end()};
  }

  template <class Visit>
  void for_each_address(std::int64_t group, const Visit& visit) const {
    for (const auto& [warp, executions] : groups_.at(group))
      for (const auto& lanes : executions)
        for (const auto address : lanes)
          if (address != AccessPattern::kNotActive) visit(address);
  }

  /// How far samples go on from round to round, in whole sectors.
  std::int64_t shift() const {
    std::vector<std::int64_t> sampled;  // sectors
    double same = 0, others = 0;
    for (const auto group : chosen_)
      for_each_address(group, [&](std::int64_t address) { sampled.push_back(address / kSectorBytes); });
    std::ranges::sort(sampled);
    for (const auto& [group, unused] : groups_) {
      if (chosen_.contains(group)) continue;
      for_each_address(group, [&](std::int64_t address) {
        ++others;
        same += std::ranges::binary_search(sampled, address / kSectorBytes) ? 1 : 0;
      });
    }
    if (others == 0 || same >= kEffort.hot_share * others) return 0;
    const auto by_group = slope();
    const auto by_round =
        by_group != 0 ? by_group * static_cast<double>(chosen_.size()) : kGolden * static_cast<double>(bytes_);
    const auto sectors = static_cast<std::int64_t>(std::llround(by_round / static_cast<double>(kSectorBytes)));
    const auto in_array = std::max<std::int64_t>(1, bytes_ / kSectorBytes);
    return (sectors % in_array + in_array) % in_array * kSectorBytes;
  }

  /// By how many bytes the means of groups go on from one to the next; 0 where they do not lie on a line.
  double slope() const {
    double count = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (const auto& [group, unused] : groups_) {
      double sum = 0, addresses = 0;
      for_each_address(group, [&](std::int64_t address) {
        sum += static_cast<double>(address);
        ++addresses;
      });
      if (addresses == 0) continue;
      const auto mean = sum / addresses, index = static_cast<double>(group);
      ++count;
      x += index;
      y += mean;
      xx += index * index;
      xy += index * mean;
      yy += mean * mean;
    }
    const auto of_x = count * xx - x * x, of_y = count * yy - y * y, of_both = count * xy - x * y;
    if (count < 3 || of_x <= 0 || of_y <= 0 || of_both * of_both < kEffort.line_share * of_x * of_y) return 0;
    return of_both / of_x;
  }

  const AddressLog& log_;
  const Dimensions& grid_;
  std::int64_t most_sampled_, bytes_, warps_ = 1;
  std::size_t per_warp_ = 1;                                            ///< executions
  std::map<std::int64_t, std::map<std::uint32_t, Executions>> groups_;  ///< by index in the launch, by warp
  std::set<std::int64_t> chosen_;
};

}  // namespace

AccessPattern::Sampled sample_addresses(const AddressLog& log, std::span<const LoggedAccess> accesses,
                                        const Dimensions& block, const Dimensions& grid, std::size_t copies) {
  const auto most = std::clamp(kEffort.sampled_of_all / static_cast<std::int64_t>(copies), kEffort.fewest_sampled,
                               kEffort.sampled_executions);
  return Sampler(log, accesses, block, grid, most).run();
}

}  // namespace warpipe::isa
