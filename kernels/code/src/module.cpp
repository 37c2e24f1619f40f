#include "warpipe/code/module.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "warpipe/amdgcn/entries.hpp"
#include "warpipe/amdgcn/import.hpp"
#include "warpipe/amdgcn/listing.hpp"
#include "warpipe/amdgcn/read_assembly.hpp"
#include "warpipe/elf/container.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/isa/symbols.hpp"
#include "warpipe/ptx/entries.hpp"
#include "warpipe/ptx/import.hpp"
#include "warpipe/ptx/read_ptx.hpp"
#include "warpipe/sass/entries.hpp"
#include "warpipe/sass/import.hpp"
#include "warpipe/sass/listing.hpp"
#include "warpipe/sass/read_cubin.hpp"

namespace warpipe::code {
namespace {

using Language = Module::Language;

// ---- the properties of each language, in a row each

std::string language_of(const ptx::Module& module) { return "PTX " + module.version; }
std::string language_of(const sass::Module& module) {
  return module.compiler.empty() ? "machine code" : "machine code by " + module.compiler;
}
std::string language_of(const amdgcn::Module& module) { return module.is_listing ? "listing" : "assembly"; }

std::vector<isa::Entry> entries_in(const ptx::Module& module) {
  auto entries = ptx::entries(module);
  if (entries.empty()) ptx::find_entry(module, "");  // says so
  return entries;
}
std::vector<isa::Entry> entries_in(const sass::Module& module) { return sass::entries(module); }
std::vector<isa::Entry> entries_in(const amdgcn::Module& module) { return amdgcn::entries(module); }

isa::Import import_from(const ptx::Module& module, const isa::ImportOptions& options) {
  return ptx::import_ptx(module, options);
}
isa::Import import_from(const sass::Module& module, const isa::ImportOptions& options) {
  return sass::import_cubin(module, options);
}
isa::Import import_from(const amdgcn::Module& module, const isa::ImportOptions& options) {
  return amdgcn::import_assembly(module, options);
}

std::vector<isa::ListingLine> listing_from(const ptx::Module& module, const std::string&) {
  throw InputError(Diagnostic{module.file, "this is PTX, which is text", "", "give a cubin or AMD assembly"});
}
std::vector<isa::ListingLine> listing_from(const sass::Module& module, const std::string& symbol) {
  return sass::listing(module, symbol);
}
std::vector<isa::ListingLine> listing_from(const amdgcn::Module& module, const std::string& symbol) {
  return amdgcn::listing(module, symbol);
}

// ---- whether a device runs machine code

bool is_amd(std::string_view target) { return target.starts_with("gfx"); }

/// Waves have 64 lanes up to gfx90a and gfx942, whose names have three digits behind "gfx", and 32 or 64 from gfx1010
/// on.
bool has_small_waves(std::string_view target) { return target.size() == std::string_view("gfx1030").size(); }

/// A warning that code is for another generation than the device; empty where the device runs it, or where either is
/// unknown.
std::string target_warning(const std::string& file, const std::string& code, const isa::Target& device) {
  if (code.empty() || device.name.empty()) return {};
  const bool fits =
      is_amd(code) == is_amd(device.name) && (!is_amd(code) || has_small_waves(code) == has_small_waves(device.name));
  if (!fits)
    throw ModelError(Diagnostic{file, fmt::format("this is machine code for {}", code),
                                fmt::format("\"{}\" is {}", device.device, device.name),
                                "compile the source for the device, or take another device"});
  if (elf::runs_on(code, device.name)) return {};
  return fmt::format("{} is machine code for {}, which \"{}\" does not run: it is {}", file, code, device.device,
                     device.name);
}

bool is_size(const isa::Assumption& one) { return one.kind == isa::Assumption::Kind::Argument; }

bool lacks_sizes(const std::vector<isa::Assumption>& assumptions) { return std::ranges::any_of(assumptions, is_size); }

/// The assumptions of PTX for unknown arguments; nothing where it cannot be imported.
std::vector<isa::Assumption> sizes_in(const Module& ptx, isa::ImportOptions options) {
  options.launch.assume = true;
  try {
    auto assumed = ptx.import(options).report.assumptions;
    std::erase_if(assumed, [](const isa::Assumption& one) { return !is_size(one); });
    return assumed;
  } catch (const InputError&) {
    return {};
  }
}

/// The name in the source, else in PTX written by hand; empty for a name that a compiler makes of the entry's.
std::string name_for_users(const isa::Entry::Parameter& parameter, const isa::Entry& entry) {
  const bool is_made = parameter.symbol.starts_with(entry.symbol);
  return parameter.name.empty() && !is_made ? parameter.symbol : parameter.name;
}

}  // namespace

Module::Module(Language language) : language_(std::move(language)) {
  std::visit([&](const auto& one) { file_ = one.file, entries_ = entries_in(one); }, language_);
}

void Module::made_of(Module ptx, bool replaces) {
  for (auto& entry : entries_) {
    const auto known = std::ranges::find(ptx.entries_, entry.symbol, &isa::Entry::symbol);
    if (known == ptx.entries_.end() || known->parameters.size() != entry.parameters.size()) continue;
    for (std::size_t i = 0; i < entry.parameters.size(); ++i)
      entry.parameters[i].name = name_for_users(known->parameters[i], *known);
  }
  ptx_ = std::make_shared<const Module>(std::move(ptx));
  ptx_replaces_ = replaces;
}

std::string Module::language() const {
  return std::visit([](const auto& one) { return language_of(one); }, language_);
}

std::string Module::target() const {
  return std::visit([](const auto& one) { return one.target; }, language_);
}

std::vector<std::string> Module::sources() const {
  std::vector<std::string> names;
  const auto add = [&](const auto& one) {
    for (const auto& [number, name] : one.sources) names.push_back(name);
  };
  std::visit(add, language_);
  return names;
}

bool Module::is_machine_code() const { return !std::holds_alternative<ptx::Module>(language_); }

const isa::Entry& Module::find_entry(std::string_view name) const {
  std::vector<const isa::Entry*> candidates;
  for (const auto& entry : entries_) candidates.push_back(&entry);
  if (name.empty() && !std::ranges::all_of(entries_, isa::is_of_header))
    std::erase_if(candidates, [](const isa::Entry* entry) { return isa::is_of_header(*entry); });
  std::vector<std::string> symbols;
  for (const auto* entry : candidates) symbols.push_back(entry->symbol);
  return *candidates[isa::find_symbol(symbols, name, file_)];
}

isa::Import Module::import(const isa::ImportOptions& options) const {
  if (ptx_ == nullptr) return import_as_it_is(options);
  try {
    return import_with_sizes_of_ptx(options);
  } catch (const InputError& refused) {
    if (!ptx_replaces_) throw;
    auto imported = ptx_->import(options);
    imported.report.notes.push_back(fmt::format("{} was read, for its {} was refused: {}", ptx_->language(), language(),
                                                refused.diagnostics().front().problem));
    return imported;
  }
}

isa::Import Module::import_with_sizes_of_ptx(const isa::ImportOptions& options) const {
  try {
    auto imported = import_as_it_is(options);
    if (!lacks_sizes(imported.report.assumptions)) return imported;
    const auto sizes = sizes_in(*ptx_, options);
    if (sizes.empty()) return imported;
    auto said = options;
    for (const auto& size : sizes) isa::answer(said.launch, size, size.value);
    imported = import_as_it_is(said);
    auto& assumed = imported.report.assumptions;
    assumed.insert(assumed.begin(), sizes.begin(), sizes.end());
    return imported;
  } catch (const isa::UnknownData& lacking) {
    if (!lacks_sizes(lacking.assumptions)) throw;
    auto assumed = lacking.assumptions;
    for (const auto& size : sizes_in(*ptx_, options))
      for (auto& one : assumed)
        if (is_size(one) && one.name == size.name) one.value = size.value, one.why = size.why, one.others = size.others;
    auto questions = isa::questions_of(std::move(assumed));
    questions.needs_assume = lacking.needs_assume;
    throw questions;
  }
}

isa::Import Module::import_as_it_is(const isa::ImportOptions& options) const {
  const auto warning = is_machine_code() ? target_warning(file_, target(), options.target) : "";
  auto imported = std::visit([&](const auto& one) { return import_from(one, options); }, language_);
  imported.kernel.form = std::holds_alternative<amdgcn::Module>(language_) ? "machine code" : language();
  if (!warning.empty()) imported.report.notes.push_back(warning);
  return imported;
}

std::vector<isa::ListingLine> Module::listing(const std::string& symbol) const {
  return std::visit([&](const auto& one) { return listing_from(one, symbol); }, language_);
}

bool is_code(std::string_view name, std::string_view text) {
  if (elf::kind_of(text) != elf::Kind::None) return true;
  if (name.ends_with(".ptx") || name.ends_with(".json")) return name.ends_with(".ptx");
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '.' || text[first] == '/' || amdgcn::is_assembly(text));
}

Module read_module(std::string_view text, const std::string& name, std::string_view device) {
  if (elf::kind_of(text) != elf::Kind::None) return Module(sass::read_cubin(text, name, device));
  if (!name.ends_with(".ptx") && amdgcn::is_assembly(text)) return Module(amdgcn::read_assembly(text, name));
  return Module(ptx::read_ptx(text, name));
}

}  // namespace warpipe::code
