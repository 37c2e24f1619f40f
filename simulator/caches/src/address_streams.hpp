#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "warp_program.hpp"
#include "warpipe/caches/levels.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/idg/place.hpp"

namespace warpipe {

/// @return the array of an access with addresses
std::size_t array_of(const AccessPattern& access);

/// @return whether the kernel itself gives an instruction's transactions, different from warp to warp
/// @param names  names with varying values, see names_that_vary
bool transactions_vary(const Instruction& instruction, const NameSet& names);

/// The addresses of a kernel's launch: programs of its warps, made on demand. They do not depend on the sizes of
/// caches.
class AddressStreams {
 public:
  /// @param line_bytes  a power of two, at least kPartsPerLine
  AddressStreams(Kernel kernel, const Device& device, CacheLaunch launch, std::int64_t line_bytes);

  /// The instructions with known addresses in global memory.
  const std::vector<std::size_t>& instructions() const { return instructions_; }

  /// The program of a warp.
  /// @param group  its index in the launch
  /// @param warp   its index in the group
  std::shared_ptr<WarpProgram> program(std::int64_t group, std::int64_t warp);

  /// The kinds of groups, in their order, repeated; null without a table of kinds.
  const std::vector<GroupKinds::Run>* table_of_kinds() const {
    return kernel_.kinds ? std::get_if<std::vector<GroupKinds::Run>>(&kernel_.kinds->of_group) : nullptr;
  }

  /// @param number  of an instruction, in `instructions`
  bool transactions_vary(std::size_t number) const { return transactions_vary_[number]; }

  const Kernel& kernel() const { return kernel_; }
  const CacheLaunch& launch() const { return launch_; }
  const LaunchShape& shape() const { return shape_; }
  std::int64_t warps_per_group() const { return warps_; }
  std::int64_t line_bytes() const { return line_bytes_; }

 private:
  friend class ProgramBuilder;

  std::int64_t kind_of(std::int64_t group) const;
  void place_arrays(std::int64_t units);

  Kernel kernel_;
  CacheLaunch launch_;
  std::int64_t line_bytes_, warps_, warp_size_;
  std::vector<bool> barriers_;  ///< by instruction: whether warps wait for each other there
  LaunchShape shape_;
  std::vector<std::size_t> instructions_;
  std::vector<bool> transactions_vary_;   ///< by access
  std::vector<Placement> placements_;     ///< by array
  std::vector<std::int64_t> table_ends_;  ///< of the runs of a table of kinds
  std::map<std::tuple<std::size_t, std::int64_t, std::size_t>, SampledLines> sampled_;  ///< by access, width, lanes
  std::vector<LaneAddresses::Source> sources_;  ///< by access; without operations if addresses are sampled
  LaneRoom room_;
  using Programs = std::map<std::pair<std::int64_t, std::int64_t>, std::shared_ptr<WarpProgram>>;
  Programs programs_;  ///< by kind, warp
};

/// Ignores the events of cut loops.
struct Unwatched {
  void half(std::size_t) const {}
  void left(std::size_t, std::int64_t, std::int64_t) const {}
  void wait(const std::vector<WarpProgram::Awaited>&) const {}
};

/// A warp on its way through its program.
class WarpStream {
 public:
  /// Begins with a warp. `now` is then its first access, barrier or end.
  /// @param frame       of thread-private memory
  /// @param most_trips  of each loop: a power of two, or more than the trips of any loop
  void start(AddressStreams& streams, std::int64_t group, std::int64_t warp, std::int64_t frame,
             std::int64_t most_trips);

  WarpProgram::Node::Kind now() const { return program_->nodes[at_].kind; }  ///< access, barrier or end
  const WarpAccess& access() const { return program_->accesses[program_->nodes[at_].index]; }

  /// The lines of the current access; valid until the next call for any warp of the launch.
  Lines lines();

  /// The executions of the launch represented by this one, if loops are cut.
  double weight() const { return weight_; }

  /// Goes on to the next access, barrier or end.
  /// @param watch  half(loop): the last half of the trips of a cut loop begins; left(loop, trips, most_trips): it ends;
  ///               wait(awaited): an instruction needs results of accesses
  template <class Watch>
  void advance(Watch&& watch) {
    ++at_;
    settle(watch);
  }

 private:
  template <class Watch>
  void settle(Watch&& watch);
  const Boxes::Box& box(std::size_t access);
  std::int64_t execution(const WarpAccess& access) const;

  AddressStreams* streams_ = nullptr;
  std::shared_ptr<WarpProgram> program_;
  std::size_t at_ = 0;
  std::int64_t group_ = 0, warp_ = 0, frame_ = 0, most_trips_ = 0;
  double weight_ = 1;
  std::vector<std::int64_t> coordinates_;
  std::vector<double> weights_;           ///< by loop: before it
  std::vector<const Boxes::Box*> boxes_;  ///< by access: the latest; empty before the first use
  std::vector<Range> ranges_;
  std::vector<TouchedLine> lines_;
};

template <class Watch>
void WarpStream::settle(Watch&& watch) {
  using Kind = WarpProgram::Node::Kind;
  for (;; ++at_) {
    const WarpProgram::Node node = program_->nodes[at_];
    if (node.kind == Kind::Wait) {
      watch.wait(program_->waits[node.index]);
      continue;
    }
    if (node.kind != Kind::LoopBegin && node.kind != Kind::LoopEnd) return;
    const WarpProgram::Loop& loop = program_->loops[node.index];
    std::int64_t& counter = coordinates_[kFirstCounter + node.index];
    const bool is_cut = loop.trips > most_trips_;
    if (node.kind == Kind::LoopBegin) {
      counter = 0;
      weights_[node.index] = weight_;
      continue;
    }
    if (++counter < (is_cut ? most_trips_ : loop.trips)) {
      at_ = loop.begin - 1;
      if (!is_cut || counter != most_trips_ / 2) continue;
      weight_ *= static_cast<double>(loop.trips - counter) / static_cast<double>(most_trips_ - counter);
      watch.half(node.index);
    } else if (is_cut) {
      weight_ = weights_[node.index];
      watch.left(node.index, loop.trips, most_trips_);
    }
  }
}

}  // namespace warpipe
