#include "warpipe/code/module.hpp"

#include <fmt/format.h>

#include <utility>

#include "warpipe/idg/error.hpp"
#include "warpipe/isa/symbols.hpp"
#include "warpipe/ptx/entries.hpp"
#include "warpipe/ptx/import.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::code {
namespace {

std::vector<isa::Entry> checked_entries(const ptx::Module& module) {
  auto entries = ptx::entries(module);
  if (entries.empty()) ptx::find_entry(module, "");  // says so
  return entries;
}

/// Whether a text is the binary of a compiler: an ELF file or a fat binary.
bool is_binary(std::string_view text) { return text.starts_with("\x7f" "ELF") || text.starts_with("\x50\xed\x55\xba"); }

[[noreturn]] void refuse_binary(const std::string& name) {
  throw InputError(Diagnostic{name, "this is machine code, not PTX", "",
                              fmt::format("take the PTX out with `cuobjdump -ptx {} > kernel.ptx` where it has any, else "
                                          "compile the source with `nvcc -ptx -lineinfo`",
                                          name)});
}

}  // namespace

Module::Module(Language language) : language_(std::move(language)) {
  std::visit([&](const auto& one) { file_ = one.file, entries_ = checked_entries(one); }, language_);
}

std::string Module::language() const { return "PTX " + std::get<ptx::Module>(language_).version; }

std::string Module::target() const {
  return std::visit([](const auto& one) { return one.target; }, language_);
}

std::vector<std::string> Module::sources() const {
  std::vector<std::string> names;
  for (const auto& [number, name] : std::get<ptx::Module>(language_).sources) names.push_back(name);
  return names;
}

bool Module::is_machine_code() const { return !std::holds_alternative<ptx::Module>(language_); }

const isa::Entry& Module::find_entry(std::string_view name) const {
  std::vector<std::string> symbols;
  for (const auto& entry : entries_) symbols.push_back(entry.symbol);
  return entries_[isa::find_symbol(symbols, name, file_)];
}

isa::Import Module::import(const isa::ImportOptions& options) const {
  return ptx::import_ptx(std::get<ptx::Module>(language_), options);
}

bool is_code(std::string_view name, std::string_view text) {
  if (is_binary(text)) return true;
  if (name.ends_with(".ptx") || name.ends_with(".json")) return name.ends_with(".ptx");
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '.' || text[first] == '/');
}

Module read_module(std::string_view text, const std::string& name) {
  if (is_binary(text)) refuse_binary(name);
  return Module(ptx::read_ptx(text, name));
}

}  // namespace warpipe::code
