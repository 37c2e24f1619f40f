#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "routine.hpp"
#include "warpipe/isa/program.hpp"

namespace warpipe::ptx {

/// The purpose of decoding: an import follows part of the instructions, an execution all.
enum class Reading { ForImport, ForExecution };

/// Decodes the instructions of a routine into the form for analysis and execution. Instructions and registers keep
/// their numbers; ops are chosen later.
/// @param lanes  of a warp
/// @throws InputError for an access without an address or with a type unfit for accesses, an address without a known
///                    variable, a jump table without a register
isa::Program decode(const Routine& routine, std::int64_t lanes, Reading reading = Reading::ForImport);

/// The operation of an instruction in a lane; LaneOp::Unknown where it is not followed.
isa::LaneOperation operation_of(const Instruction& instruction, Reading reading = Reading::ForImport);
/// Adds the details for a machine, beyond an import: effects of atomics, matrices, barriers and copies.
/// @param input  of an operand, by its type
void complete(const Instruction& read, const std::function<isa::Input(const Operand&, Type)>& input,
              isa::Instruction& made);
/// The type of an input, by which a literal is read; none where the input has no type of its own.
/// @param input  its number, from 0
Type type_of_input(const Instruction& instruction, const isa::LaneOperation& operation, std::size_t input);
/// The warps whose writes to shared memory a warp may find behind an instruction, as far as its words tell.
isa::Instruction::Others others_behind(const Instruction& instruction);
/// "%tid.x"; Other for names that neither control nor addresses need.
isa::Special special_of(std::string_view name, Reading reading = Reading::ForImport);

/// An instruction as PTX writes it: "ld.global.f32 %f2, [%rd6]".
std::string to_string(const Routine& routine, const Instruction& instruction);

}  // namespace warpipe::ptx
