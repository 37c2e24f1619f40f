#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace warpipe::test {

/// An instruction of machine code, put together from its fields. Fields not set are as a compiler leaves them: no
/// guard, registers that read as zero, predicates that are true, no scoreboards.
struct Assembled {
  explicit Assembled(unsigned opcode12);
  Assembled& set(int first, int count, std::uint64_t bits);
  Assembled& dst(unsigned reg) { return set(16, 8, reg); }
  Assembled& a(unsigned reg) { return set(24, 8, reg); }
  Assembled& b(unsigned reg) { return set(32, 8, reg); }
  Assembled& c(unsigned reg) { return set(64, 8, reg); }
  Assembled& immediate(std::uint32_t bits) { return set(32, 32, bits); }
  std::string bytes() const;
  std::uint64_t low = 0, high = 0;
};

/// The results of an operation in a lane: two words and a truth, as far as it writes them.
struct LaneResult {
  std::uint32_t low = 0, high = 0, truth = 0;
};

/// Executes an instruction in 32 lanes, on the machine code of an architecture around it. It finds three numbers of 64
/// bits in R8:R9, R10:R11 and R12:R13, the low bit of a fourth in P1, and leaves its results in R16:R17 and P2.
std::vector<LaneResult> execute(const Assembled& instruction, int architecture,
                                const std::array<std::vector<std::uint64_t>, 4>& inputs);

}  // namespace warpipe::test
