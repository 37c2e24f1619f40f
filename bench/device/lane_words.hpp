#pragma once

namespace measure {

constexpr unsigned kBanks = 32;

/// The word of a lane such that `degree` lanes meet in a bank, each at a word of its own.
constexpr unsigned conflicting_word(unsigned lane, unsigned degree) { return lane % degree * kBanks + lane / degree; }

/// The word of a lane such that `degree` lanes share it, and no bank holds two of the words.
constexpr unsigned shared_word(unsigned lane, unsigned degree) { return lane / degree; }

}  // namespace measure
