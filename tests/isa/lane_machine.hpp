#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace warpipe::test {

/// A number for each lane of a warp.
using LaneNumbers = std::array<std::uint64_t, 32>;

/// Executes PTX for one warp; its lanes tell their values by the addresses of stores.
///
/// The body has its lane's numbers in `input(i)`, registers %p, %h, %r and %d of 1, 16, 32 and 64 bits numbered from 0
/// to 39 (registers from 28 on are reserved), and tells of registers by `tell`.
/// @param declarations  variables of the module
/// @return              the told numbers, in the order of the text
std::vector<LaneNumbers> lanes_tell(const std::string& body, const std::vector<LaneNumbers>& inputs,
                                    const std::string& declarations = "");
/// Loads a lane's number of the inputs' `index`th into %d<reg>.
std::string input(std::size_t index, int reg);
/// Tells the value of a register: "%r9".
std::string tell(const std::string& reg);

/// An instruction with letters for its registers, the results first: "setp.lt.and.s32 p|p, r, r, !p". Other letters
/// stand for themselves.
struct OperationCase {
  std::string text;
  /// The values of the results from the values of the sources, each within its register.
  std::function<std::vector<std::uint64_t>(std::span<const std::uint64_t>)> expected;
  double tolerance = 0;  ///< of floats of 32 bits: the allowed relative error
};

/// Executes an instruction for many inputs, edges of its types among them, and expects the results. NaN doubles are
/// alike.
void expect_operation(const OperationCase& operation);

/// A number to try: of 32 or 64 bits, float or whole.
std::uint64_t drawn_whole(std::mt19937_64& random, int bits);
std::uint64_t drawn_float(std::mt19937_64& random, int bits);

}  // namespace warpipe::test
