#include "warpipe/sass/listing.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "decode.hpp"
#include "program_reader.hpp"
#include "register_banks.hpp"
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
  const auto reads = register_reads(code);
  for (const auto& one : code) {
    if (one.address >= end) break;
    isa::ListingLine line;
    line.address = one.address;
    if (targets.contains(one.address)) line.label = fmt::format("L_{:x}", one.address);
    line.control = text_of(one.control);
    line.text = text_of(one, module.architecture);
    line.ops = ops_of(one);
    line.register_reads = reads[lines.size()];
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
