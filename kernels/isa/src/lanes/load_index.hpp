#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "lanes/recorded_memory.hpp"

namespace warpipe::isa {

/// Tells the lanes of a warp what they load next from an address, as a machine recorded it: what each lane got from
/// each address, in order. Instructions do not count, so that the numbers are found whatever a compiler made of a
/// kernel.
class LoadIndex {
 public:
  LoadIndex(const RecordedWarp& warp, const RecordedMemory& memory);

  struct Found {
    std::uint64_t value = 0;
    std::optional<std::uint32_t> history;  ///< of an address whose numbers change: for `skip`
  };
  /// What a lane gets this time; the last number again where it was recorded less often.
  /// @param address  where it was recorded
  /// @param bytes    of what is asked for: a part of what was recorded, or several that were, are found as well
  std::optional<Found> next(std::size_t lane, std::uint64_t address, int bytes, RecordedLoad::By by);
  /// What a lane gets that goes to an atomic for its whole warp: what stood there before the first lane.
  std::optional<Found> next_of_warp(std::uint64_t address, int bytes, RecordedLoad::By by);
  /// Passes over numbers as if they had been asked for so many times.
  void skip(std::uint32_t history, std::int64_t times);

 private:
  struct Key {
    std::uint64_t address = 0;
    std::uint8_t lane = 0;
    RecordedLoad::By by = RecordedLoad::By::Load;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Slot {
    Key key;
    std::uint8_t bytes = 0;  ///< 0: empty
    std::uint32_t history = kConstant;
    std::int64_t times = 0;
    std::uint64_t value = 0;  ///< while it is the only one
  };
  static constexpr std::uint32_t kConstant = UINT32_MAX;
  /// The numbers of an address, each with how often it came in a row.
  struct History {
    std::vector<std::pair<std::uint64_t, std::int64_t>> runs;
    std::size_t run = 0;
    std::int64_t taken = 0;  ///< of the run
  };
  Slot& slot_of(const Key& key);
  void add(const Key& key, std::uint8_t bytes, std::uint64_t value);
  void grow();
  std::optional<Found> find(const Key& key, int bytes);
  std::optional<Found> join(const Key& key, int bytes);

  std::vector<Slot> slots_;  ///< as many as a power of two, at most half of them used
  std::size_t used_ = 0;
  std::vector<History> histories_;
};

}  // namespace warpipe::isa
