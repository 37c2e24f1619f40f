#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "predication.hpp"
#include "warpipe/isa/assumption.hpp"
#include "warpipe/isa/dataflow.hpp"
#include "warpipe/ptx/rules.hpp"

namespace warpipe::ptx {

/// An instruction as issued.
struct LoweredInstruction {
  bool gone = false;
  bool joined = false;               ///< also does the work of a removed instruction
  std::string rule;                  ///< the rule behind its removal; empty for a remaining instruction
  std::vector<std::string> ops;      ///< in sequence, each after its predecessor
  std::vector<std::uint32_t> after;  ///< remaining instructions, in the order of the text
  /// Registers with its inputs: a register written by a removed instruction is replaced by the inputs of the latter.
  std::vector<std::uint32_t> reads;
};

/// An instruction executed by hardware and left out of the kernel.
struct SkippedInstruction {
  std::uint32_t instruction = 0;
  std::string name;        ///< "nanosleep.u32"
  std::uint32_t line = 0;  ///< in the PTX file
  std::string_view why;    ///< "its time is not counted"; may be empty
};

/// A routine after the simplifications of ptxas.
struct Lowered {
  std::vector<LoweredInstruction> instructions;  ///< by instruction of the routine
  std::map<std::string, std::size_t> removed;    ///< instructions of the text, by rule
  std::vector<SkippedInstruction> skipped;
  std::vector<isa::Assumption> assumed;  ///< for unknown opcodes
};

/// Finds the ops and the dependences of each instruction.
/// @throws InputError that lists all unknown opcodes, each with its first line; UsageError for a mapped opcode that
///                    does not occur
/// @complexity reads x their writers
Lowered lower_routine(const Routine& routine, const isa::ControlFlow& flow, const isa::ReachingDefinitions& definitions,
                      const Predication& predication, const LoweringOptions& options);

}  // namespace warpipe::ptx
