#pragma once

#include "lane_maker.hpp"

/// The computation of each kind of instruction in a lane: functions named in the table of rows. Each writes its
/// assignments, and the ops where the table leaves them open.

namespace warpipe::sass::lanes {

using Maker = void(LaneMaker&);

Maker move, move_constant, move_index, half_constant, load_constant, from_lane, reduce;
Maker multiply_add, multiply_add_wide, multiply_add_high, add3, add2, add_wide, add3_wide, shift_and_add, absolute,
    dot_product;
Maker logic3, predicates, shift, select, select_wide, compare, extreme, extreme_wide, extreme3, add_and_extreme,
    permute, extend, bit_mask, population, highest_bit, reverse, pack_predicates, unpack_predicates;
Maker add_float, multiply_float, fused_float, compare_float, extreme_float, extreme3_float, special_function,
    check_division, add_double, multiply_double, fused_double, compare_double;
Maker to_float, to_float_packed, to_whole, float_to_float, round_float;
Maker shuffle, vote, match, elect, granted;

}  // namespace warpipe::sass::lanes
