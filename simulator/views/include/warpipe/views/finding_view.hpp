#pragma once

#include <optional>
#include <string>

#include "warpipe/predict/finding.hpp"

namespace warpipe {

/// One sentence: the limit, where in the code it comes from, and what a change there would bring.
///
///     Limited by the pipeline l2: stores of transpose.cu:17 use 4 of 32 bytes of each sector; as neighbours about
///     9.588 us (-52.9 %, an estimate).
///
/// @param changed  the time with the finding's change; nothing where it has none; said where it is worth it
std::string sentence(const Finding& finding, Seconds time, const std::optional<Seconds>& changed);

/// The sentence in lines of at most 80 columns, each with its end.
std::string paragraph(const Finding& finding, Seconds time, const std::optional<Seconds>& changed);

/// The member "finding" of a result: limit, cause, place, sentence, and the estimate.
std::string finding_json(const Finding& finding, Seconds time, const std::optional<Seconds>& changed);

}  // namespace warpipe
