#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "prepared.hpp"

/// The numbers of single lanes.

namespace warpipe::machine {

template <class Each>
void for_each_lane(Mask lanes, const Each& each) {
  for (; lanes != 0; lanes &= lanes - 1) each(static_cast<std::size_t>(std::countr_zero(lanes)));
}

/// The active lanes among the 32 of a step.
inline Mask active_lanes(const Lanes& lanes, const Step& step) {
  return (lanes.active >> step.first_lane) & 0xffffffff;
}

inline std::byte* place_of(const Lanes& lanes, Operand operand) {
  return lanes.base[operand & 1] + (operand & ~Operand{1});
}
inline std::uint64_t* wide_cells(const Lanes& lanes, Operand operand) {
  return reinterpret_cast<std::uint64_t*>(place_of(lanes, operand));
}
inline std::uint32_t* narrow_cells(const Lanes& lanes, Operand operand) {
  return reinterpret_cast<std::uint32_t*>(place_of(lanes, operand));
}
inline std::uint64_t cell(const Lanes& lanes, const AccessMore::Cells& cells, std::size_t lane) {
  return cells.wide ? wide_cells(lanes, cells.place)[lane] : narrow_cells(lanes, cells.place)[lane];
}
inline void set_cell(const Lanes& lanes, const AccessMore::Cells& cells, std::size_t lane, std::uint64_t number) {
  if (cells.wide)
    wide_cells(lanes, cells.place)[lane] = number;
  else
    narrow_cells(lanes, cells.place)[lane] = static_cast<std::uint32_t>(number);
}

}  // namespace warpipe::machine
