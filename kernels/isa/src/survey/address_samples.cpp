
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "program/effort.hpp"
#include "survey/address_form.hpp"

namespace warpipe::isa {
namespace {

// Two strides with multiples far apart, their own and each other's.
constexpr double kGolden = 0.618, kPlastic = 0.755;

/// The least-squares line through points.
class Line {
 public:
  void add(double x, double y) {
    ++count_;
    x_ += x;
    y_ += y;
    xx_ += x * x;
    xy_ += x * y;
    yy_ += y * y;
  }
  /// 0 where the points do not lie on a line.
  double slope() const {
    const auto of_x = count_ * xx_ - x_ * x_, of_y = count_ * yy_ - y_ * y_, of_both = count_ * xy_ - x_ * y_;
    if (count_ < 3 || of_x <= 0 || of_y <= 0 || of_both * of_both < kEffort.line_share * of_x * of_y) return 0;
    return of_both / of_x;
  }

 private:
  double count_ = 0, x_ = 0, y_ = 0, xx_ = 0, xy_ = 0, yy_ = 0;
};

using Executions = std::vector<std::vector<std::int64_t>>;

class Sampler {
 public:
  Sampler(const AddressLog& log, std::span<const LoggedAccess> accesses, const Dimensions& block,
          const Dimensions& grid, std::int64_t most_sampled)
      : log_(log),
        grid_(grid),
        most_sampled_(most_sampled),
        bytes_(std::max(kSectorBytes, log.arrays()[accesses.front().array].all_bytes())) {
    warps_ = (block[0] * block[1] * block[2] + log.lanes() - 1) / log.lanes();
    const auto most = sampled_of_warp(accesses);
    for (const auto& access : accesses)
      add(access, kEffort.looked_at * most, groups_[index_of(access.group)][access.warp]);
    for (auto& [group, warps] : groups_)
      for (auto& [warp, executions] : warps) {
        per_warp_ = std::max(per_warp_, std::min(most, executions.size()));
        if (executions.size() <= most) continue;
        auto& later = later_[group][warp];
        later.assign(executions.begin() + static_cast<std::ptrdiff_t>(most), executions.end());
        executions.resize(most);
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
    const bool has_others = chosen_.size() < groups_.size();
    if (has_others) find_fixed();
    if (fixed_.size() < per_warp_) {
      if (has_others) sampled.shift_bytes = shift();
      sampled.again_bytes = again();
      sampled.fixed = {fixed_.begin(), fixed_.end()};
    }
    if (sampled.shift_bytes == 0) shorten(sampled.executions);
    return sampled;
  }

 private:
  /// Shortens the list to the first warp's executions where all warps have the same.
  void shorten(Executions& executions) const {
    for (std::size_t i = per_warp_; i < executions.size(); ++i)
      if (executions[i] != executions[i - per_warp_]) return;
    executions.resize(per_warp_);
  }

  /// Executions sampled per warp: an equal part of the room, or a whole pass of an inner loop where there is room,
  /// since each of its iterations may reach elsewhere.
  std::size_t sampled_of_warp(std::span<const LoggedAccess> accesses) const {
    const auto room = static_cast<std::size_t>(std::max<std::int64_t>(1, most_sampled_ / warps_));
    const auto usual = std::max<std::size_t>(1, room / static_cast<std::size_t>(kEffort.fewest_sampled_groups));
    std::size_t pass = 0, longest = 0;
    for (const auto& access : accesses) {
      if (access.group != accesses.front().group || access.warp != accesses.front().warp) break;
      const auto iterations = log_.list(access.iterations);
      if (iterations.empty() || iterations.back() == 0) pass = 0;
      pass += static_cast<std::size_t>(access.times - access.from);
      longest = std::max(longest, pass);
    }
    return longest > room ? usual : std::max(usual, longest);
  }

  std::int64_t index_of(std::uint32_t group) const { return index_of_group(grid_, log_.groups()[group].place); }

  /// Appends the lanes' addresses, execution by execution. An address before the array counts as an inactive lane.
  void add(const LoggedAccess& access, std::size_t most, Executions& executions) const {
    for (auto k = access.from; k < access.times && executions.size() < most; ++k) {
      auto& lanes = executions.emplace_back(static_cast<std::size_t>(log_.lanes()), AccessPattern::kNotActive);
      for (std::size_t lane = 0; lane < lanes.size(); ++lane)
        if (((access.mask >> lane) & 1) != 0)
          lanes[lane] = std::max(address_at(log_, access, k, lane), AccessPattern::kNotActive);
    }
  }

  /// Chooses as many groups as there is room for: the longest run of consecutive indices, then further groups.
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
    // Some groups of a larger launch are left for comparison.
    const auto looked_at = static_cast<std::int64_t>(order.size());
    const auto most = looked_at == grid_[0] * grid_[1] * grid_[2] ? order.size() : std::max(longest, order.size() / 2);
    order.resize(std::min(most, std::max<std::size_t>(1, room)));
    chosen_ = {order.begin(), order.end()};
  }

  using Sectors = std::vector<std::int64_t>;

