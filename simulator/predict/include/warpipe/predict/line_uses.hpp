#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/predict/lower.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe {

/// The work of a source line in a launch; of an instruction where the source has no lines.
struct LineUse {
  std::string place;                      ///< "transpose.cu:17", else the id of the instruction
  std::vector<std::size_t> instructions;  ///< executed instructions, as indices into the kernel
  double executions = 0;                  ///< by all warps, of the most executed instruction
  /// Bytes of each sector used by lanes; empty for a line without loads or stores of known addresses.
  std::optional<double> loaded_of_sector, stored_of_sector;
  double ways = 1;           ///< of bank conflicts, as a mean of the accesses of shared memory
  std::vector<double> busy;  ///< cycles of each pipeline of the device
};

/// @return in the order of their first instructions
/// @complexity steps of the program
std::vector<LineUse> line_uses(const LoweredLaunch& launch, const Prediction& prediction);

}  // namespace warpipe
