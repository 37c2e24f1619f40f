#include "warpipe/inputs/text_file.hpp"

#include "assemble.hpp"
#include "disassemble.hpp"
#include "warpipe/amdgcn/for_assembler.hpp"
#include "warpipe/amdgcn/read_assembly.hpp"
#include "warpipe/elf/container.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/inputs/places.hpp"

namespace warpipe {
namespace {

/// Whether a file is machine code of AMD, to be made a listing.
bool holds_amd_code(std::string_view text) {
  const auto kind = elf::kind_of(text);
  return kind == elf::Kind::CodeObject || kind == elf::Kind::Bundle;
}

}  // namespace

TextFile read_file(const std::string& path, const BeforeReading& before) {
  if (path.empty()) throw UsageError(Diagnostic{"\"\"", "the name is empty", "", "give a shipped name or a file"});
  if (before) before(path);
  if (is_folder(path)) throw InputError(Diagnostic{path, "this is a directory", "", "give a file in it"});
  return {path == "-" ? "standard input" : path, read_text_file(path)};
}

TextFile read_kernel_file(const std::string& path, const BeforeReading& before, const std::string& device) {
  auto file = read_file(path, before);
  refuse_foreign(file);
  if (holds_amd_code(file.text)) return disassembled(file, device);
  if (amdgcn::is_assembly(file.text))
    if (const auto found = amdgcn::for_assembler(file.text, file.name))
      return disassembled(assembled(file, *found), device);
  return file;
}

}  // namespace warpipe
