#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Long tests try a tenth of their cases, drawn anew for each commit, so that every case has its turn.
///
///     WARPIPE_TEST_DRAW=all   tries every case, as .ci/nightly does
///     WARPIPE_TEST_DRAW=WORD  repeats the draw of a commit, whose hash is the word, or makes another draw

namespace warpipe {

/// @return WARPIPE_TEST_DRAW; without it the hash of the commit of the sources, and "none" outside of a clone
const std::string& word_of_draw();

/// @param test   its name; each test has a draw of its own
/// @param count  of its cases
/// @return       the numbers of the cases to try, ascending: a tenth of them, rounded up, or all
std::vector<std::size_t> drawn_cases(std::string_view test, std::size_t count);

/// @return how many cases to try of a test whose cases are random anyway: a tenth of them, rounded up, or all
int drawn_share(int count);

}  // namespace warpipe
