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

/// An array that accesses of a launch reach: the memory behind a pointer, or a region named by the program.
struct ReachedArray {
  std::string name;
  bool thread_private = false;
  std::int64_t bytes = 0;   ///< as declared or given, else as far as accesses reach; per thread where each has its own
  std::int64_t before = 0;  ///< further bytes, in front of the address it is known by: a pointer into its middle

  std::int64_t all_bytes() const { return before + bytes; }
};

inline constexpr std::uint32_t kNoArray = UINT32_MAX;

/// Addresses of a warp in an execution of an access, and in the following iterations of the loop around it.
struct LoggedAccess {
  std::uint32_t group = 0;       ///< index into AddressLog::groups
  std::uint32_t warp = 0;        ///< in its group
  std::uint32_t array = 0;       ///< index into AddressLog::arrays; kNoArray: in none, or lanes in several
  std::uint32_t iterations = 0;  ///< list: earlier iterations of each loop around it, the outermost first
  std::uint32_t lanes = 0;       ///< list: by lane, bytes from the first active lane's address
  std::uint32_t strides = 0;     ///< list: by lane, bytes from execution to execution; empty for a single execution
  std::uint64_t mask = 0;        ///< active lanes
  std::int64_t first = 0;        ///< bytes from the array's start, of the first active lane
  std::int64_t times = 1;        ///< executions
  std::int64_t from = 0;         ///< the first execution to count
};

/// Log of the accesses of some groups to global and thread-private memory, execution by execution until the log is
/// full. The size of arrays counts all accesses, logged or not.
class AddressLog {
 public:
  struct Group {
    Dimensions place{0, 0, 0};
    std::vector<std::uint32_t> records;  ///< of each warp's way through the program
  };

  /// @param kernel  outlives the filling of the log, not its use
  explicit AddressLog(const Prepared& kernel) : kernel_(&kernel), lanes_(kernel.input.lanes) {}

  /// Begins the accesses of a group.
  void begin(const Dimensions& group);
  void end(std::vector<std::uint32_t> records);
  /// Forgets the group begun last.
  void discard();
  /// @param event       with addresses as executed
  /// @param iterations  of each loop around it, from 0, the outermost first
  /// @param times       executions with these strides
  /// @return            the array of the addresses; kNoArray: in none, or lanes in several
  std::uint32_t add(const AddressEvent& event, std::uint32_t warp, const std::vector<std::int64_t>& iterations,
                    std::int64_t times);
  /// Nothing more is added.
  void close() { kernel_ = nullptr; }

  const std::vector<Group>& groups() const { return groups_; }
  const std::vector<ReachedArray>& arrays() const { return arrays_; }
  /// Accesses of an instruction, in the order of each warp; empty for an instruction without any.
  const std::vector<LoggedAccess>& of(std::uint32_t instruction) const;
  std::span<const std::int64_t> list(std::uint32_t index) const { return *lists_[index]; }
  std::int64_t lanes() const { return lanes_; }
  /// Executions of an instruction by these groups left out because the log was full.
  std::int64_t not_kept(std::uint32_t instruction) const;

 private:
  using Place = std::pair<int, std::size_t>;  ///< a sort of array, and its number within the sort
  /// The range of an array's addresses in global memory.
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
  Extent last_;                                                  ///< reached last
  std::map<std::uint32_t, std::vector<LoggedAccess>> accesses_;  ///< by instruction
  std::map<std::uint32_t, std::int64_t> not_kept_;               ///< by instruction: executions
  std::map<std::uint32_t, std::int64_t> not_kept_of_group_;      ///< of the group begun last
  std::unordered_map<std::vector<std::int64_t>, std::uint32_t, boost::hash<std::vector<std::int64_t>>> index_of_;
  std::vector<const std::vector<std::int64_t>*> lists_;
  std::size_t numbers_ = 0;                        ///< kept
  std::array<std::vector<std::int64_t>, 2> room_;  ///< for lists in the making
};

}  // namespace warpipe::isa
