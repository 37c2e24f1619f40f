#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpipe::isa {

/// An instruction of machine code as a person reads it.
struct ListingLine {
  std::uint64_t address = 0;     ///< bytes from the start of the kernel; of assembly text, the line
  std::string label;             ///< that stands before it; mostly empty
  std::string control;           ///< "[--2---:R-:W-:Y:S05]"; empty where the language has no control codes
  std::string text;              ///< "FFMA R7, R2, c[0x0][0x164], R7"
  std::vector<std::string> ops;  ///< of the vocabulary of graphs; empty: issues nothing
  std::string source;            ///< "saxpy.cu:9"; empty where it is not known
  int register_reads = 1;        ///< as of Instruction
  std::string problem;           ///< why it is not known; empty where it is
};

}  // namespace warpipe::isa
