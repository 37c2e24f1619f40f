#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "warpipe/isa/launch.hpp"
#include "warpipe/isa/recorded_loads.hpp"
#include "warpipe/machine/memory.hpp"

namespace warpipe::machine {

struct Outcome;

/// Records the values loaded by groups for control and addresses, while a machine executes a launch. Where memory does
/// not suffice for all groups, a part of them is kept, drawn evenly, and of the ended groups also those with the most
/// work.
class LoadRecorder {
 public:
  /// @param loads  by instruction: isa::deciding_loads
  /// @param most   bytes to keep, about
  LoadRecorder(std::vector<bool> loads, std::size_t most = std::size_t{256} << 20);

  /// The recording of an execution by a machine.
  /// @param program  with these variables
  isa::RecordedLoads take(const Outcome& outcome, const isa::Program& program, const Variables& variables,
                          const Memory& memory);

  // A machine calls these, on several threads at a time.

  /// A recorded group; its loads are added by a single thread.
  struct Recording {
    isa::RecordedGroup group;
    std::size_t bytes = 0;
    std::uint64_t instructions = 0;
    bool has_ended = false;
  };
  /// @return null for a group that is not recorded
  Recording* begin(std::int64_t group, std::size_t warps);
  bool wants(std::uint32_t instruction) const { return loads_[instruction]; }
  /// As isa::RecordedWarp::add.
  void add(Recording& recording, std::int64_t warp, std::uint64_t lanes, std::uint32_t phase, int bytes,
           isa::RecordedLoad::By by, const std::uint64_t* addresses, const std::uint64_t* values);
  void end(Recording& recording, std::uint64_t instructions);

 private:
  bool is_drawn(std::int64_t group) const;
  void keep_fewer();

  std::vector<bool> loads_;
  std::size_t most_;
  std::mutex mutex_;
  std::map<std::int64_t, Recording> recordings_;
  std::atomic<std::size_t> bytes_ = 0;
  int level_ = 0;  ///< one of 2^level groups is recorded
};

}  // namespace warpipe::machine
