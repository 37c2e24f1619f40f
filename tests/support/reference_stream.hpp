#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "warpipe/idg/kernel.hpp"

namespace warpipe::reference {

/// Rule 3 of the model: the instructions of a warp in program order, found by walking the kernel's tree.
class InstructionStream {
 public:
  /// @param kernel  outlives the stream
  /// @param values  parameters, group_size, warps, warp
  InstructionStream(const Kernel& kernel, Values values);

  /// @return index of the next instruction; nothing at the end
  std::optional<std::size_t> next();

 private:
  struct OpenBody {
    const std::vector<Item>* body;
    std::size_t position;
    std::int64_t trips_left;  ///< with the running trip
  };
  void enter(const std::vector<Item>& body, std::int64_t trips);

  Values values_;
  std::vector<OpenBody> open_;  ///< innermost last
};

}  // namespace warpipe::reference
