#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lanes/execution.hpp"
#include "lanes/prepared.hpp"

/// What is assumed of data that nobody says, told from the text around it.

namespace warpipe::isa {

/// An answer, the rule that gives it, and others that show how much it matters.
struct Default {
  std::string value, why;
  std::vector<std::string> others;
};

/// What stands for numbers that nobody says. Each answer that one of them gave is named in the report with its rule and
/// with values that show how much it matters (`Assumption`).
struct Guesses {
  // Measured by others: shares of branches that are taken, over 23 programs.
  // @source Y. Wu, J. R. Larus, "Static branch frequency and program profile analysis", MICRO 27, 1994, Table 1: the
  // loop
  //         header, opcode and return heuristics
  double into_loop = 0.75, equal = 0.16, to_the_end = 0.28;

  // Without a source: round numbers, of which no kernel says more.
  double other_branch = 0.5;                          ///< likewise, and lanes under a mask
  std::int64_t size = 1024, small_size = 64;          ///< of which nothing is known; where that takes long
  std::int64_t row = 16;                              ///< elements that a loop of unknown end goes over
  std::int64_t search = 4;                            ///< trips that end by what they read, or by nothing known
  std::int64_t radius = 4;                            ///< of a window from -r to r
  std::int64_t fewest_bytes = std::int64_t{1} << 20;  ///< of an array at whose addresses nothing is known
};
inline constexpr Guesses kGuesses;

inline constexpr const char* kAnySize = "any size";  ///< why an argument is as it is

std::int64_t threads_of(const Launch& launch);

/// Of a number of which only the type is known: 1024, 1 of a float or of few bits.
Default default_number(Type type);

/// Of a loop that a guard ends:
///   halving what is left (binary search)            log2 of the threads of the launch
///   counting up to a number that is not known       a row / the step
///   counting what is left of that (`n % 4`)         half of the most
///   ending by what it reads (probe, chase, search)  the trips of a search
Default default_trips(const ExecutionInput& input, const LoopInfo& loop, std::uint32_t jump);

/// Of the lanes that jump: into a loop, where numbers are equal, to the end of the kernel, or else.
Default default_taken(const Prepared& kernel, std::uint32_t jump);

/// Of an array that a load reads for a jump that leaves a loop or leads to one, where another load reads the element
/// next to it: rows, one behind the other. Nothing where the user gives it, or where it is none of whole
/// numbers.
std::optional<Default> default_rows(const Prepared& kernel, std::uint32_t jump, std::uint32_t load);

/// Of an access: random elements of an array with an element for each thread of the launch, at least 1 MiB; in memory
/// whose size the program says, of that.
Default default_address(const Prepared& kernel, std::uint32_t access);

/// What is assumed of the arguments that nobody says, all of them at once:
///   a mask that numbers are cut by               ones as wide as the number of all threads of the launch
///   a radius: a window goes from -r to r         4
///   the step from lane to lane of an access      as many elements as it reads at once: neighbours
///   a size that an index is compared with        just large enough for every thread of the launch
///   else                                         1024; 1 of a float
/// @param missing  parameters
/// @return         of each
/// @complexity     see SizeFinder
std::vector<Default> default_arguments(const ExecutionInput& input, const std::vector<std::size_t>& missing);

}  // namespace warpipe::isa
