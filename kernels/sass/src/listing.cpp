#include "warpipe/sass/listing.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <set>

#include "decode.hpp"
#include "program_reader.hpp"
#include "rows.hpp"

namespace warpipe::sass {
namespace {

/// Behind the last of these, code is padding.
std::uint64_t end_of(const std::vector<Decoded>& code) {
  std::uint64_t end = 0;
  for (const auto& one : code) {
    const bool padding = one.row != nullptr && (std::string_view(one.row->name) == "NOP" ||
                                                (one.row->layout == Layout::Branch && one.target == one.address));
    if (!padding) end = one.address + 16;
  }
  return end;
}

/// The bank that three different registers are read from, or -1. Even registers lie in bank 0, odd ones in bank 1, and
/// a bank gives two of them at a time; those kept from the instruction before are not read.
/// @source Jia, Maggioni, Staiger and Scarpazza, "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking",
/// 2018
int crowded_bank(const Decoded& decoded) {
  std::array<std::set<unsigned>, 2> banks;
  for (const auto& one : decoded.sources)
    if (one.kind == Operand::Kind::Register && !is_nothing(one) && !one.reuse) banks[one.number % 2].insert(one.number);
  for (int bank = 0; bank < 2; ++bank)
    if (banks[static_cast<std::size_t>(bank)].size() > 2) return bank;
  return -1;
}

}  // namespace

std::vector<isa::ListingLine> listing(const Module& module, const std::string& symbol) {
  const auto& kernel = module.find(symbol);
  std::vector<Decoded> code;
  std::set<std::uint64_t> targets;
  for (std::uint64_t address = 0; address + 16 <= kernel.code.size(); address += 16) {
    code.push_back(decode(word_at(kernel.code, address), address, module.architecture));
    if (const auto* row = code.back().row; row != nullptr && row->layout == Layout::Branch)
      targets.insert(code.back().target);
  }
  std::vector<isa::ListingLine> lines;
  const auto end = end_of(code);
  for (const auto& one : code) {
    if (one.address >= end) break;
    isa::ListingLine line;
    line.address = one.address;
    if (targets.contains(one.address)) line.label = fmt::format("L_{:x}", one.address);
    line.control = text_of(one.control);
    line.text = text_of(one, module.architecture);
    line.ops = ops_of(one);
    line.bank = crowded_bank(one);
    if (!is_known(one))
      line.problem =
          fmt::format("the opcode {} is not known (bits {:#018x} {:#018x})", one.name, one.word.high, one.word.low);
    if (const auto source = source_at(kernel, one.address); source && source->line > 0)
      if (const auto name = module.sources.find(source->file); name != module.sources.end())
        line.source = fmt::format("{}:{}", std::filesystem::path(name->second).filename().string(), source->line);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace warpipe::sass
