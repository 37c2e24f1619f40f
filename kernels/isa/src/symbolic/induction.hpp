#pragma once

#include <cstdint>
#include <optional>

#include "symbolic/forms.hpp"

/// Solves recurrences of loops: the value of a register by trip, and the first trip of a truth.

namespace warpipe::isa {

/// Trips beyond which a loop counts as endless.
inline constexpr std::int64_t kNever = std::int64_t{1} << 40;

/// The content of a register at the start of trip `trip`, where a trip turns its old content into `after`: r(0) =
/// start, r(k + 1) = after(r(k), k).
/// @param held   the variable in `after` for the old content; the only variable carried from trip to trip there
/// @return       nothing for a register that moves in no known way
std::optional<Form> carried_form(Forms& forms, Form start, Form held, Form after, Form trip);

/// The first trip where a truth holds: kNever for none; nothing where it is not found.
std::optional<Form> first_trip(Forms& forms, Form truth, Form trip);

}  // namespace warpipe::isa
