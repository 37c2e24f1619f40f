#pragma once

#include <optional>
#include <string>

#include "warpipe/predict/finding.hpp"

namespace warpipe {

/// A sentence: the limit, its place in the code, and the effect of a change there.
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
