#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "warpipe/predict/launch.hpp"

/// Numbers of `LaunchOptions::set` of an instruction of the kernel, not of the device: "ID.conflict_degree" and
/// "ID.transactions", or as paths "instructions/ID/transactions", unlike the path of any number of a device.

namespace warpipe {

struct InstructionNumber {
  std::string id, key;
  std::optional<Expression> Instruction::*member = nullptr;
};

/// @return nothing for the name of any other number
std::optional<InstructionNumber> instruction_number(std::string_view name);

/// As with_options, of a device without a kernel.
/// @throws UsageError for a number of an instruction, and as with_options
Device without_kernel(const Device& device, const LaunchOptions& options);

inline bool is_number_of_instruction(std::string_view name) { return instruction_number(name).has_value(); }

}  // namespace warpipe
