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

/// Executes whole kernels in the form of no language: every instruction of every warp, on real memory, with what the
/// importer's lane operations compute. Slow and simple; it shares with the importer what an operation does in a lane,
/// and nothing else.
///
/// With an explicit execution mask a warp is at one place. Without one, of the lanes that are not at a barrier those at
/// the first place in the text go on, until all have met.
class KernelMachine {
 public:
  /// @param program  must live as long
  explicit KernelMachine(const isa::Program& program);

  /// Puts an array into global memory.
  /// @return its address
  std::uint64_t add_array(std::span<const std::byte> bytes);
  /// What is at an address of global memory.
  std::span<const std::byte> bytes_at(std::uint64_t address, std::size_t count) const;
  /// Sets what a memory region of the program holds, as the host sets constants.
  void set_region(const std::string& name, std::span<const std::byte> bytes);

  /// @param arguments  bit patterns, by parameter of the program; those behind the last one given are 0
  /// @throws std::runtime_error, with the line, for what cannot be executed: an operation that is not followed, an
  ///         access outside memory, more than 10^8 instructions of a warp
  void run(const isa::Launch& launch, const std::vector<std::uint64_t>& arguments);

  /// What its warps have issued so far, by op, whether lanes took part or not.
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
