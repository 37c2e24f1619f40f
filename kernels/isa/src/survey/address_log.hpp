#pragma once

#include <array>
#include <boost/container_hash/hash.hpp>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lanes/access_cost.hpp"
#include "lanes/prepared.hpp"
#include "warpipe/isa/launch.hpp"

namespace warpipe::isa {

/// Memory that accesses of a launch reach: what a pointer points to, or a region that the program names.
struct ReachedArray {
  std::string name;
  bool thread_private = false;
  std::int64_t bytes = 0;  ///< of one thread's, where each has its own: as declared or given, else as far as is reached
};

inline constexpr std::uint32_t kNoArray = UINT32_MAX;

/// What a warp reached in an execution of an access, and in those of the following iterations of the loop around it.
struct LoggedAccess {
  std::uint32_t group = 0;       ///< index into AddressLog::groups
  std::uint32_t warp = 0;        ///< in its group
  std::uint32_t array = 0;       ///< index into AddressLog::arrays; kNoArray: in none, or lanes in several
  std::uint32_t iterations = 0;  ///< list: how often each loop around it had gone round, the outermost first
  std::uint32_t lanes = 0;       ///< list: by lane, bytes from where the first active lane is
  std::uint32_t strides = 0;     ///< list: by lane, bytes from one execution to the next; empty where there is but one
  std::uint64_t mask = 0;        ///< active lanes
  std::int64_t first = 0;        ///< bytes from the array's start, of the first active lane
  std::int64_t times = 1;        ///< executions
  std::int64_t from = 0;         ///< the first execution that counts
};

/// What the accesses of some groups to global and thread-private memory reached, execution by execution, as far as that
/// may be kept. How far arrays are reached is that of all.
class AddressLog {
 public:
  struct Group {
    Dimensions place{0, 0, 0};
    std::vector<std::uint32_t> records;  ///< of each warp's way through the program
  };

  /// @param kernel  outlives the filling of the log, not its use
  explicit AddressLog(const Prepared& kernel) : kernel_(&kernel), lanes_(kernel.input.lanes) {}

  /// What follows is reached by this group.
  void begin(const Dimensions& group);
  void end(std::vector<std::uint32_t> records);
  /// Forgets the group that was begun last.
  void discard();
  /// @param event       its addresses as the executor has them
  /// @param iterations  of each loop around it, from 0, the outermost first
  /// @param times       executions for which the strides hold
  /// @return            the array that they are in; kNoArray: in none, or lanes in several
  std::uint32_t add(const AddressEvent& event, std::uint32_t warp, const std::vector<std::int64_t>& iterations,
                    std::int64_t times);
  /// Nothing more is added.
  void close() { kernel_ = nullptr; }

  const std::vector<Group>& groups() const { return groups_; }
  const std::vector<ReachedArray>& arrays() const { return arrays_; }
  /// In the order in which each warp made them; none for an instruction without any.
  const std::vector<LoggedAccess>& of(std::uint32_t instruction) const;
  std::span<const std::int64_t> list(std::uint32_t index) const { return *lists_[index]; }
  std::int64_t lanes() const { return lanes_; }
  /// Executions of an instruction by these groups that are not kept, as so many others were kept before them.
  std::int64_t not_kept(std::uint32_t instruction) const;

 private:
  using Place = std::pair<int, std::size_t>;  ///< a sort of array, and its number among those
  /// Addresses of global memory that belong to one array.
  struct Extent {
    std::uint64_t begin = 0, end = 0;
    std::uint64_t origin = 0;  ///< the array's start
    std::uint32_t array = 0;
  };

  std::uint32_t keep(const std::vector<std::int64_t>& list);
  std::uint32_t array_at(const Access& access, std::uint64_t address, std::int64_t& offset);
  std::uint32_t array_of(Place place);
  void reach(const LoggedAccess& logged, std::span<const std::int64_t> lanes, std::span<const std::int64_t> strides,
             std::int64_t width);

  const Prepared* kernel_;
  std::int64_t lanes_;
  std::vector<Group> groups_;
  std::vector<ReachedArray> arrays_;
  std::map<Place, std::uint32_t> array_of_;
  Extent last_;                                                  ///< that was reached
  std::map<std::uint32_t, std::vector<LoggedAccess>> accesses_;  ///< by instruction
  std::map<std::uint32_t, std::int64_t> not_kept_;               ///< by instruction: executions
  std::map<std::uint32_t, std::int64_t> not_kept_of_group_;      ///< of the one that was begun last
  std::unordered_map<std::vector<std::int64_t>, std::uint32_t, boost::hash<std::vector<std::int64_t>>> index_of_;
  std::vector<const std::vector<std::int64_t>*> lists_;
  std::size_t numbers_ = 0;                        ///< that are kept
  std::array<std::vector<std::int64_t>, 2> room_;  ///< for lists in the making
};

}  // namespace warpipe::isa
