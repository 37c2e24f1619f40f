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

/// A place has 512 bytes of memory: atomics within a place are served one after the other.
/// @source bench/validation/single_effects/measured_h100.csv: random words of 1 KiB are served two at a time
inline std::uint64_t place_of_sector(std::uint64_t sector) { return sector / (512 / kSectorBytes); }

/// Counts the turns of atomic operations: lanes of all groups of a launch that meet at a place of 512 bytes take turns.
///
/// The place with the most turns decides, since different places are served at the same time. Groups not looked at go
/// to the places of groups that differ only along axes absent from the address. Further groups go to a place as often
/// as the groups looked at, not counting the first group there. Where the address is made of numbers from memory, the
/// largest of many counts is partly chance; this part is taken off.
class MeetingLanes {
 public:
  using Sample = std::vector<std::pair<Dimensions, double>>;  ///< groups looked at, and how many each stands for

  /// @param origins  of the addresses, by instruction
  MeetingLanes(std::vector<AddressOrigin> origins, const Dimensions& grid, Sample sample);

  /// Whether all lanes of an execution go to the same address, as far as the program tells.
  bool is_alike(std::uint32_t instruction) const { return !origins_[instruction].by_thread; }
  /// Whether the sample holds all groups with different addresses.
  bool has_seen_all(std::uint32_t instruction) const;
  /// Adds `times` executions of the current group, in their order, the k-th at addresses + k x strides.
  void add(const AddressEvent& event, std::int64_t times);
  /// Goes on to the next group of the sample.
  void next() { ++group_; }

  /// By instruction: mean turns of an execution at the place with the most turns in all executions.
  std::map<std::uint32_t, double> per_execution() const;

 private:
  struct Place {
    double turns = 0;                   ///< of the groups alike to the sample
    double drawn = 0;                   ///< of the sample
    std::vector<std::uint64_t> groups;  ///< by their places along the axes, as they came
  };
  struct Places {
    std::unordered_map<std::uint64_t, Place> of;
    std::vector<std::uint64_t> group;  ///< of the sample, by its place along the axes
    std::vector<double> alike;         ///< by group of the sample: alike groups that it stands for
    double looked_at = 0, all = 1;     ///< groups with different addresses: in the sample, in the grid
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
