#pragma once

#include <string>
#include <vector>

#include "warpipe/explain/explain.hpp"
#include "warpipe/views/text_table.hpp"

namespace warpipe {

/// A file of source that is at hand.
struct SourceText {
  std::string name;  ///< "transpose.cu", as the lines of instructions name it
  std::vector<std::string> lines;
};

/// The source with what a launch does at each line: a row for each line that has instructions, with two lines around it
/// where the file is at hand, else with the text of the instruction that takes most time; an instruction each where it
/// has no lines.
///
///     Source          share   runs  sectors        served by       dram    text
///     transpose.cu:16                                                      int y = blockIdx.y * 32;
///     transpose.cu:17  92.1 %  4096  4 of 32 bytes  dram 87.5 %     99.1 %  out[x * h + y] = in[y * w + x];
///
/// "Share" is the part of all warps' time that they spent there, "sectors" the bytes that lanes use of each sector that
/// they touch, "conflicts" the ways of bank conflicts, "served by" the levels whose answer is waited for. A pipeline's
/// column is the part of the run for which the line keeps it busy; all lines add up to its utilisation.
TextTable source_table(const LoweredLaunch& launch, const Outcome& outcome, const std::vector<SourceText>& sources);

/// The value of the member "source" of a result: the lines that have instructions, each with all pipelines.
std::string source_json(const LoweredLaunch& launch, const Outcome& outcome, const std::vector<SourceText>& sources);

}  // namespace warpipe
