#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lane_operation.hpp"
#include "memory_layout.hpp"
#include "warpipe/ptx/execution.hpp"

namespace warpipe::ptx {

/// Where an input of an instruction comes from.
struct LaneInput {
  enum class Kind { Register, Constant, Special, Missing };
  Kind kind = Kind::Constant;
  std::uint32_t reg = 0;
  bool negated = false;
  std::uint64_t bits = 0;
  std::string name;      ///< of a special register
  bool by_lane = false;  ///< it is a special register in which lanes of a warp differ
};

inline constexpr std::uint32_t kNoOutput = UINT32_MAX;

/// An instruction of the slice, or an access, ready to execute.
struct LaneStep {
  std::uint32_t instruction = 0;
  LaneOperation operation;
  std::vector<std::uint32_t> outputs;  ///< registers, kNoOutput for `_`; several where a vector is written
  std::vector<LaneInput> inputs;
  std::optional<LaneInput> guard;
  bool writes = false;     ///< is in the slice: its outputs matter
  bool access = false;     ///< reaches memory
  bool parameter = false;  ///< loads a parameter of the entry
  LaneInput base;          ///< of the address
  std::int64_t offset = 0;
  StateSpace space = StateSpace::Generic;
  int width = 0;  ///< bytes a lane
  bool atomic = false;
};

struct LoopInfo {
  const NaturalLoop* loop = nullptr;
  std::vector<bool> members;          ///< by block
  std::optional<std::int64_t> trips;  ///< what the user says
};

/// Everything about a routine that does not depend on the warp.
struct Prepared {
  explicit Prepared(const ExecutionInput& given);

  ExecutionInput input;
  MemoryLayout memory;
  std::vector<std::vector<LaneStep>> steps;      ///< by block
  std::map<std::uint32_t, LoopInfo> loops;       ///< by header
  std::vector<std::optional<double>> taken;      ///< by instruction: a branch's share, where the user says one
  std::vector<std::optional<LaneInput>> guards;  ///< by instruction: of branches and exits

  [[noreturn]] void fail(std::uint32_t instruction, std::string rule, std::string found, std::string advice) const;
  std::string where(std::uint32_t instruction) const;   ///< "saxpy.ptx: line 12"
  std::string source(std::uint32_t instruction) const;  ///< "saxpy.cu:7", empty where it is not known
};

}  // namespace warpipe::ptx
