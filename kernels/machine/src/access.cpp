// Loads, stores, atomics and copies.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "cells.hpp"
#include "group.hpp"
#include "mbarrier.hpp"
#include "warpipe/isa/recursion.hpp"

namespace warpipe::machine {
namespace {

using isa::Access;
using isa::Space;

/// The addresses of 32 lanes, in the host's memory.
struct Pointers {
  const std::uint64_t* at = nullptr;
  bool same = false;  ///< in all active lanes
  alignas(kAlignment) std::uint64_t own[kLanes];
};

/// Finds where lanes reach, or faults.
class Resolver {
 public:
  Resolver(Warp& warp, const Step& step, const AccessMore& more) : warp_(warp), step_(step), more_(more) {}

  void run(const std::uint64_t* addresses, Mask active, std::uint64_t bytes, Space space, Pointers& pointers) {
    std::uint64_t least = 0, most = 0, joined = 0;
    warp_.worker->execution.functions.bounds(addresses, warp_.mask + step_.first_lane, kLanes, &least, &most, &joined);
    const auto aligned = std::bit_floor(std::min<std::uint64_t>(more_.bytes, 16)) - 1;
    if ((joined & aligned) != 0) report_misaligned(addresses, active, aligned);
    pointers.at = addresses;
    pointers.same = least == most && space != Space::Local;
    if (space == Space::Generic) {
      if ((joined & isa::kWindowMask) == 0) return check_global(addresses, active, least, most, bytes);
      return resolve_each(addresses, active, bytes, pointers);
    }
    if (space == Space::Global || space == Space::Constant) return check_global(addresses, active, least, most, bytes);
    if ((joined & isa::kWindowMask) != 0) return resolve_each(addresses, active, bytes, pointers, space);
    resolve_own(addresses, active, most, bytes, space, pointers);
  }

 private:
  void check_global(const std::uint64_t* addresses, Mask active, std::uint64_t least, std::uint64_t most,
                    std::uint64_t bytes) {
    auto& reached = warp_.worker->reached[more_.number];
    if (least >= reached.begin && most + bytes <= reached.end) return;
    for_each_lane(active, [&](std::size_t lane) { check_lane(addresses[lane], lane, bytes); });
  }

  void check_lane(std::uint64_t address, std::size_t lane, std::uint64_t bytes) {
    auto& reached = warp_.worker->reached[more_.number];
    if (address >= reached.begin && address + bytes <= reached.end) return;
    const auto& ranges = warp_.worker->execution.ranges;
    auto found = std::ranges::upper_bound(ranges, address, {}, &Range::begin);
    const auto end = address + bytes;
    if (found == ranges.begin() || end > std::prev(found)->end + std::prev(found)->room || end < address)
      throw outside(address, lane, bytes, found == ranges.begin() ? nullptr : &*std::prev(found));
    --found;
    if (end <= found->end)
      reached = {found->begin, found->end, address};
    else if (warp_.worker->behind.empty())
      warp_.worker->behind = outside(address, lane, bytes, &*found).what();
  }

  void resolve_own(const std::uint64_t* addresses, Mask active, std::uint64_t most, std::uint64_t bytes, Space space,
                   Pointers& pointers) {
    const auto& execution = warp_.worker->execution;
    const bool local = space == Space::Local, shared = space == Space::Shared;
    const auto limit = shared  ? execution.shared_bytes
                       : local ? execution.code.local_bytes
                               : static_cast<std::uint64_t>(execution.launch.arguments.size());
    if (active == 0) return;
    if (most + bytes > limit || most + bytes < most)
      for_each_lane(active, [&](std::size_t lane) {
        if (addresses[lane] + bytes > limit || addresses[lane] + bytes < bytes)
          report_beyond(addresses[lane], lane, limit, space);
      });
    const auto* first = shared  ? warp_.group->shared.data()
                        : local ? warp_.local + step_.first_lane * execution.code.local_bytes
                                : execution.launch.arguments.data();
    const auto base = reinterpret_cast<std::uint64_t>(first);
    const auto pitch = local ? execution.code.local_bytes : 0;
    for (std::size_t i = 0; i < kLanes; ++i) pointers.own[i] = base + addresses[i] + i * pitch;
    pointers.at = pointers.own;
  }

