#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/predict/lower.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe {

/// What a line of source does in a launch; where the source has no lines, what an instruction does.
struct LineUse {
  std::string place;                      ///< "transpose.cu:17", else the id of the instruction
  std::vector<std::size_t> instructions;  ///< that run, by their places in the kernel
  double executions = 0;                  ///< by all warps, of the instruction that runs most
  /// Bytes of each sector that lanes use; nothing for a line without such accesses of known addresses.
  std::optional<double> loaded_of_sector, stored_of_sector;
  double ways = 1;           ///< of bank conflicts, as a mean of the accesses of shared memory
  std::vector<double> busy;  ///< cycles of each pipeline of the device
};

/// @return in the order of their first instructions
/// @complexity steps of the program
std::vector<LineUse> line_uses(const LoweredLaunch& launch, const Prediction& prediction);

}  // namespace warpipe
