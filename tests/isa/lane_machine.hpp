#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace warpipe::test {

/// One number for each lane of a warp.
using LaneNumbers = std::array<std::uint64_t, 32>;

/// Executes PTX for one warp, whose lanes tell what they hold by the addresses that they reach.
///
/// The body has its lane's numbers in `input(i)`, registers %p, %h, %r and %d of 1, 16, 32 and 64 bits numbered from 0
/// to 39, of which it leaves those from 28 on alone, and tells of registers by `tell`.
/// @param declarations  variables of the module
/// @return              what was told, in the order of the text
std::vector<LaneNumbers> lanes_tell(const std::string& body, const std::vector<LaneNumbers>& inputs,
                                    const std::string& declarations = "");
/// Loads a lane's number of the inputs' `index`th into %d<reg>.
std::string input(std::size_t index, int reg);
/// Tells what a register holds: "%r9".
std::string tell(const std::string& reg);

/// An instruction with letters for its registers, the results first: "setp.lt.and.s32 p|p, r, r, !p". What is no
/// letter of the four stands for itself.
struct OperationCase {
  std::string text;
  /// From what the sources hold, each within its register, what the results do.
  std::function<std::vector<std::uint64_t>(std::span<const std::uint64_t>)> expected;
  double tolerance = 0;  ///< of floats of 32 bits, the relative error that is allowed
};

/// Executes an instruction for many inputs, edges of its types and others, and expects the results. Doubles that are no
/// numbers are alike.
void expect_operation(const OperationCase& operation);

/// A number to try: of 32 or 64 bits, float or whole.
std::uint64_t drawn_whole(std::mt19937_64& random, int bits);
std::uint64_t drawn_float(std::mt19937_64& random, int bits);

}  // namespace warpipe::test