  /// Lanes reach different spaces, or windows of them.
  void resolve_each(const std::uint64_t* addresses, Mask active, std::uint64_t bytes, Pointers& pointers,
                    Space known = Space::Generic) {
    for_each_lane(active, [&](std::size_t lane) {
      const auto window = addresses[lane] & isa::kWindowMask;
      const auto space = window == isa::kSharedWindow     ? Space::Shared
                         : window == isa::kLocalWindow    ? Space::Local
                         : window == isa::kConstantWindow ? Space::Parameter
                         : known != Space::Generic        ? known
                                                          : Space::Global;
      const auto address = addresses[lane] & ~isa::kWindowMask;
      pointers.same = pointers.same && space != Space::Local;
      if (space == Space::Global) {
        check_lane(addresses[lane], lane, bytes);
        pointers.own[lane] = addresses[lane];
        return;
      }
      auto* const place = memory_at(warp_, space, step_.first_lane + lane, address, bytes);
      if (place == nullptr) report_beyond(address, lane, limit_of(space), space);
      pointers.own[lane] = reinterpret_cast<std::uint64_t>(place);
    });
    pointers.at = pointers.own;
  }

  std::uint64_t limit_of(Space space) const {
    const auto& execution = warp_.worker->execution;
    return space == Space::Shared  ? execution.shared_bytes
           : space == Space::Local ? execution.code.local_bytes
                                   : static_cast<std::uint64_t>(execution.launch.arguments.size());
  }

  const char* verb() const {
    switch (more_.access->kind) {
      case Access::Kind::Store:
        return "a store of";
      case Access::Kind::Atomic:
        return "an atomic operation on";
      default:
        return "a load of";
    }
  }

  [[noreturn]] void report_misaligned(const std::uint64_t* addresses, Mask active, std::uint64_t aligned) const {
    std::size_t first = 0;
    for (auto rest = active; rest != 0; rest &= rest - 1) {
      first = static_cast<std::size_t>(std::countr_zero(rest));
      if ((addresses[first] & aligned) != 0) break;
    }
    fail(warp_, step_.instruction, Fault::Kind::Misaligned,
         fmt::format("{} {} bytes at address {:#x}, which is no multiple of {}", verb(), more_.bytes, addresses[first],
                     aligned + 1),
         step_.first_lane + first, addresses[first]);
  }

  Fault outside(std::uint64_t address, std::size_t lane, std::uint64_t bytes, const Range* before) const {
    std::string near;
    if (before != nullptr && address + bytes > before->end)
      near =
          fmt::format("; {} bytes behind the end of {} of {} bytes", address + bytes - before->end,
                      before->name.empty() ? "an allocation" : "\"" + before->name + "\"", before->end - before->begin);
    return fault_at(
        warp_, step_.instruction, Fault::Kind::OutOfBounds,
        fmt::format("{} {} bytes at address {:#x}, which is outside of memory{}", verb(), bytes, address, near),
        step_.first_lane + lane, address);
  }

  [[noreturn]] void report_beyond(std::uint64_t address, std::size_t lane, std::uint64_t limit, Space space) const {
    const auto& regions = warp_.worker->execution.code.program.regions;
    const bool recurs = space == Space::Local && address >= limit &&
                        std::ranges::find(regions, isa::kRecursionStack, &isa::MemoryRegion::name) != regions.end();
    fail(warp_, step_.instruction, Fault::Kind::OutOfBounds,
         fmt::format("{} {} bytes at {:#x} of the {} memory, which has {} bytes{}", verb(), more_.bytes, address,
                     isa::to_string(space), limit,
                     recurs ? ": functions that call themselves go deeper than is executed here" : ""),
         step_.first_lane + lane, address);
  }

