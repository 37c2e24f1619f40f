#include "warpipe/sass/read_cubin.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "decode.hpp"
#include "warpipe/elf/container.hpp"
#include "warpipe/elf/cubin.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::sass {
namespace {

constexpr std::uint8_t kObject = 1, kFunction = 2;  // types of symbols
constexpr std::string_view kTarget = "sm_";         // how targets of machine code begin

[[noreturn]] void refuse(const std::string& file, std::string rule, std::string found, std::string advice) {
  throw InputError(Diagnostic{file, std::move(rule), std::move(found), std::move(advice)});
}

/// The cubin in a file, or the file itself.
std::string_view cubin_in(std::string_view bytes, const std::string& file, std::string_view device) {
  if (elf::kind_of(bytes) == elf::Kind::Cubin) return bytes;
  const auto pieces = elf::read_pieces(bytes, file);
  const auto* piece = elf::piece_for(pieces, kTarget, device);
  if (piece == nullptr)
    refuse(file, "a file of machine code has a cubin", "found none", "compile with `nvcc -cubin -arch=sm_NN`");
  if (piece->is_compressed())
    refuse(file, "machine code is not compressed", fmt::format("found compressed code for {}", piece->target),
           "compile with `nvcc -cubin -arch=sm_NN`, or with `--no-compress`");
  return piece->contents;
}

std::vector<Relocation> with_symbols(const elf::Object& object, const std::vector<elf::Relocation>& relocations) {
  std::vector<Relocation> made;
  for (const auto& one : relocations)
    if (one.symbol < object.symbols.size()) made.push_back({one.offset, object.symbols[one.symbol].name, one.addend});
  return made;
}

std::optional<isa::Dimensions> dimensions(const std::optional<std::array<std::int64_t, 3>>& of) {
  if (!of) return std::nullopt;
  return isa::Dimensions{(*of)[0], (*of)[1], (*of)[2]};
}

Kernel kernel_of(const elf::Cubin& cubin, const elf::CubinKernel& read) {
  Kernel made;
  made.symbol = read.name;
  made.code = read.code;
  made.registers = read.registers;
  made.stack = read.stack_bytes;
  made.shared_memory = std::max<std::int64_t>(0, read.shared_bytes - reserved_shared_memory(cubin.architecture));
  made.parameter_base = read.parameters_at;
  for (const auto& one : read.parameters) made.parameters.push_back({one.offset, one.bytes});
  made.required_block = dimensions(read.required_block);
  made.most_block = dimensions(read.most_block);
  for (const auto& [address, place] : read.lines) made.lines[address] = {place.file, place.line};
  for (const auto& symbol : cubin.object.symbols)
    if (symbol.type == kFunction && symbol.section == read.section && symbol.value > 0)
      made.functions[symbol.value] = symbol.name;
  made.relocations = with_symbols(cubin.object, read.relocations);
  for (const auto& [number, bank] : read.constants) {
    if (number == 0) continue;  // the launch fills it in
    made.constants[number] = bank.contents;
    made.constant_relocations[number] = with_symbols(cubin.object, bank.relocations);
  }
  return made;
}

std::vector<Variable> variables_of(const elf::Object& object) {
  std::vector<Variable> made;
  for (const auto& symbol : object.symbols) {
    if (symbol.type != kObject || symbol.section == 0 || symbol.section >= object.sections.size()) continue;
    const auto& section = object.sections[symbol.section].name;
    Variable one{symbol.name, isa::Space::Global, static_cast<std::int64_t>(symbol.value),
                 static_cast<std::int64_t>(symbol.size)};
    if (section.starts_with(".nv.constant3"))
      one.space = isa::Space::Constant;
    else if (!section.starts_with(".nv.global"))
      continue;
    made.push_back(one);
  }
  return made;
}

}  // namespace

bool is_cubin(std::string_view bytes) {
  const auto kind = elf::kind_of(bytes);
  if (kind == elf::Kind::Cubin) return true;
  if (kind != elf::Kind::FatBinary && kind != elf::Kind::Other) return false;
  try {
    return elf::piece_for(elf::read_pieces(bytes, ""), kTarget, "") != nullptr;
  } catch (const InputError&) {
    return false;
  }
}

Module read_cubin(std::string_view bytes, std::string file, std::string_view device) {
  const auto cubin = elf::read_cubin(cubin_in(bytes, file, device), file);
  Module module;
  module.file = std::move(file);
  module.architecture = cubin.architecture;
  module.compiler = cubin.compiler;
  module.target = fmt::format("sm_{}", cubin.architecture);
  if (!is_known_architecture(cubin.architecture))
    refuse(module.file, "machine code of sm_75, 80, 86, 87, 89, 90, 100, 103 and 120 is known",
           "found code for " + module.target, "compile for one of these, or import the PTX");
  module.sources = cubin.sources;
  module.variables = variables_of(cubin.object);
  for (const auto& kernel : cubin.kernels) {
    if (kernel.code.size() % 16 != 0)
      refuse(module.file, "an instruction has 16 bytes",
             fmt::format("found {} bytes of code in \"{}\"", kernel.code.size(), kernel.name),
             "the file is damaged: compile it again");
    module.kernels.push_back(kernel_of(cubin, kernel));
  }
  return module;
}

}  // namespace warpipe::sass
