#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "warpipe/isa/launch.hpp"
#include "warpipe/isa/program.hpp"
#include "warpipe/machine/memory.hpp"

/// Executes kernels on the host, as a GPU would: all lanes of a warp at once, all warps of a group in turns, groups on
/// all cores.

namespace warpipe::machine {

inline constexpr std::uint64_t kWorkspaceBytes = 64;

/// The start of a kernel.
struct Launch {
  isa::Dimensions grid{1, 1, 1}, block{1, 1, 1};
  isa::Dimensions cluster{1, 1, 1};       ///< groups; all of 1: none
  std::int64_t dynamic_shared_bytes = 0;  ///< of a group
  std::vector<std::byte> arguments;       ///< the kernel's parameters in order, with their gaps
  std::int64_t units = 1;                 ///< of the device, for kernels that ask
  /// The address of kWorkspaceBytes of zeros in which the groups of a cooperative launch meet; 0 without one.
  std::uint64_t workspace = 0;
  std::int64_t heap_bytes = 8 << 20;  ///< of the heap of kernels, made for the first kernel that asks for memory
};

/// The limits of an execution.
struct Effort {
  unsigned threads = 0;                ///< of the host; 0: as many as it has cores
  std::int64_t most_instructions = 0;  ///< of warps, of all groups together; 0: no bound
  double seconds = 0;                  ///< of the clock; 0: no bound
  std::vector<std::int64_t> groups;    ///< numbers of the groups to execute; empty: all
};

/// The result of an execution.
struct Outcome {
  bool complete = true;                  ///< all groups ended; not where the effort was spent
  std::uint64_t instructions = 0;        ///< of warps
  std::uint64_t lane_instructions = 0;   ///< the same, each counted once for each active lane
  std::string behind;                    ///< the first access to the room behind a range; empty without one
  std::vector<std::uint64_t> of_groups;  ///< instructions of warps, by group: x + grid x (y + grid y x z)
};

/// The reason and the place where a kernel cannot go on.
class Fault : public std::runtime_error {
 public:
  enum class Kind {
    OutOfBounds,   ///< an address in no range of memory, or beyond shared, local or constant memory
    Misaligned,    ///< an address that is no multiple of the access size
    ReadOnly,      ///< a write to read-only memory
    Deadlock,      ///< all warps of a group wait for each other
    Trap,          ///< the kernel ended itself in an error: `trap`
    Assertion,     ///< `assert`; lines as CUDA's are printed to the standard error stream
    NotSupported,  ///< an instruction that this machine does not execute
    Launch         ///< arguments or sizes that the kernel cannot have
  };
  Fault(Kind what, const std::string& message) : std::runtime_error(message), kind(what) {}

  Kind kind;
  std::string instruction;  ///< as in the program; empty outside of instructions
  std::uint32_t line = 0;   ///< in the program's file
  std::string source;       ///< "saxpy.cu:9"; empty where unknown
  isa::Dimensions group{0, 0, 0}, thread{0, 0, 0};
  std::uint64_t address = 0;  ///< of an access
};

class LoadRecorder;

/// An entry, ready to be executed.
class Machine {
 public:
  /// @param program    by a reader's `executable_program`; is copied
  /// @param variables  hold the variables named by the program; are not needed later
  /// @throws Fault     for an instruction or a variable unknown to this machine, with its name
  Machine(const isa::Program& program, const Variables& variables);
  ~Machine();
  Machine(Machine&&) noexcept;
  Machine& operator=(Machine&&) noexcept;

  /// Bytes of shared memory per group declared by the program itself.
  std::int64_t shared_bytes() const;
  /// Bytes of the arguments.
  std::int64_t argument_bytes() const;

  /// Executes a launch. Several launches of one machine may run at a time, on several threads.
  /// @param recorder  of this launch alone; may be null
  /// @throws Fault of the first faulting group; writes of further groups up to then stay
  Outcome run(const Launch& launch, Memory& memory, const Effort& effort = {}, LoadRecorder* recorder = nullptr) const;

 private:
  struct Prepared;
  std::unique_ptr<const Prepared> prepared_;
};

/// The vector instructions used for lanes on this host: "AVX-512", "AVX2" or "portable". All give the same bits.
std::string vector_instructions();

}  // namespace warpipe::machine
