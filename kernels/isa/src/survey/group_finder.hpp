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

/// Places below `size`, evenly spread: a random place in each of `count` equal parts, out of step with any period.
/// @return ascending, each once, fewer than `count` where there are fewer
std::vector<std::int64_t> spread_places(std::int64_t size, std::size_t count);

/// Finds the kinds of groups in a launch: by arithmetic where control is a form of the group; else by executing the
/// slice of control in all groups, or in enough groups to take each of the rest to be like an executed group nearby.
class GroupFinder {
 public:
  /// @param survey  gets records and the number of executed instructions; outlives this, as do input and questions
  GroupFinder(const ExecutionInput& input, Survey& survey, Questions& questions);

  /// Fills the kinds, their order and the survey's note on groups; leaves them to take_as_all where control depends on
  /// no axis of the grid, or the first group is too costly.
  std::optional<Stop> run();
  /// Makes the records of one group's warps the only kind.
  void take_as_all(std::vector<std::uint32_t> records);

  /// Number of groups that stand for all.
  std::size_t representatives() const { return representatives(false).size(); }
  /// Mean cost of a group, in instructions of the slice.
  std::int64_t cost() const;
  /// The corners of the grid, and of its parts where these are few.
  std::vector<Dimensions> corners() const;
  /// Groups for the statistics, each with the number of groups that it stands for: all groups of the parts, or a draw
  /// by these numbers, with a group of each kind too rare to be drawn.
  std::vector<std::pair<Dimensions, double>> sample(std::size_t most) const;

 private:
  using Behaviour = std::vector<std::uint32_t>;
  using Places = Dimensions;  ///< along axes_
  /// Consecutive axes of the grid, merged.
  struct Axis {
    std::size_t low = 0, high = 0;
    std::int64_t size = 1;
    bool decides = false;  ///< behaviour differs along it
  };
  /// A box of groups, and a group in it, executed or with the ways of the executed group.
  struct Part : GroupBox {
    Places middle{0, 0, 0};
  };

  /// A group of a part.
  struct Representative {
    Places places{0, 0, 0};
    double groups = 1;  ///< it stands for so many
    std::uint32_t kind = 0;
  };

  /// Groups with the work of one of them.
  struct Cell {
    double work = 0, groups = 0;
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
  void some_groups();
  void nearest_groups(std::int64_t most);
  void add_changes(const Dimensions& group, std::array<double, 3>& changes);
  void tiles_of_groups();
  std::array<double, 3> weights_of_axes(const std::array<double, 3>& changes) const;
  std::vector<Part> tiles_with(const Dimensions& counts) const;
  Dimensions tiles_along(double most, const std::array<double, 3>& changes) const;
  static double groups_of(const GroupBox& box);
  void note_error(const std::vector<Cell>& cells, const Dimensions& counts);
  double work(std::uint32_t kind);
  double work_of_record(std::uint32_t record);
  double work_of(const std::vector<Region>& regions, std::uint32_t record);
  void name_kinds();
  std::vector<Representative> representatives(bool few) const;
  static std::vector<Representative> take_rare_kinds(std::size_t most, std::vector<Representative>& all);

  const ExecutionInput& input_;
  Survey& survey_;
  Questions& questions_;
  std::optional<Stop> stop_;  ///< nothing more is executed
  ControlSlice control_;
  ExecutionInput control_input_;
  Prepared prepared_;
  std::int64_t warps_ = 1;
  std::vector<Axis> axes_;
  std::vector<Part> parts_;  ///< of the grid, in order along the deciding axis, if there is one
  std::map<Dimensions, std::uint32_t> kind_of_;
  std::map<Behaviour, std::uint32_t> kinds_;
  std::vector<const Behaviour*> behaviours_;  ///< by kind
  std::map<std::uint32_t, double> work_;      ///< by record
  double spent_ = 0;                          ///< cost of the executed groups
  bool takes_neighbours_ = false;             ///< some groups were not executed: earlier groups took too long
};

}  // namespace warpipe::isa
