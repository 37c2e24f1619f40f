#pragma once

namespace measure {

constexpr unsigned kBanks = 32;

/// The word of a lane for `degree` lanes to meet in a bank, each at a word of its own.
constexpr unsigned conflicting_word(unsigned lane, unsigned degree) { return lane % degree * kBanks + lane / degree; }

/// The word of a lane for `degree` lanes to share it, with at most one of the words in a bank.
constexpr unsigned shared_word(unsigned lane, unsigned degree) { return lane / degree; }

}  // namespace measure
