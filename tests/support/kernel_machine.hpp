#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "warpipe/isa/launch.hpp"
#include "warpipe/isa/program.hpp"

namespace warpipe::test {

/// Executes whole kernels in the form of no language: every instruction of every warp, on real memory, with the values
/// of the importer's lane operations. Slow and simple; of the importer it shares only the effect of an operation in a
/// lane.
///
/// With an explicit execution mask all lanes of a warp are at one place. Without a mask, the lanes at the first place
/// in the text go on until all have met; lanes at a barrier wait.
class KernelMachine {
 public:
  /// @param program  must live as long
  explicit KernelMachine(const isa::Program& program);

  /// Puts an array into global memory.
  /// @return its address
  std::uint64_t add_array(std::span<const std::byte> bytes);
  /// @return the bytes at an address of global memory
  std::span<const std::byte> bytes_at(std::uint64_t address, std::size_t count) const;
  /// Sets the content of a memory region of the program, as the host sets constants.
  void set_region(const std::string& name, std::span<const std::byte> bytes);

  /// @param arguments  bit patterns, by parameter of the program; parameters behind the last argument are 0
  /// @throws std::runtime_error, with the line: an operation is not followed, an access is outside memory, or a warp
  ///         executes more than 10^8 instructions
  void run(const isa::Launch& launch, const std::vector<std::uint64_t>& arguments);

  /// @return the instructions issued so far by all warps, by op, with or without active lanes
  std::map<std::string, double> issued() const;

 private:
  struct Warp;
  friend class WarpOfMachine;
  const isa::Program& program_;
  std::vector<std::byte> global_;
  std::vector<std::uint64_t> regions_;  ///< their addresses, in their spaces
  std::vector<std::byte> constant_;
  std::vector<std::int64_t> executions_;  ///< by instruction, of warps
  std::uint64_t shared_bytes_ = 0, local_bytes_ = 0;
};

}  // namespace warpipe::test
