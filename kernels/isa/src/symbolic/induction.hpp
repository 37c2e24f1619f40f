#pragma once

#include <cstdint>
#include <optional>

#include "symbolic/forms.hpp"

/// Loops as arithmetic.

namespace warpipe::isa {

/// Trips beyond which a loop counts as endless.
inline constexpr std::int64_t kNever = std::int64_t{1} << 40;

/// What a register holds as trip `trip` begins, where one trip makes `after` of what it held: r(0) = start,
/// r(k + 1) = after(r(k), k).
/// @param held   the variable of `after` that stands for what it held; the only one carried from trip to trip in it
/// @return       nothing where it moves in no way that is known here
std::optional<Form> carried_form(Forms& forms, Form start, Form held, Form after, Form trip);

/// The first trip in which a truth holds: kNever where in none; nothing where it is not found.
std::optional<Form> first_trip(Forms& forms, Form truth, Form trip);

}  // namespace warpipe::isa
