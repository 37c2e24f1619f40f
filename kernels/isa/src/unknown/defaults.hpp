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

inline constexpr const char* kAnySize = "any size";  ///< why an argument is as it is
inline constexpr std::int64_t kSize = 1024;          ///< of which nothing is known

std::int64_t threads_of(const Launch& launch);

/// Of a number of which only the type is known: 1024, 1 of a float or of few bits.
Default default_number(Type type);

/// Of a loop that a guard ends:
///   halving what is left (binary search)            log2 of the threads of the launch
///   counting up to a number that is not known       16 / the step: a row of 16 elements
///   counting what is left of that (`n % 4`)         half of the most
///   ending by what it reads (probe, chase, search)  4
Default default_trips(const ExecutionInput& input, const LoopInfo& loop, std::uint32_t jump);

/// Of the lanes that jump: into a loop 0.75, where numbers are equal 0.16, to the end of the kernel 0.28, else 0.5.
/// @source Y. Wu, J. R. Larus, "Static branch frequency and program profile analysis", MICRO 27, 1994, Table 1: the
///         loop header, opcode and return heuristics
Default default_taken(const Prepared& kernel, std::uint32_t jump);

/// Of an array that a load reads for a jump that leaves a loop or leads to one, where another load reads the element
/// next to it: rows of 16 elements, one behind the other. Nothing where the user gives it, or where it is none of whole
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
