#include "disassemble.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "programs.hpp"
#include "warpipe/elf/amd_descriptor.hpp"
#include "warpipe/elf/amd_metadata.hpp"
#include "warpipe/elf/container.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/inputs/child_process.hpp"

namespace warpipe {
namespace {

/// The listing of the first llvm-objdump with support for the target: older versions have none.
std::string listing_of(const std::string& path, const std::string& file) {
  const auto all = llvm_programs({"llvm-objdump"});
  if (all.empty())
    throw InputError(Diagnostic{file, "no llvm-objdump was found, which reads code objects of AMD",
                                "looked for it on the PATH, also with a version behind its name",
                                "install Debian's llvm-19, or give what `llvm-objdump -d` prints elsewhere"});
  ChildEnd end;
  for (const auto& objdump : all) {
    end = run_child({.words = {objdump, "-d", "--no-show-raw-insn", path}});
    if (end.is_good()) return end.text;
  }
  throw InputError(Diagnostic{file, fmt::format("{} {}", all.back(), to_string(end)), end.text.substr(0, 200),
                              "install a newer llvm-objdump, such as Debian's llvm-19, or give what one prints "
                              "elsewhere"});
}

/// JSON as the block form of YAML, as compilers write metadata: lists and mappings by indentation.
std::string yaml(const nlohmann::json& value, std::size_t indent) {
  const std::string margin(indent, ' ');
  std::string text;
  if (value.is_object() && !value.empty()) {
    for (const auto& [key, member] : value.items())
      text += fmt::format("\n{}{}:{}", margin, key, yaml(member, indent + 2));
  } else if (value.is_array() && !value.empty()) {
    for (const auto& member : value) text += fmt::format("\n{}-{}", margin, yaml(member, indent + 2));
  } else if (value.is_array()) {
    text = " []";
  } else {
    text = " " + value.dump();
  }
  return text;
}

/// Directives missing from a listing: the target, the places of a launch's values, the metadata.
std::string directives(const elf::Piece& code, const std::string& file) {
  const auto object = elf::read_object(code.contents, file);
  auto text = fmt::format("\t.amdgcn_target \"amdgcn-amd-amdhsa--{}\"\n", code.target);
  for (const auto& descriptor : elf::read_amd_descriptors(object)) {
    text += fmt::format("\t.amdhsa_kernel {}\n", descriptor.kernel);
    for (const auto& [name, value] : descriptor.directives) text += fmt::format("\t\t.amdhsa_{} {}\n", name, value);
    text += "\t.end_amdhsa_kernel\n";
  }
  const auto metadata = elf::read_amd_metadata(object);
  if (!metadata.is_null())
    text += fmt::format("\t.amdgpu_metadata\n---{}\n...\n\t.end_amdgpu_metadata\n", yaml(metadata, 0));
  return text;
}

}  // namespace

TextFile disassembled(const TextFile& file, const std::string& device) {
  const auto pieces = elf::read_pieces(file.text, file.name);
  const auto* code = elf::piece_for(pieces, "gfx", device);
  if (code == nullptr)
    throw InputError(Diagnostic{file.name, "it holds no code for a GPU of AMD", "", "give a code object"});
  const TemporaryDirectory folder;
  const auto path = folder.path() + "/code.o";
  std::ofstream(path, std::ios::binary) << code->contents;
  // Behind the listing, so lines are numbered as in the output of llvm-objdump.
  return {file.name, listing_of(path, file.name) + directives(*code, file.name), file.source};
}

}  // namespace warpipe
