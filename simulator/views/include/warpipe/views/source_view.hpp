#pragma once

#include <string>
#include <vector>

#include "warpipe/explain/explain.hpp"
#include "warpipe/views/text_table.hpp"

namespace warpipe {

/// A source file at hand.
struct SourceText {
  std::string name;  ///< "transpose.cu", as the lines of instructions name it
  std::vector<std::string> lines;
};

/// The source with the work of a launch at each line: a row for each line with instructions, with two lines around it
/// where the file is at hand, else with the text of the instruction with the most time; a row per instruction where the
/// source has no lines.
///
///     Source          share   runs  sectors        served by       dram    text
///     transpose.cu:16                                                      int y = blockIdx.y * 32;
///     transpose.cu:17  92.1 %  4096  4 of 32 bytes  dram 87.5 %     99.1 %  out[x * h + y] = in[y * w + x];
///
/// "Share" is the part of all warps' time at the line, "sectors" the bytes used by lanes of each touched sector,
/// "conflicts" the ways of bank conflicts, "served by" the levels with awaited answers. A pipeline's column is the part
/// of the run for which the line keeps it busy; all lines add up to its utilisation.
TextTable source_table(const LoweredLaunch& launch, const Outcome& outcome, const std::vector<SourceText>& sources);

/// The value of the member "source" of a result: the lines with instructions, each with all pipelines.
std::string source_json(const LoweredLaunch& launch, const Outcome& outcome, const std::vector<SourceText>& sources);

}  // namespace warpipe
