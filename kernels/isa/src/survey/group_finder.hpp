#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "lanes/prepared.hpp"
#include "survey/axis_profile.hpp"
#include "survey/survey.hpp"

namespace warpipe::isa {

/// Finds which groups of a launch behave alike by executing what control needs, and no more.
class GroupFinder {
 public:
  /// @param survey  gets records and what was executed; outlives this, as do the others
  GroupFinder(const ExecutionInput& input, Survey& survey, Questions& questions);

  /// Fills the kinds, their order and the survey of the execution; leaves them to take_as_all where control depends on
  /// no axis of the grid.
  std::optional<Stop> run();
  /// Makes of the records of one group's warps the only kind.
  void take_as_all(std::vector<std::uint32_t> records);

  /// How many groups stand for all.
  std::size_t representatives() const;
  /// Of a group that was looked at, in instructions of the slice.
  std::int64_t cost() const;
  /// Groups that the statistics are to be gathered of, with how many each stands for.
  std::vector<std::pair<Dimensions, double>> sample(std::size_t most) const;

 private:
  using Behaviour = std::vector<std::uint32_t>;
  using Places = std::vector<std::int64_t>;
  /// Axes of the grid in a row, as one.
  struct Axis {
    std::size_t low = 0, high = 0;
    std::int64_t size = 1;
    bool decides = false;  ///< behaviour differs along it
    AxisProfile profile;
  };

  void use_axes(bool as_one);
  Dimensions group_at(const Places& places) const;
  Dimensions known_of(Dimensions group) const;
  Places middle() const;
  std::uint32_t kind_of(const Places& places);
  std::uint32_t kind_of_group(const Dimensions& group);
  Behaviour execute(const Dimensions& group);
  double places_to_look_at(double budget);
  std::size_t fewest_places() const;
  std::size_t places_within(double budget, std::size_t most);
  bool every_group(double budget);
  void recorded_groups();
  bool along_each_axis();
  void as_one_axis();
  std::size_t check();
  double work(std::uint32_t kind);
  double work_of_record(std::uint32_t record);
  double work_of(const std::vector<Region>& regions, std::uint32_t record);
  void name_kinds();
  std::vector<GroupKinds::Run> runs(std::size_t axis, Places& places);

  const ExecutionInput& input_;
  Survey& survey_;
  Questions& questions_;
  std::optional<Stop> stop_;  ///< nothing more is executed
  ControlSlice control_;
  ExecutionInput control_input_;
  Prepared prepared_;
  std::int64_t warps_ = 1;
  std::vector<Axis> axes_;
  std::map<Dimensions, std::uint32_t> kind_of_;
  std::map<Behaviour, std::uint32_t> kinds_;
  std::vector<const Behaviour*> behaviours_;  ///< by kind
  std::map<std::uint32_t, double> work_;      ///< by record
  double spent_ = 0;                          ///< what executing them cost
  bool takes_neighbours_ = false;             ///< some groups were not executed, for others had taken too long
};

}  // namespace warpipe::isa
