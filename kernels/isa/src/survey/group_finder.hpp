#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "lanes/prepared.hpp"
#include "survey/survey.hpp"
#include "symbolic/group_forms.hpp"

namespace warpipe::isa {

/// Places of so many, spread evenly, one at random in each of so many equal parts, so that they are in no step with any
/// period.
/// @return ascending, each once, fewer than `count` where there are fewer
std::vector<std::int64_t> spread_places(std::int64_t size, std::size_t count);

/// Finds which groups of a launch behave alike: by arithmetic where control is a form of the group, else by executing
/// what control needs in all groups, or in so many that the others can be taken to be like those nearest to them.
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
  std::size_t representatives() const { return representatives(false).size(); }
  /// Of a group that was looked at, in instructions of the slice.
  std::int64_t cost() const;
  /// The corners of the grid, and of its parts where these are few.
  std::vector<Dimensions> corners() const;
  /// Groups that the statistics are to be gathered of, with how many each stands for: all that stand for others, or
  /// some drawn by how many these are.
  std::vector<std::pair<Dimensions, double>> sample(std::size_t most) const;

 private:
  using Behaviour = std::vector<std::uint32_t>;
  using Places = Dimensions;  ///< along axes_
  /// Axes of the grid in a row, as one.
  struct Axis {
    std::size_t low = 0, high = 0;
    std::int64_t size = 1;
    bool decides = false;  ///< behaviour differs along it
  };
  /// Groups, and one of them that was executed or goes the same ways.
  struct Part : GroupBox {
    Places middle{0, 0, 0};
  };

  void use_axes(bool as_one);
  Dimensions group_at(const Places& places) const;
  Dimensions known_of(Dimensions group) const;
  Part whole() const;
  GroupBounds bounds_of(const GroupBox& box) const;
  std::size_t deciding_axis() const;
  std::uint32_t kind_of_group(const Dimensions& group);
  Behaviour execute(const Dimensions& group);
  double places_to_look_at(double budget);
  std::size_t fewest_places() const;
  std::size_t places_within(double budget, std::size_t most);
  void add_part(std::int64_t first, std::int64_t places, std::int64_t like);
  void recorded_groups();
  bool by_arithmetic();
  bool are_alike();
  bool every_group(double budget);
  void nearest_groups();
  const Part& part_at(std::int64_t place) const;
  void check();
  double work(std::uint32_t kind);
  double work_of_record(std::uint32_t record);
  double work_of(const std::vector<Region>& regions, std::uint32_t record);
  void name_kinds();
  std::vector<std::pair<Places, double>> representatives(bool few) const;

  const ExecutionInput& input_;
  Survey& survey_;
  Questions& questions_;
  std::optional<Stop> stop_;  ///< nothing more is executed
  ControlSlice control_;
  ExecutionInput control_input_;
  Prepared prepared_;
  std::int64_t warps_ = 1;
  std::vector<Axis> axes_;
  std::vector<Part> parts_;  ///< of the grid, in the order of the axis that decides where one does
  std::map<Dimensions, std::uint32_t> kind_of_;
  std::map<Behaviour, std::uint32_t> kinds_;
  std::vector<const Behaviour*> behaviours_;  ///< by kind
  std::map<std::uint32_t, double> work_;      ///< by record
  double spent_ = 0;                          ///< what executing them cost
  bool takes_neighbours_ = false;             ///< some groups were not executed, for others had taken too long
};

}  // namespace warpipe::isa
