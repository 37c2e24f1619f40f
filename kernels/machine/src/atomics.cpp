// Atomics on the host's memory. Groups run on several threads at a time, so these are the host's atomics.
#include <bit>
#include <type_traits>

#include "cells.hpp"
#include "group.hpp"
#include "mbarrier.hpp"

namespace warpipe::machine {
namespace {

using isa::LaneOp;
using Kind = isa::Type::Kind;

template <class T>
using BitsOf =
    std::conditional_t<sizeof(T) == 8, std::uint64_t, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>>;

/// Replaces a number by a function of it, without any access in between.
/// @return the old number
template <class Bits, bool alone, class Change>
Bits change(std::uint64_t place, bool& changes, const Change& changed) {
  auto* const at = reinterpret_cast<Bits*>(place);  // NOLINT: an address of this process
  Bits before = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (true) {
    const Bits after = changed(before);
    if (after == before) return before;
    changes = true;
    if constexpr (alone) {
      __atomic_store_n(at, after, __ATOMIC_RELAXED);
      return before;
    } else if (__atomic_compare_exchange_n(at, &before, after, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
      return before;
    }
  }
}

/// Changes numbers by lanes, one after the other.
/// @param changed  the new number, from the old one and the numbers of the lane
template <class Bits, bool alone, class Changed>
bool change_lanes(const AtomicLanes& lanes, const Changed& changed) {
  using Cell = std::conditional_t<sizeof(Bits) == 8, std::uint64_t, std::uint32_t>;
  const auto* const a = reinterpret_cast<const Cell*>(lanes.a);
  const auto* const b = reinterpret_cast<const Cell*>(lanes.b);
  auto* const old = reinterpret_cast<Cell*>(lanes.old);
  bool changes = false;
  for_each_lane(lanes.active, [&](std::size_t lane) {
    const auto x = static_cast<Bits>(a[lane]), y = static_cast<Bits>(b == nullptr ? 0 : b[lane]);
    const auto before =
        change<Bits, alone>(lanes.at[lane], changes, [&](Bits number) { return changed(number, x, y); });
    if (old != nullptr) old[lane] = before;
  });
  return changes;
}

template <LaneOp op, class T>
T combined(T before, T a, T b) {
  if constexpr (op == LaneOp::Add) {
    if constexpr (std::is_floating_point_v<T>)
      return before + a;
    else
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(before) + static_cast<std::make_unsigned_t<T>>(a));
  }
  if constexpr (op == LaneOp::Minimum) return a < before || before != before ? a : before;
  if constexpr (op == LaneOp::Maximum) return a > before || before != before ? a : before;
  if constexpr (!std::is_floating_point_v<T>) {
    if constexpr (op == LaneOp::And) return static_cast<T>(before & a);
    if constexpr (op == LaneOp::Or) return static_cast<T>(before | a);
    if constexpr (op == LaneOp::Xor) return static_cast<T>(before ^ a);
    if constexpr (op == LaneOp::Increment) return before >= a ? T{0} : static_cast<T>(before + 1);
    if constexpr (op == LaneOp::Decrement) return before == 0 || before > a ? a : static_cast<T>(before - 1);
    if constexpr (op == LaneOp::CompareExchange) return before == a ? b : before;
  }
  if constexpr (op == LaneOp::Exchange) return a;
  return before;
}

template <LaneOp op, class T, bool alone>
bool atomic(const AtomicLanes& lanes) {
  using Bits = BitsOf<T>;
  return change_lanes<Bits, alone>(lanes, [](Bits before, Bits a, Bits b) {
    return std::bit_cast<Bits>(combined<op, T>(std::bit_cast<T>(before), std::bit_cast<T>(a), std::bit_cast<T>(b)));
  });
}

/// A float of 16 bits, or two in a row.
template <LaneOp op, bool brain, class Bits>
bool atomic_halves(const AtomicLanes& lanes) {
  const auto to_float = [](std::uint64_t bits) {
    return brain ? brain_to_float(static_cast<std::uint16_t>(bits)) : half_to_float(static_cast<std::uint16_t>(bits));
  };
  return change_lanes<Bits, false>(lanes, [&](Bits before, Bits a, Bits /*b*/) {
    std::uint64_t after = 0;
    for (unsigned at = 0; at < 8 * sizeof(Bits); at += 16) {
      const double result = combined<op, double>(static_cast<double>(to_float(std::uint64_t{before} >> at)),
                                                 static_cast<double>(to_float(std::uint64_t{a} >> at)), 0);
      after |= std::uint64_t{brain ? brain_from(result) : half_from(result)} << at;
    }
    return static_cast<Bits>(after);
  });
}

template <LaneOp op>
AtomicFunction of_halves(const isa::LaneOperation& operation) {
  const bool brain = operation.format == isa::Format::Brain;
  if (operation.parts == 2)
    return brain ? atomic_halves<op, true, std::uint32_t> : atomic_halves<op, false, std::uint32_t>;
  return brain ? atomic_halves<op, true, std::uint16_t> : atomic_halves<op, false, std::uint16_t>;
}

/// Changes the states of mbarriers by lanes, one after the other: those lie in memory of the group, which a single
/// thread of the host executes.
template <class Changed>
bool change_barriers(const AtomicLanes& lanes, const Changed& changed) {
  const auto* const a = reinterpret_cast<const std::uint64_t*>(lanes.a);
  const auto* const b = reinterpret_cast<const std::uint64_t*>(lanes.b);
  auto* const old = reinterpret_cast<std::uint64_t*>(lanes.old);
  for_each_lane(lanes.active, [&](std::size_t lane) {
    auto* const at = reinterpret_cast<std::uint64_t*>(lanes.at[lane]);  // NOLINT: an address of this process
    const auto before = *at;
    *at = changed(before, a[lane], b == nullptr ? 0 : b[lane]);
    if (old != nullptr) old[lane] = before;
  });
  return true;
}

template <class Tested>
bool test_barriers(const AtomicLanes& lanes, const Tested& is_over) {
  const auto* const a = reinterpret_cast<const std::uint64_t*>(lanes.a);
  auto* const old = reinterpret_cast<std::uint64_t*>(lanes.old);
  for_each_lane(lanes.active, [&](std::size_t lane) {
    const auto state = *reinterpret_cast<const std::uint64_t*>(lanes.at[lane]);  // NOLINT: an address of this process
    if (old != nullptr) old[lane] = is_over(mbarrier::parity_of(state), a[lane]) ? 1 : 0;
  });
  return false;
}

AtomicFunction of_barriers(LaneOp op) {
  using Number = std::uint64_t;
  switch (op) {
    case LaneOp::InitialiseBarrier:
      return [](const AtomicLanes& lanes) {
        return change_barriers(lanes, [](Number, Number count, Number) { return mbarrier::initial(count); });
      };
    case LaneOp::ArriveAtBarrier:
      return [](const AtomicLanes& lanes) {
        return change_barriers(
            lanes, [](Number state, Number count, Number bytes) { return mbarrier::behind(state, count, 0, bytes); });
      };
    case LaneOp::LeaveBarrier:
      return [](const AtomicLanes& lanes) {
        return change_barriers(lanes, [](Number state, Number count, Number bytes) {
          return mbarrier::behind(state, count, count, bytes);
        });
      };
    case LaneOp::TestBarrier:
      return [](const AtomicLanes& lanes) {
        return test_barriers(lanes, [](Number now, Number state) { return now != mbarrier::parity_of(state); });
      };
    case LaneOp::TestParity:
      return [](const AtomicLanes& lanes) {
        return test_barriers(lanes, [](Number now, Number parity) { return now != (parity & 1); });
      };
    default:
      return nullptr;
  }
}

template <LaneOp op, bool alone>
AtomicFunction of_type(const isa::LaneOperation& operation) {
  const auto type = operation.type;
  if (type.kind == Kind::Float && (op == LaneOp::Add || op == LaneOp::Minimum || op == LaneOp::Maximum)) {
    if (type.bits == 16) return of_halves<op>(operation);
    return type.bits == 32 ? atomic<op, float, alone> : atomic<op, double, alone>;
  }
  const bool has_sign = type.kind == Kind::Signed;
  switch (type.bits) {
    case 16:
      return has_sign ? atomic<op, std::int16_t, alone> : atomic<op, std::uint16_t, alone>;
    case 32:
      return has_sign ? atomic<op, std::int32_t, alone> : atomic<op, std::uint32_t, alone>;
    case 64:
      return has_sign ? atomic<op, std::int64_t, alone> : atomic<op, std::uint64_t, alone>;
    default:
      return nullptr;
  }
}

template <bool alone>
AtomicFunction of_operation(const isa::LaneOperation& operation) {
  switch (operation.op) {
    case LaneOp::Add:
      return of_type<LaneOp::Add, alone>(operation);
    case LaneOp::Minimum:
      return of_type<LaneOp::Minimum, alone>(operation);
    case LaneOp::Maximum:
      return of_type<LaneOp::Maximum, alone>(operation);
    case LaneOp::And:
      return of_type<LaneOp::And, alone>(operation);
    case LaneOp::Or:
      return of_type<LaneOp::Or, alone>(operation);
    case LaneOp::Xor:
      return of_type<LaneOp::Xor, alone>(operation);
    case LaneOp::Exchange:
      return of_type<LaneOp::Exchange, alone>(operation);
    case LaneOp::CompareExchange:
      return of_type<LaneOp::CompareExchange, alone>(operation);
    case LaneOp::Increment:
      return of_type<LaneOp::Increment, alone>(operation);
    case LaneOp::Decrement:
      return of_type<LaneOp::Decrement, alone>(operation);
    default:
      return of_barriers(operation.op);
  }
}

}  // namespace

AtomicFunction atomic_function(const isa::LaneOperation& operation, bool alone) {
  return alone ? of_operation<true>(operation) : of_operation<false>(operation);
}

}  // namespace warpipe::machine
