#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/isa/launch.hpp"
#include "warpipe/isa/program.hpp"

/// AMD GPU assembly as written in a file.

namespace warpipe::amdgcn {

/// An instruction of the text.
struct TextInstruction {
  std::uint32_t line = 0;
  std::optional<std::uint64_t> address;  ///< bytes; a listing of a disassembler says it
  std::string name;                      ///< without its encoding: "v_add_u32", not "v_add_u32_e32"
  std::string encoding;                  ///< "e32", "e64", "sdwa", "dpp"; mostly empty
  std::vector<std::string> operands;     ///< "v[0:1]", "-|v3|", "0x24", "weights@rel32@lo+4"
  std::vector<std::string> modifiers;    ///< "offset:16", "off", "op_sel_hi:[1,0]", "vmcnt(0)"
  std::string target;                    ///< of a branch: the label, or an address as in "+78"; else empty
  std::string text;                      ///< as it stands, but for comments
  isa::SourceLine source;
  bool joins = false;  ///< it issues together with its predecessor

  /// The value of a modifier "key:value"; nothing without the modifier.
  std::optional<std::string> modifier(const std::string& key) const;
  bool has(const std::string& word) const;
};

/// An argument of a kernel, or a number that the runtime passes beside them (its kind begins with "hidden_").
struct KernelArgument {
  std::string name;         ///< in the source; empty where it is not known
  std::string type;         ///< in the source: "float*"; mostly empty
  std::string kind;         ///< "by_value", "global_buffer", "hidden_group_size_x"
  std::int64_t offset = 0;  ///< bytes from the start of the arguments
  std::int64_t bytes = 0;
};

/// The information on a kernel beside its instructions.
struct KernelMetadata {
  bool present = false;
  std::vector<KernelArgument> arguments;  ///< in order
  std::optional<isa::Dimensions> required_block;
  std::optional<std::int64_t> most_threads;  ///< of a group
  std::optional<std::int64_t> vector_registers, accumulation_registers, scalar_registers;
  std::int64_t shared_bytes = 0, scratch_bytes = 0;
  std::optional<std::int64_t> lanes;               ///< of a wave
  std::map<std::string, std::int64_t> directives;  ///< ".amdhsa_" directives by the rest of their names
};

struct KernelText {
  std::string symbol;
  std::uint32_t line = 0;  ///< of its label
  std::vector<TextInstruction> instructions;
  std::map<std::string, std::uint32_t> labels;  ///< the instruction behind; may be one past the end
  KernelMetadata metadata;
};

/// Named data of a file, in a section that is not executed.
struct DataSymbol {
  std::string name;
  std::int64_t bytes = 0;
  std::int64_t alignment = 1;
  bool constant = false;             ///< nothing writes to it: of .rodata
  bool shared = false;               ///< of the memory of a group
  std::vector<std::uint8_t> values;  ///< zero beyond
};

struct Module {
  std::string file;                ///< for messages
  std::string target;              ///< "gfx942"
  bool target_is_guessed = false;  ///< from the instructions: the file does not say it
  bool is_listing = false;         ///< of a disassembler
  std::vector<KernelText> kernels;
  std::vector<DataSymbol> data;
  std::map<std::uint32_t, std::string> sources;  ///< names of source files

  /// @param name  as of isa::find_symbol
  /// @throws InputError where the module has no kernel, none fits the name, or several do
  const KernelText& find(const std::string& name) const;
};

}  // namespace warpipe::amdgcn
