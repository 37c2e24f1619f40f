#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "prepared.hpp"
#include "warpipe/machine/load_recorder.hpp"

/// Groups of warps in execution.

namespace warpipe::machine {

/// Bytes at a multiple of kAlignment, zero at first.
class AlignedBytes {
 public:
  explicit AlignedBytes(std::size_t bytes);
  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  struct Deleter {
    void operator()(void* bytes) const;
  };
  std::unique_ptr<void, Deleter> owned_;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// The state shared by all groups of a launch.
struct Execution {
  const Code& code;
  const Launch& launch;
  const LaneFunctions& functions;
  std::vector<Range> ranges;  ///< of global memory, by address
  std::map<std::uint64_t, Texture> textures;
  AlignedBytes shared_numbers;
  std::uint64_t shared_bytes = 0;  ///< of a group
  Memory& memory;
  LoadRecorder* recorder = nullptr;
  std::vector<unsigned char> recorded;  ///< by access: 1 where the recorder wants its loads
  std::atomic<bool> stops = false;
};

/// The state of a thread of the host.
struct Worker {
  const Execution& execution;
  std::vector<Reach> reached;  ///< by access of the program
  std::string behind;          ///< the first access to the room behind a range; empty without one
};

struct Group;

/// Lanes that wait at a barrier.
struct Parked {
  Mask lanes = 0;
  std::uint32_t block = 0;                ///< the block before the barrier
  std::uint32_t number = 0, threads = 0;  ///< 0: all
};

struct alignas(kAlignment) Warp : Lanes {
  Group* group = nullptr;
  Worker* worker = nullptr;
  std::byte* registers = nullptr;
  std::byte* local = nullptr;
  std::int64_t number = 0;
  std::uint32_t at = 0;
  Mask alive = 0;
  std::vector<Mask> waiting;           ///< by block
  std::vector<std::uint64_t> pending;  ///< blocks with waiting lanes
  std::uint32_t pending_count = 0, first_pending = kNoBlock;
  std::uint32_t active_count = 0;
  std::vector<Parked> parked;
  std::uint32_t phase = 0;  ///< barriers that released it
  std::uint64_t instructions = 0, lane_instructions = 0;
  // Whether a loop only waits: its registers equal those of the iteration before.
  std::uint64_t jumps_until_look = 0, writes_before = 0, turns = 0;
  std::uint32_t target_before = 0, detour = 0, detour_to = 0;
  Mask active_before = 0;
  std::vector<std::byte> registers_before;
};

enum class Stop { Goes, Ended, Turn, Waits };

struct Group {
  Group(Worker& worker, std::int64_t index);
  /// Turns it into another group at its start.
  void start(std::int64_t index);
  /// Runs until all of its warps have ended, or about so many instructions were executed, or it waits for other groups.
  /// @throws Fault
  Stop go_on(std::uint64_t instructions);

  std::uint64_t instructions() const;
  std::uint64_t lane_instructions() const;

  Worker* worker;
  std::int64_t number = 0;
  isa::Dimensions index{};
  AlignedBytes shared, registers, local;
  std::vector<Warp> warps;
  LoadRecorder::Recording* recording = nullptr;  ///< null: its loads are not recorded
  std::array<std::uint32_t, 16> arrived{};       ///< threads, at named barriers, without a wait

 private:
  bool release_barriers();
  bool is_complete(std::uint32_t barrier) const;
  void release(std::uint32_t barrier);
  [[noreturn]] void report_deadlock() const;
};

/// Runs until the warp's lanes are parked or have ended (Ended), or its turn is over.
Stop go_on(Warp& warp, std::uint64_t instructions);
/// Lets lanes go on at a block.
void put(Warp& warp, std::uint32_t block, Mask lanes);
bool can_go_on(const Warp& warp);
void set_active(Warp& warp, Mask lanes);

inline Warp& warp_of(Lanes& lanes) { return static_cast<Warp&>(lanes); }

/// @param lane  of the warp, or kMostLanes for none
Fault fault_at(const Warp& warp, std::uint32_t instruction, Fault::Kind kind, const std::string& what,
               std::size_t lane = kMostLanes, std::uint64_t address = 0);
[[noreturn]] void fail(const Warp& warp, std::uint32_t instruction, Fault::Kind kind, const std::string& what,
                       std::size_t lane = kMostLanes, std::uint64_t address = 0);

// ---- steps that do more than compute in lanes

void access_memory(Lanes& lanes, const Step& step);
void evaluate_lanes(Lanes& lanes, const Step& step);
void evaluate_across(Lanes& lanes, const Step& step);
void evaluate_halves(Lanes& lanes, const Step& step);
void multiply_matrices(Lanes& lanes, const Step& step);
void transpose_matrix(Lanes& lanes, const Step& step);
void move_matrices(Lanes& lanes, const Step& step);
void move_fragment(Lanes& lanes, const Step& step);  ///< `number`: its access
void multiply_fragments(Lanes& lanes, const Step& step);
void reach_texels(Lanes& lanes, const Step& step);
void begin_uniform(Lanes& lanes, const Step& step);
void broadcast32(Lanes& lanes, const Step& step);  ///< of lane `number`, or kMostLanes: of the first active lane
void broadcast64(Lanes& lanes, const Step& step);
void read_clock(Lanes& lanes, const Step& step);
void print(Lanes& lanes, const Step& step);
void allocate(Lanes& lanes, const Step& step);  ///< malloc
void free_allocated(Lanes& lanes, const Step& step);
void copy_bulk(Lanes& lanes, const Step& step);
void print_assertion(Lanes& lanes, const Step& step);
void refuse(Lanes& lanes, const Step& step);

/// @param alone  no other thread of the host reaches the memory
/// @return       null for an operation without a function
AtomicFunction atomic_function(const isa::LaneOperation& operation, bool alone);

// ---- floats of 16 and 8 bits
float half_to_float(std::uint16_t bits);
std::uint16_t half_from(double value);
float brain_to_float(std::uint16_t bits);
std::uint16_t brain_from(double value);
double small_float(std::uint64_t bits, int fraction_bits);  ///< of 8 bits, so many of them behind the point

/// The places in the host's memory of an access of so many bytes, for all 32 lanes.
/// @param room  for 32 addresses
/// @throws Fault for an address outside of memory or a misaligned address
const std::uint64_t* host_addresses(Warp& warp, const Step& step, const AccessMore& more,
                                    const std::uint64_t* addresses, std::uint64_t* room);

/// The memory of an access in shared, local or parameter space, or null beyond its end.
std::byte* memory_at(const Warp& warp, isa::Space space, std::size_t lane, std::uint64_t address, std::uint64_t bytes);
/// The same at a generic address.
std::byte* memory_at(const Warp& warp, std::size_t lane, std::uint64_t address, std::uint64_t bytes);

}  // namespace warpipe::machine
