#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lanes/execution.hpp"
#include "lanes/prepared.hpp"

/// Rules for unknown data: the values to assume, told from the program around them.

namespace warpipe::isa {

/// An answer, its rule, and further values to show how much it matters.
struct Default {
  std::string value, why;
  std::vector<std::string> others;
};

/// Numbers to assume for unknown data. The report names each answer made of them with its rule and with values to show
/// how much it matters (`Assumption`).
struct Guesses {
  // Published measurements: shares of taken branches over 23 programs.
  // @source Y. Wu, J. R. Larus, "Static branch frequency and program profile analysis", MICRO 27, 1994, Table 1: the
  //         loop header, opcode and return heuristics
  double into_loop = 0.75, equal = 0.16, to_the_end = 0.28;

  // Round numbers without a source, where no kernel says more.
  double other_branch = 0.5;                          ///< at any other branch, and of the lanes under a mask
  std::int64_t size = 1024, small_size = 64;          ///< unknown sizes; small ones where large ones take long
  std::int64_t row = 16;                              ///< elements covered by a loop of unknown end
  std::int64_t search = 4;                            ///< trips of a loop that ends by loaded data, or by nothing known
  std::int64_t radius = 4;                            ///< of a window from -r to r
  std::int64_t fewest_bytes = std::int64_t{1} << 20;  ///< of an array with unknown addresses
};
inline constexpr Guesses kGuesses;

inline constexpr const char* kAnySize = "any size";  ///< the rule of an argument without any other

std::int64_t threads_of(const Launch& launch);

/// For a number of known type only: 1024, or 1 for floats and for few bits.
Default default_number(Type type);

/// Trips of a loop that ends by a guard:
///   taking numbers of a counter up to a known one   their number / the groups
///   halving the rest (binary search)                log2 of the threads of the launch
///   counting up to an unknown number                a row / the step
///   counting up to a rest (`n % 4`)                 half of the most
///   ending by loaded data (probe, chase, search)    the trips of a search
Default default_trips(const ExecutionInput& input, const LoopInfo& loop, std::uint32_t jump);

/// Share of jumping lanes: into a loop, by equal numbers, to the end of the kernel, or elsewhere.
Default default_taken(const Prepared& kernel, std::uint32_t jump);

/// Rows for an array, in sequence: for a jump that leaves or enters a loop, a load reads an element, and another load
/// the element next to it. Nothing where the user gives the array, or where it does not hold whole numbers.
std::optional<Default> default_rows(const Prepared& kernel, std::uint32_t jump, std::uint32_t load);

/// Pattern of an access: random elements of an array with an element for each thread of the launch, at least 1 MiB; in
/// memory of known size, anywhere in it.
Default default_address(const Prepared& kernel, std::uint32_t access);

/// Values to assume for all unknown arguments at once:
///   a mask that cuts numbers                     ones as wide as the number of all threads of the launch
///   a radius: a window goes from -r to r         4
///   a pitch: it only multiplies an index         the least with which no rows of an array overlap
///   a size compared with an index                just large enough for every thread of the launch
///   else                                         1024; 1 of a float, or of less than 16 bits
/// @param missing  parameters
/// @return         by parameter
/// @complexity     see SizeFinder
std::vector<Default> default_arguments(const ExecutionInput& input, const std::vector<std::size_t>& missing);

}  // namespace warpipe::isa
