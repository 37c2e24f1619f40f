#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "routine.hpp"
#include "warpipe/isa/program.hpp"

namespace warpipe::ptx {

/// For whom instructions are decoded: what an import follows, or all that they do.
enum class Reading { ForImport, ForExecution };

/// What the words of a routine's instructions mean, in the form that is analysed and executed. Instructions and
/// registers keep their numbers; ops are chosen later.
/// @param lanes  of a warp
/// @throws InputError for an access without an address or of a type that no access has, an address that names no
///                    variable, a jump table without a register
isa::Program decode(const Routine& routine, std::int64_t lanes, Reading reading = Reading::ForImport);

/// What the words of an instruction do in a lane; LaneOp::Unknown for what is not followed.
isa::LaneOperation operation_of(const Instruction& instruction, Reading reading = Reading::ForImport);
/// What a machine is told beside what an import follows: what atomics, matrices, barriers and copies do.
/// @param input  of an operand, by its type
void complete(const Instruction& read, const std::function<isa::Input(const Operand&, Type)>& input,
              isa::Instruction& made);
/// The type of one of its inputs, by which a literal is read; none where it has no type of its own.
/// @param input  its number, from 0
Type type_of_input(const Instruction& instruction, const isa::LaneOperation& operation, std::size_t input);
/// Whose writes to shared memory a warp may find behind an instruction, as far as its words tell.
isa::Instruction::Others others_behind(const Instruction& instruction);
/// "%tid.x"; Other for names that are no concern of control and addresses.
isa::Special special_of(std::string_view name, Reading reading = Reading::ForImport);

/// An instruction as PTX writes it: "ld.global.f32 %f2, [%rd6]".
std::string to_string(const Routine& routine, const Instruction& instruction);

}  // namespace warpipe::ptx
