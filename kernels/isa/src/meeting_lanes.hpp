#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "access_cost.hpp"
#include "slice.hpp"
#include "warpipe/isa/launch.hpp"

namespace warpipe::isa {

/// Lanes of atomic operations that meet, of all groups of a launch: on a word of memory they take turns.
///
/// What counts is the word that most of them go to, since words apart are served at a time. Groups that are not looked
/// at go to the words of those that differ only along axes that the address does not depend on. Others go to a word as
/// often as those looked at do that are not the first to go there. Where the address is made of numbers from memory,
/// what chance alone makes of the largest of many counts is taken off.
class MeetingLanes {
 public:
  using Sample = std::vector<std::pair<Dimensions, double>>;  ///< groups looked at, and how many each stands for

  /// @param origins  of the addresses, by instruction
  MeetingLanes(std::vector<AddressOrigin> origins, const Dimensions& grid, Sample sample);

  /// Adds `times` executions of the group that is looked at, in their order, the k-th at addresses + k x strides.
  /// @param one_lane  of lanes that go to one address one goes for all, where it is seen to be alike in all
  void add(const AddressEvent& event, bool one_lane, std::int64_t times);
  /// What follows is of the next group of the sample.
  void next() { ++group_; }

  /// By instruction: lanes of an execution that go to the word that most lanes of all executions go to, as a mean.
  std::map<std::uint32_t, double> per_execution() const;

 private:
  struct Word {
    double lanes = 0;                   ///< of those groups that are alike by place to those looked at
    double drawn = 0;                   ///< of the groups looked at
    std::vector<std::uint64_t> places;  ///< of groups along the axes, as they came
  };
  struct Words {
    std::unordered_map<std::uint64_t, Word> of;
    std::vector<std::uint64_t> place;  ///< of each group of the sample along the axes
    std::vector<double> alike;         ///< groups of that place that each of the sample stands for
    double looked_at = 0, all = 1;     ///< places
    double executions = 0;
  };
  Words empty(const AddressOrigin& origin) const;
  static double lanes_at(const Word& word, const Words& words, bool loaded);

  Dimensions grid_;
  std::vector<AddressOrigin> origins_;  ///< by instruction
  Sample sample_;
  std::size_t group_ = 0;
  std::map<std::uint32_t, Words> words_;  ///< by instruction
};

}  // namespace warpipe::isa
