#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "routine.hpp"
#include "warpipe/isa/program.hpp"

namespace warpipe::ptx {

/// A place among the parameters: kNoParameter where the text does not tell.
struct ParameterPlace {
  std::uint32_t parameter = isa::kNoParameter;
  std::int64_t offset = 0;  ///< bytes from its start
  bool exact = true;        ///< no addend is unknown before execution
};

/// Finds the parameters behind addresses of an entry, by their names or through registers.
class ParameterPlaces {
 public:
  /// @param routine  its instructions must live as long
  explicit ParameterPlaces(const Routine& routine);

  ParameterPlace of(const Operand& address) const;

 private:
  std::map<std::string, std::uint32_t, std::less<>> parameter_of_;
  std::vector<const Instruction*> writer_;  ///< by register: its only writer; null where several instructions write it
};

bool is_parameter_load(const Instruction& instruction);

/// Makes constant variables of structures among the parameters that are read at places known only in execution, as an
/// array at an index; their loads become accesses to them. Machine code reads parameters from constant memory.
void read_indexed_parameters(Routine& routine);

}  // namespace warpipe::ptx
