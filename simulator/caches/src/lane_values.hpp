#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "warpipe/idg/operations.hpp"

namespace warpipe {

/// The possible values of an unknown whole number.
struct Range {
  double least = 0, most = 0;
  bool is_point() const { return least == most; }
};

/// A number per lane, growing by the same step with each coordinate in all lanes, or in all lanes but some that stay.
struct LaneForm {
  std::vector<double> at;           ///< by lane, with all coordinates 0
  std::vector<double> steps;        ///< by coordinate
  std::vector<std::uint8_t> stays;  ///< by lane; empty where all move
};

/// A place between the halves of a range.
struct Cut {
  std::size_t coordinate = 0;
  double second = 0;  ///< the least coordinate of the second half
};

/// The names visible to the expressions of a warp beside coordinates.
struct LaneNames {
  struct Name {
    std::string name;
    std::vector<double> numbers;  ///< one for all lanes, or one per lane
  };
  std::size_t lanes = 0;  ///< of the warp, >= 1
  std::vector<Name> names;
};

/// Room for the values of an expression while it is evaluated.
struct LaneRoom {
  std::vector<double> values, truths;
  std::vector<bool> moves, has_stays;
  std::vector<std::uint8_t> stays;
  LaneForm form;
  std::vector<double> obstacle;  ///< by coordinate
  std::optional<Cut> cut;
};

/// An expression for the lanes of a warp. It sees numbers per lane, numbers equal in all lanes, and coordinates, which
/// move from one execution to the next: the group and the counters of loops.
class LaneValues {
 public:
  /// @param operations   of the expression
  /// @param names        for every name of the expression besides coordinates
  /// @param coordinates  their names
  /// @param room         may be shared with other expressions between calls; outlives this, as do the operations and
  ///                     names
  LaneValues(const std::vector<Operation>& operations, const LaneNames& names, std::span<const std::string> coordinates,
             LaneRoom& room);

  /// Whether the value depends on the coordinate.
  bool uses(std::size_t coordinate) const { return uses_[coordinate]; }

  /// Finds the form of the expression for all coordinates in these ranges, by exact rules, such as: min(a, b) is a if
  /// the most possible value of a is at most the least of b.
  /// @param ranges  by coordinate
  /// @return        null if no rule applies, or if the expression may have no value. Over points there is a form
  ///                whenever the expression has values. Valid until the room is used again
  const LaneForm* over(std::span<const Range> ranges);

  /// After an over() without a form: the movement of the first value without a rule with each coordinate, >= 0. All 0
  /// if unknown. Valid until the room is used again.
  std::span<const double> obstacle() const { return room_.obstacle; }
  /// After an over() without a form: the cut with most of the ranges on the side where a comparison has one answer;
  /// none where another rule is the obstacle. Valid until the room is used again.
  const std::optional<Cut>& cut() const { return room_.cut; }

 private:
  /// Values of one operation.
  struct Row {
    double* at = nullptr;           ///< by lane
    double* steps = nullptr;        ///< by coordinate
    std::uint8_t* stays = nullptr;  ///< by lane: whether the steps do not count, valid if some lane stays
    bool moves = false;             ///< some step is not 0
    bool has_stays = false;         ///< some lane stays

    bool some_stay() const { return moves && has_stays; }
    bool moves_in(std::size_t lane) const { return moves && !(has_stays && stays[lane]); }
  };
  /// The least and the most change of a value by the coordinates, from its value at 0.
  struct Reach {
    double least = 0, most = 0;
    Reach in_lane(const Row& row, std::size_t lane) const { return row.moves_in(lane) ? *this : Reach{}; }
  };

  std::size_t index_of(const Operation& operation) const {
    return static_cast<std::size_t>(&operation - operations_.data());
  }
  Row row(std::size_t operation);
  /// Finds the operations without coordinates below them: they have the same values in all ranges.
  void find_fixed();
  /// Computes the values of these operations, once for all.
  void compute_fixed();
  Reach reach(const double* steps) const;
  /// Each rule puts its value into `result`.
  /// @return false if it does not apply; then the steps belong to the uncertain value
  bool evaluate(const Operation& operation, Row& result);
  void set_name(const Operation& operation, Row& result);
  bool add(Operator op, Row left, Row right, Row& result);
  bool scale(Operator op, Row left, Row right, Row& result);
  bool round(Operator op, Row left, Row& result);
  bool modulo(Row left, Row right, Row& result);
  bool choose(Operator op, Row left, Row right, Row& result);
  bool compare(Operator op, Row left, Row right, Row& result);
  bool combine(Operator op, Row left, Row right, Row& result);
  bool absolute(Row left, Row& result);
  void keep_stays(Row from, Row& result) const;
  bool fails_with_stays(Row left, Row right, Row& result) const;
  bool truth(Row row, double* result) const;
  /// Notes the best cut for the answer to "left - right < 0", or "<= 0".
  void note_cut(Operator op, Row left, Row right, const double* steps);
  void apply_to_lanes(Operator op, Row left, Row right, Row& result) const;

  const std::vector<Operation>& operations_;
  std::vector<const std::vector<double>*> numbers_;  ///< by operation: of a name besides coordinates
  std::vector<std::size_t> coordinate_;              ///< by operation: of a coordinate's name
  std::vector<bool> uses_;
  std::size_t lanes_, coordinates_;
  /// Operations with coordinates below them, and those without that are not computed yet, in order.
  std::vector<std::size_t> moving_, fixed_;
  std::vector<std::size_t> kept_;  ///< by operation: the place of its fixed values, if moving operations use them
  std::size_t kept_count_ = 0;
  std::vector<double> kept_values_;  ///< by place and lane, once computed
  std::vector<double> no_steps_;     ///< by coordinate
  bool has_value_ = true;            ///< unless a fixed operation has none
  LaneRoom& room_;
  std::span<const Range> ranges_;
};

}  // namespace warpipe