  Warp& warp_;
  const Step& step_;
  const AccessMore& more_;
};

template <class Raw, class Out>
void load_cells(const Lanes& lanes, const Pointers& pointers, Mask active, std::uint64_t offset, Operand place) {
  auto* const out = reinterpret_cast<Out*>(lanes.base[0] + place);
  const auto one = [&](std::size_t lane) {
    Raw raw;
    std::memcpy(&raw, reinterpret_cast<const std::byte*>(pointers.at[lane] + offset), sizeof(Raw));  // NOLINT
    if constexpr (std::is_signed_v<Raw>)
      out[lane] = static_cast<Out>(static_cast<std::int64_t>(raw));
    else
      out[lane] = static_cast<Out>(raw);
  };
  if (active == 0xffffffff)
    for (std::size_t lane = 0; lane < kLanes; ++lane) one(lane);
  else
    for_each_lane(active, one);
}

template <class Out>
void load_as(const Lanes& lanes, const Pointers& pointers, Mask active, std::uint64_t offset, Operand place,
             const AccessMore& more) {
  switch (more.is_signed ? -static_cast<int>(more.width) : static_cast<int>(more.width)) {
    case 1:
      return load_cells<std::uint8_t, Out>(lanes, pointers, active, offset, place);
    case 2:
      return load_cells<std::uint16_t, Out>(lanes, pointers, active, offset, place);
    case 4:
      return load_cells<std::uint32_t, Out>(lanes, pointers, active, offset, place);
    case -1:
      return load_cells<std::int8_t, Out>(lanes, pointers, active, offset, place);
    case -2:
      return load_cells<std::int16_t, Out>(lanes, pointers, active, offset, place);
    case -4:
      return load_cells<std::int32_t, Out>(lanes, pointers, active, offset, place);
    default:
      return load_cells<std::uint64_t, Out>(lanes, pointers, active, offset, place);
  }
}

void load(Warp& warp, const AccessMore& more, const Pointers& pointers, Mask active) {
  // Loads of neighbours in a row are copied as they are.
  if (active == 0xffffffff && more.cells.size() == 1 && more.width >= 4 && more.cells[0].wide == (more.width == 8) &&
      warp.worker->execution.functions.is_row(pointers.at, more.width)) {
    std::memcpy(warp.base[0] + more.cells[0].place, reinterpret_cast<const std::byte*>(pointers.at[0]),  // NOLINT
                kLanes * more.width);
    return;
  }
  if (active == 0xffffffff && pointers.same && more.width >= 4) {
    for (std::size_t i = 0; i < more.cells.size(); ++i) {
      std::uint64_t number = 0;
      std::memcpy(&number, reinterpret_cast<const std::byte*>(pointers.at[0] + i * more.width), more.width);  // NOLINT
      if (more.cells[i].wide && more.is_signed)
        number = static_cast<std::uint64_t>(isa::sign_extended(number, static_cast<int>(8 * more.width)));
      if (more.cells[i].wide)
        std::fill_n(wide_cells(warp, more.cells[i].place), kLanes, number);
      else
        std::fill_n(narrow_cells(warp, more.cells[i].place), kLanes, static_cast<std::uint32_t>(number));
    }
    return;
  }
  for (std::size_t i = 0; i < more.cells.size(); ++i) {
    if (more.cells[i].wide)
      load_as<std::uint64_t>(warp, pointers, active, i * more.width, more.cells[i].place, more);
    else
      load_as<std::uint32_t>(warp, pointers, active, i * more.width, more.cells[i].place, more);
  }
}

template <class Raw, class In>
void store_cells(const Lanes& lanes, const Pointers& pointers, Mask active, std::uint64_t offset, Operand place) {
  const auto* const in = reinterpret_cast<const In*>(lanes.base[place & 1] + (place & ~Operand{1}));
  const auto one = [&](std::size_t lane) {
    const auto raw = static_cast<Raw>(in[lane]);
    std::memcpy(reinterpret_cast<std::byte*>(pointers.at[lane] + offset), &raw, sizeof(Raw));  // NOLINT
  };
  if (active == 0xffffffff)
    for (std::size_t lane = 0; lane < kLanes; ++lane) one(lane);
  else
    for_each_lane(active, one);
}

template <class In>
void store_as(const Lanes& lanes, const Pointers& pointers, Mask active, std::uint64_t offset, Operand place,
              std::uint32_t width) {
  switch (width) {
    case 1:
      return store_cells<std::uint8_t, In>(lanes, pointers, active, offset, place);
    case 2:
      return store_cells<std::uint16_t, In>(lanes, pointers, active, offset, place);
    case 4:
      return store_cells<std::uint32_t, In>(lanes, pointers, active, offset, place);
    default:
      return store_cells<std::uint64_t, In>(lanes, pointers, active, offset, place);
  }
}

void store(Warp& warp, const AccessMore& more, const Pointers& pointers, Mask active) {
  ++warp.writes;
  const auto& first = more.cells[0];
  if (active == 0xffffffff && more.cells.size() == 1 && more.width >= 4 && first.wide == (more.width == 8) &&
      warp.worker->execution.functions.is_row(pointers.at, more.width)) {
    std::memcpy(reinterpret_cast<std::byte*>(pointers.at[0]),  // NOLINT
                warp.base[first.place & 1] + (first.place & ~Operand{1}), kLanes * more.width);
    return;
  }
  for (std::size_t i = 0; i < more.cells.size(); ++i) {
    if (more.cells[i].wide)
      store_as<std::uint64_t>(warp, pointers, active, i * more.width, more.cells[i].place, more.width);
    else
      store_as<std::uint32_t>(warp, pointers, active, i * more.width, more.cells[i].place, more.width);
  }
}

void atomic(Warp& warp, const AccessMore& more, const Pointers& pointers, Mask active) {
  const auto numbers = [&](std::size_t i) {
    return i < more.cells.size() ? place_of(warp, more.cells[i].place) : nullptr;
  };
  const AtomicLanes lanes{pointers.at, active, numbers(0), numbers(1),
                          more.gives_old ? place_of(warp, more.old.place) : nullptr};
  if (more.atomic(lanes)) ++warp.writes;
}

/// From global to shared memory, at once.
void copy(Warp& warp, const Step& step, const AccessMore& more, const Pointers& pointers, Mask active) {
  ++warp.writes;
  for_each_lane(active, [&](std::size_t lane) {
    const auto to = wide_cells(warp, more.copied_to)[lane] & ~isa::kWindowMask;
    auto* const place = memory_at(warp, Space::Shared, step.first_lane + lane, to, more.bytes);
    if (place == nullptr)
      fail(warp, step.instruction, Fault::Kind::OutOfBounds,
           fmt::format("a copy of {} bytes to {:#x} of the shared memory", more.bytes, to), step.first_lane + lane, to);
    const auto read = more.copies_part
                          ? std::min<std::uint64_t>(narrow_cells(warp, more.copied_bytes)[lane], more.bytes)
                          : more.bytes;
    std::memset(place, 0, more.bytes);
    std::memcpy(place, reinterpret_cast<const std::byte*>(pointers.at[lane]), read);  // NOLINT
  });
}

/// Records the loaded values of lanes.
/// @param addresses  of the 32 lanes, as before the access
void record(const Warp& warp, const Step& step, const AccessMore& more, Mask active, const std::uint64_t* addresses) {
  const bool is_atomic = more.access->kind == Access::Kind::Atomic;
  if (is_atomic && !more.gives_old) return;
  const auto by = !is_atomic                                               ? isa::RecordedLoad::By::Load
                  : more.access->atomic.op == isa::LaneOp::CompareExchange ? isa::RecordedLoad::By::CompareAndSwap
                                                                           : isa::RecordedLoad::By::Atomic;
  std::array<std::uint64_t, kMostLanes> places{}, values{};
  for (std::size_t i = 0; i < (is_atomic ? 1 : more.cells.size()); ++i) {
    Mask lanes = 0;
    for_each_lane(active, [&](std::size_t lane) {
      const auto window = addresses[lane] & isa::kWindowMask;
      const bool shared = more.space == Space::Shared || window == isa::kSharedWindow;
      if (!shared && window != 0) return;
      const auto number = step.first_lane + lane;
      places[number] = (addresses[lane] & ~isa::kWindowMask) + i * more.width;
      if (shared) places[number] |= isa::kSharedWindow;
      const auto value = cell(warp, is_atomic ? more.old : more.cells[i], lane);
      values[number] = isa::truncated(value, static_cast<int>(8 * more.width));
      lanes |= Mask{1} << number;
    });
    if (lanes == 0) continue;
    warp.worker->execution.recorder->add(*warp.group->recording, warp.number, lanes, warp.phase,
                                         static_cast<int>(more.width), by, places.data(), values.data());
  }
}

void access(Warp& warp, const Step& step, const AccessMore& more, const std::uint64_t* addresses, Mask active) {
  Pointers pointers;
  Resolver(warp, step, more).run(addresses, active, more.bytes, more.space, pointers);
  switch (more.access->kind) {
    case Access::Kind::Load:
      return load(warp, more, pointers, active);
    case Access::Kind::Store:
      return store(warp, more, pointers, active);
    case Access::Kind::Atomic:
      return atomic(warp, more, pointers, active);
    default:
      return copy(warp, step, more, pointers, active);
  }
}

}  // namespace

const std::uint64_t* host_addresses(Warp& warp, const Step& step, const AccessMore& more,
                                    const std::uint64_t* addresses, std::uint64_t* room) {
  Pointers pointers;
  Resolver(warp, step, more).run(addresses, 0xffffffff, more.bytes, more.space, pointers);
  std::copy_n(pointers.at, kLanes, room);
  return room;
}

std::byte* memory_at(const Warp& warp, Space space, std::size_t lane, std::uint64_t address, std::uint64_t bytes) {
  const auto& execution = warp.worker->execution;
  const auto within = [&](std::uint64_t size) { return address + bytes >= bytes && address + bytes <= size; };
  switch (space) {
    case Space::Shared:
      return within(execution.shared_bytes) ? warp.group->shared.data() + address : nullptr;
    case Space::Local:
      return within(execution.code.local_bytes) ? warp.local + lane * execution.code.local_bytes + address : nullptr;
    default: {
      const auto& arguments = execution.launch.arguments;
      // Nothing writes to arguments.
      return within(arguments.size()) ? const_cast<std::byte*>(arguments.data()) + address : nullptr;  // NOLINT
    }
  }
}

std::byte* memory_at(const Warp& warp, std::size_t lane, std::uint64_t address, std::uint64_t bytes) {
  const auto window = address & isa::kWindowMask;
  const auto space = window == isa::kSharedWindow     ? Space::Shared
                     : window == isa::kLocalWindow    ? Space::Local
                     : window == isa::kConstantWindow ? Space::Parameter
                                                      : Space::Global;
  if (space != Space::Global) return memory_at(warp, space, lane, address & ~isa::kWindowMask, bytes);
  const auto& ranges = warp.worker->execution.ranges;
  const auto behind = std::ranges::upper_bound(ranges, address, {}, &Range::begin);
  if (behind == ranges.begin() || address + bytes > std::prev(behind)->end) return nullptr;
  return reinterpret_cast<std::byte*>(address);  // NOLINT: an address of the host
}

/// cp.async.bulk: the places to write and to read, each an address and an offset, and between them the bytes; with an
/// mbarrier that gets them, shared memory is written, else read.
void copy_bulk(Lanes& lanes, const Step& step) {
  auto& warp = warp_of(lanes);
  const auto& inputs = static_cast<const OperationMore*>(step.more)->inputs;
  const bool to_shared = inputs.size() > 5;
  ++warp.writes;
  for_each_lane(lanes.active, [&](std::size_t lane) {
    const auto number = [&](std::size_t index) { return cell(lanes, inputs[index], lane); };
    const auto bytes = number(4);
    const auto place = [&](std::size_t index, bool shared, std::uint64_t size) {
      const auto address = number(index) + number(index + 1);
      auto* const found = shared ? memory_at(warp, Space::Shared, lane, address & ~isa::kWindowMask, size)
                                 : memory_at(warp, lane, address, size);
      if (found == nullptr)
        fail(warp, step.instruction, Fault::Kind::OutOfBounds,
             fmt::format("a copy of {} bytes at address {:#x}, which is outside of memory", size, address), lane,
             address);
      return found;
    };
    auto* const to = place(0, to_shared, bytes);
    std::memcpy(to, place(2, !to_shared, bytes), bytes);
    if (!to_shared) return;
    auto* const barrier = place(5, true, sizeof(std::uint64_t));
    std::uint64_t state = 0;
    std::memcpy(&state, barrier, sizeof state);
    state = mbarrier::behind(state, 0, 0, 0 - bytes);
    std::memcpy(barrier, &state, sizeof state);
  });
}

void access_memory(Lanes& lanes, const Step& step) {
  auto& warp = warp_of(lanes);
  const auto active = active_lanes(lanes, step);
  if (active == 0) return;
  const auto& more = more_of(step);
  const auto* addresses = wide_cells(lanes, step.in[0]);
  if (more.access->kind == Access::Kind::Copy && more.copies_part) {
    Pointers pointers;
    // Lanes without a read may have any address.
    alignas(kAlignment) std::uint64_t own[kLanes];
    Mask reading = 0;
    for_each_lane(active, [&](std::size_t lane) {
      if (narrow_cells(lanes, more.copied_bytes)[lane] != 0) reading |= Mask{1} << lane;
    });
    const auto some = reading == 0 ? 0 : addresses[std::countr_zero(reading)];
    for (std::size_t lane = 0; lane < kLanes; ++lane) own[lane] = ((reading >> lane) & 1) != 0 ? addresses[lane] : some;
    if (reading != 0) Resolver(warp, step, more).run(own, reading, more.bytes, more.space, pointers);
    if (reading == 0) pointers.at = own;
    return copy(warp, step, more, pointers, active);
  }
  if (warp.recorded == nullptr || warp.recorded[more.number] == 0) return access(warp, step, more, addresses, active);
  std::array<std::uint64_t, kLanes> before;  // loaded values may take their place
  std::copy_n(addresses, kLanes, before.begin());
  access(warp, step, more, addresses, active);
  record(warp, step, more, active, before.data());
}

}  // namespace warpipe::machine
