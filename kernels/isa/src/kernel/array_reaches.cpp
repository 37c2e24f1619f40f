#include "kernel/report_on.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "kernel/address_writer.hpp"
#include "program/effort.hpp"
#include "survey/address_log.hpp"
#include "survey/reach_of_forms.hpp"
#include "survey/touched_sectors.hpp"

namespace warpipe::isa {
namespace {

constexpr double kOnePlace = 16;  ///< bytes: the widest element

class ArrayCounter {
 public:
  ArrayCounter(const Program& program, const Survey& survey, const AddressReader& reader,
               const std::map<std::uint32_t, AddressForm>& forms)
      : program_(program),
        log_(*survey.log),
        said_(survey.said_addresses),
        reader_(reader),
        forms_(forms),
        kind_of_(kinds_of(log_, survey.kinds)) {
    for (std::size_t group = 0; group < kind_of_.size(); ++group) {
      const auto& place = log_.groups()[group].place;
      boxes_.push_back(kind_of_[group] ? survey.kinds[*kind_of_[group]].box : GroupBounds{place, place});
    }
  }

  /// The reach in an array: by the forms of its addresses where they do better than the groups looked at.
  /// @param is_counted  gets whether each place was counted
  Reach count(const TouchedSectors::Touched& touched, bool& is_counted) const {
    is_counted = touched.is_exact && are_known(touched);
    if (touched.is_exact || touched.array == kNoArray) return touched.reach;
    const auto bytes = log_.arrays()[touched.array].all_bytes();
    if (touched.is_part || !are_known(touched) || !have_forms(touched)) return within(touched.reach, bytes);
    ReachOfForms by_forms(reader_, boxes_);
    bool execute_all = true;
    for (const auto index : touched.instructions) {
      by_forms.add(forms_.at(index), log_.of(index), program_.instructions[index].access->bytes);
      execute_all = execute_all && is_executed_by_all(index);
    }
    const auto reach = by_forms.count();
    is_counted = execute_all || touched.most >= kEffort.seen_share * reach.sectors;
    return is_counted ? reach : touched.reach;
  }

 private:
  /// Limits a reach to the array's size.
  static Reach within(const Reach& reach, std::int64_t bytes) {
    const auto all = static_cast<double>((bytes - 1) / kSectorBytes + 1);
    return {std::min(reach.sectors, all), std::min(reach.bytes, static_cast<double>(bytes))};
  }

  bool are_known(const TouchedSectors::Touched& touched) const {
    return std::ranges::none_of(touched.instructions, [&](std::uint32_t index) { return said_.contains(index); });
  }

  bool have_forms(const TouchedSectors::Touched& touched) const {
    return std::ranges::all_of(touched.instructions, [&](std::uint32_t index) {
      const auto found = forms_.find(index);
      return found != forms_.end() && ReachOfForms::is_countable(reader_.forms(), found->second) &&
             log_.not_kept(index) == 0;
    });
  }

  /// Whether all logged groups of a known kind execute an instruction.
  bool is_executed_by_all(std::uint32_t index) const {
    std::set<std::uint32_t> groups;
    for (const auto& access : log_.of(index)) groups.insert(access.group);
    for (std::uint32_t group = 0; group < kind_of_.size(); ++group)
      if (kind_of_[group] && !groups.contains(group)) return false;
    return true;
  }

  const Program& program_;
  const AddressLog& log_;
  const std::set<std::uint32_t>& said_;
  const AddressReader& reader_;
  const std::map<std::uint32_t, AddressForm>& forms_;
  std::vector<std::optional<std::size_t>> kind_of_;  ///< the groups of the log
  std::vector<GroupBounds> boxes_;                   ///< likewise
};

double lanes_of(const std::set<std::uint32_t>& instructions, const Tally& all) {
  double lanes = 0;
  for (const auto index : instructions)
    if (const auto found = all.accesses.find(index); found != all.accesses.end()) lanes += found->second.lanes.sum;
  return lanes;
}

}  // namespace

ReachOfLaunch reach_of_launch(const Program& program, const Survey& survey, const Tally& all,
                              const AddressReader& reader, const std::map<std::uint32_t, AddressForm>& forms) {
  const ArrayCounter counter(program, survey, reader, forms);
  const auto& arrays = survey.log->arrays();
  ReachOfLaunch result;
  std::map<std::uint32_t, ArrayReach> reaches;
  for (const auto& touched : survey.touched->arrays()) {
    bool is_counted = false;
    const auto reach = counter.count(touched, is_counted);
    result.compulsory_bytes += std::round(reach.sectors) * static_cast<double>(kSectorBytes);
    auto& array = reaches[touched.array];
    if (touched.array != kNoArray) array.name = arrays[touched.array].name;
    (touched.written ? array.written : array.read) = std::round(reach.bytes);
    array.lanes += lanes_of(touched.instructions, all);
    array.is_counted = array.is_counted && is_counted;
    if (touched.written) array.is_result = touched.most_of_groups <= kOnePlace && array.read <= array.written;
  }
  for (auto& [index, array] : reaches) result.arrays.push_back(std::move(array));
  return result;
}

}  // namespace warpipe::isa
