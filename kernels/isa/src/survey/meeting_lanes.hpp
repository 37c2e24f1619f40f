#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "flow/slice.hpp"
#include "lanes/access_cost.hpp"
#include "warpipe/isa/launch.hpp"

namespace warpipe::isa {

/// A place has 512 bytes: atomics in such a piece of memory are served one after the other.
/// @source tests/single_effects/measured_h100.csv: random words of 1 KiB are served two at a time
inline std::uint64_t place_of_sector(std::uint64_t sector) { return sector / (512 / kSectorBytes); }

/// Lanes of atomic operations that meet, of all groups of a launch: at a place of 512 bytes they take turns.
///
/// What counts is the place where they take most turns, since places apart are served at a time. Groups that are not
/// looked at go to the places of those that differ only along axes that the address does not depend on. Others go to a
/// place as often as those looked at do that are not the first to go there. Where the address is made of numbers from
/// memory, what chance alone makes of the largest of many counts is taken off.
class MeetingLanes {
 public:
  using Sample = std::vector<std::pair<Dimensions, double>>;  ///< groups looked at, and how many each stands for

  /// @param origins  of the addresses, by instruction
  MeetingLanes(std::vector<AddressOrigin> origins, const Dimensions& grid, Sample sample);

  /// Whether it is seen that all lanes go to one address.
  bool is_alike(std::uint32_t instruction) const { return !origins_[instruction].by_thread; }
  /// Whether the groups that were looked at are all that differ.
  bool has_seen_all(std::uint32_t instruction) const;
  /// Adds `times` executions of the group that is looked at, in their order, the k-th at addresses + k x strides.
  void add(const AddressEvent& event, std::int64_t times);
  /// What follows is of the next group of the sample.
  void next() { ++group_; }

  /// By instruction: turns of an execution at the place where all executions take most, as a mean.
  std::map<std::uint32_t, double> per_execution() const;

 private:
  struct Place {
    double turns = 0;                   ///< of those groups that are alike to those looked at
    double drawn = 0;                   ///< of the groups looked at
    std::vector<std::uint64_t> groups;  ///< by their places along the axes, as they came
  };
  struct Places {
    std::unordered_map<std::uint64_t, Place> of;
    std::vector<std::uint64_t> group;  ///< of the sample, by its place along the axes
    std::vector<double> alike;         ///< groups like that which each of the sample stands for
    double looked_at = 0, all = 1;     ///< groups that are not alike
    double executions = 0;
  };
  Places empty(const AddressOrigin& origin) const;
  void add_turns(Places& all, std::uint64_t number, double turns) const;
  static double turns_at(const Place& place, const Places& places, bool loaded);

  Dimensions grid_;
  std::vector<AddressOrigin> origins_;  ///< by instruction
  Sample sample_;
  std::size_t group_ = 0;
  std::map<std::uint32_t, Places> places_;  ///< by instruction
};

}  // namespace warpipe::isa