  /// Tells whether addresses stay within the sectors reached before.
  class Revisits {
   public:
    void count(const Sectors& before, const Sectors& sectors) {
      others_ += static_cast<double>(sectors.size());
      for (const auto sector : sectors) same_ += std::ranges::binary_search(before, sector) ? 1 : 0;
    }
    bool stay() const { return others_ == 0 || same_ >= kEffort.hot_share * others_; }

   private:
    double same_ = 0, others_ = 0;
  };

  /// Finds the executions whose addresses further groups share with the sampled groups.
  void find_fixed() {
    for (std::size_t execution = 0; execution < per_warp_; ++execution) {
      Sectors sampled;
      for (const auto group : chosen_) append(group, execution, sampled);
      std::ranges::sort(sampled);
      Revisits revisits;
      for (const auto& [group, unused] : groups_) {
        Sectors of_group;
        if (!chosen_.contains(group)) append(group, execution, of_group);
        revisits.count(sampled, of_group);
      }
      if (revisits.stay()) fixed_.insert(static_cast<std::int64_t>(execution));
    }
  }

  /// Bytes from a round of samples to the next, whole sectors.
  std::int64_t shift() const {
    Line means;
    for (const auto& [group, unused] : groups_) {
      Sectors sectors;
      for (std::size_t execution = 0; execution < per_warp_; ++execution)
        if (!is_fixed(execution)) append(group, execution, sectors);
      if (!sectors.empty()) means.add(static_cast<double>(group), mean(sectors));
    }
    return in_array(means.slope() * static_cast<double>(chosen_.size()), kGolden);
  }

  /// Bytes by which a warp's samples move on each time the warp begins them again.
  std::int64_t again() const {
    Revisits revisits;
    Line means;
    for (const auto& [group, warps] : later_)
      for (const auto& [warp, executions] : warps) {
        const auto first = sectors_of_pass(groups_.at(group).at(warp), 0);
        if (first.empty()) continue;
        means.add(0, 0);
        for (std::size_t from = 0; from + per_warp_ <= executions.size(); from += per_warp_) {
          const auto sectors = sectors_of_pass(executions, from);
          revisits.count(first, sectors);
          if (!sectors.empty()) means.add(static_cast<double>(from / per_warp_ + 1), mean(sectors) - mean(first));
        }
      }
    return revisits.stay() ? 0 : in_array(means.slope(), kPlastic);
  }

  bool is_fixed(std::size_t execution) const { return fixed_.contains(static_cast<std::int64_t>(execution)); }

  /// Appends the sectors that a group's warps reach in an execution.
  void append(std::int64_t group, std::size_t execution, Sectors& sectors) const {
    for (const auto& [warp, executions] : groups_.at(group))
      if (execution < executions.size()) append(executions[execution], sectors);
  }

  static void append(const std::vector<std::int64_t>& lanes, Sectors& sectors) {
    for (const auto address : lanes)
      if (address != AccessPattern::kNotActive) sectors.push_back(address / kSectorBytes);
  }

  /// Sorted sectors of as many executions of a warp as are sampled, fixed executions left out.
  Sectors sectors_of_pass(const Executions& executions, std::size_t from) const {
    Sectors sectors;
    for (std::size_t i = 0; i < per_warp_ && from + i < executions.size(); ++i)
      if (!is_fixed(i)) append(executions[from + i], sectors);
    std::ranges::sort(sectors);
    return sectors;
  }

  static double mean(const Sectors& sectors) {
    double sum = 0;
    for (const auto sector : sectors) sum += static_cast<double>(sector);
    return sum / static_cast<double>(sectors.size());
  }

  /// Sectors as bytes within the array; for 0 sectors, a part of the array.
  std::int64_t in_array(double sectors, double part) const {
    const auto all = std::max<std::int64_t>(1, bytes_ / kSectorBytes);
    if (sectors == 0) sectors = part * static_cast<double>(all);
    return (std::llround(sectors) % all + all) % all * kSectorBytes;
  }

  const AddressLog& log_;
  const Dimensions& grid_;
  std::int64_t most_sampled_, bytes_, warps_ = 1;
  std::size_t per_warp_ = 1;                                            ///< executions
  std::map<std::int64_t, std::map<std::uint32_t, Executions>> groups_;  ///< by index in the launch, by warp
  std::map<std::int64_t, std::map<std::uint32_t, Executions>> later_;   ///< further executions, behind `groups_`
  std::set<std::int64_t> chosen_;
  std::set<std::int64_t> fixed_;  ///< executions of a warp with the same sectors in all groups
};

}  // namespace

AccessPattern::Sampled sample_addresses(const AddressLog& log, std::span<const LoggedAccess> accesses,
                                        const Dimensions& block, const Dimensions& grid, std::size_t copies) {
  const auto most = std::clamp(kEffort.sampled_of_all / static_cast<std::int64_t>(copies), kEffort.fewest_sampled,
                               kEffort.sampled_executions);
  return Sampler(log, accesses, block, grid, most).run();
}

}  // namespace warpipe::isa
