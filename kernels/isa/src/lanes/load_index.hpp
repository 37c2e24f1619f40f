#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "lanes/recorded_memory.hpp"

namespace warpipe::isa {

/// Finds the next numbers of a warp's lanes from an address in a machine's record: the numbers each lane got from each
/// address, phase by phase, in order. Instructions do not count: the numbers are found for any compilation of a kernel.
/// A compiler may leave out a load where the lane has the number already, but none behind a barrier. Numbers of several
/// widths at an address have a history each, as a union in shared memory holds another type in each phase: the history
/// with the latest number counts.
class LoadIndex {
 public:
  LoadIndex(const RecordedWarp& warp, const RecordedMemory& memory);

  struct Found {
    std::uint64_t value = 0;
    std::optional<std::uint32_t> history;  ///< of an address with changing numbers: for `skip`
  };
  /// A lane's next number; the last number again where none was recorded since.
  /// @param address  the recorded address
  /// @param bytes    of the load: a part of a recorded number, or several recorded numbers, are found as well
  std::optional<Found> next(std::size_t lane, std::uint64_t address, int bytes, RecordedLoad::By by);
  /// The result of an atomic by a single lane for its whole warp: the old number before the first lane.
  std::optional<Found> next_of_warp(std::uint64_t address, int bytes, RecordedLoad::By by);
  /// Skips numbers, as if asked for so many times in this phase.
  void skip(std::uint32_t history, std::int64_t times);

  std::uint32_t phase() const { return phase_; }
  /// The warp has met other warps so many times more.
  void pass(std::uint32_t phases) { phase_ += phases; }

 private:
  struct Key {
    std::uint64_t address = 0;
    std::uint8_t lane = 0;
    RecordedLoad::By by = RecordedLoad::By::Load;
    std::uint8_t bytes = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };
  /// A number repeated several times in a row.
  struct Run {
    std::uint64_t value = 0;
    std::uint32_t first_phase = 0, last_phase = 0;
    std::uint32_t times = 0;  ///< in the last phase
  };
  struct Slot {
    Key key;  ///< of no bytes: empty
    std::uint32_t history = kConstant;
    Run run;  ///< while it is the only run
  };
  static constexpr std::uint32_t kConstant = UINT32_MAX;
  /// The numbers of an address.
  struct History {
    std::vector<Run> runs;
    std::size_t run = 0;
    std::uint32_t phase = 0, taken = 0;  ///< the phase of the last query, and the used numbers of the run in this phase
    void move_to(std::uint32_t now);
  };
  /// A number from one history, or joined of parts from several.
  struct Candidate {
    std::uint64_t value = 0;
    std::uint32_t age = 0;  ///< phases since its record, of parts the most; UINT32_MAX: it is recorded only later
    std::size_t parts = 0;
    std::array<std::uint32_t, 8> histories{};  ///< by part, of those with changing numbers
  };
  Slot& slot_of(const Key& key);
  void add(const Key& key, std::uint64_t value, std::uint32_t phase);
  void grow();
  std::optional<Candidate> of_width(Key key, int wide);
  std::optional<Candidate> in_wider(const Key& key, int bytes);
  std::optional<Candidate> of_halves(const Key& key, int bytes);
  std::optional<Found> take(const std::optional<Candidate>& candidate);

  std::vector<Slot> slots_;  ///< a power of two in number, at most half of them used
  unsigned widths_ = 0;      ///< of all recorded numbers, in bytes, added
  std::size_t used_ = 0;
  std::vector<History> histories_;
  std::uint32_t phase_ = 0;
};

}  // namespace warpipe::isa
