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

/// An instruction as it is issued.
struct LoweredInstruction {
  bool gone = false;
  bool joined = false;               ///< does what another one, that is gone, did
  std::string rule;                  ///< that removed it; empty where none did
  std::vector<std::string> ops;      ///< each after the one before it
  std::vector<std::uint32_t> after;  ///< instructions, none of them gone; in the order of the text
  /// Registers that hold what it reads: in place of one that a gone instruction writes, those that this one reads.
  std::vector<std::uint32_t> reads;
};

/// An instruction that hardware executes and the kernel does not have.
struct SkippedInstruction {
  std::uint32_t instruction = 0;
  std::string name;        ///< "nanosleep.u32"
  std::uint32_t line = 0;  ///< in the PTX file
  std::string_view why;    ///< "its time is not counted"; may be empty
};

/// A routine with what ptxas would leave of it.
struct Lowered {
  std::vector<LoweredInstruction> instructions;  ///< one an instruction of the routine
  std::map<std::string, std::size_t> removed;    ///< instructions of the text, by rule
  std::vector<SkippedInstruction> skipped;
  std::vector<isa::Assumption> assumed;  ///< of opcodes that are not known
};

/// Says what each instruction becomes and what it waits for.
/// @throws InputError that lists all unknown opcodes, each with its first line; UsageError for one that is mapped but
///                    does not occur
/// @complexity reads x their writers
Lowered lower_routine(const Routine& routine, const isa::ControlFlow& flow, const isa::ReachingDefinitions& definitions,
                      const Predication& predication, const LoweringOptions& options);

}  // namespace warpipe::ptx
