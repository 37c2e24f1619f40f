#include "warpipe/amdgcn/listing.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "decode.hpp"
#include "opcodes.hpp"

namespace warpipe::amdgcn {
namespace {

std::vector<std::string> ops_of(const TextInstruction& one) {
  const auto* const opcode = find_opcode(one.name);
  if (opcode == nullptr || one.joins) return {};
  if (opcode->form == Form::Ignored || opcode->form == Form::Wait) return {"wait"};
  if (opcode->form == Form::End) return {"branch"};
  if (opcode->op.empty()) return {};
  return std::vector<std::string>(static_cast<std::size_t>(opcode->form == Form::Memory ? opcode->memory.places : 1),
                                  opcode->op);
}

}  // namespace

std::vector<isa::ListingLine> listing(const Module& module, const std::string& symbol) {
  const auto& kernel = module.find(symbol);
  std::map<std::uint32_t, std::string> labels;
  for (const auto& [name, at] : kernel.labels)
    if (!name.starts_with(".Ltmp")) labels[at] = name;
  auto problems = problems_of(module, kernel);
  std::vector<isa::ListingLine> lines;
  for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) {
    const auto& one = kernel.instructions[i];
    isa::ListingLine line;
    const auto first = kernel.instructions.front().address;
    line.address = one.address && first ? *one.address - *first : one.line;
    if (const auto found = labels.find(i); found != labels.end()) line.label = found->second;
    line.text = one.text;
    line.ops = ops_of(one);
    if (const auto source = module.sources.find(one.source.file); source != module.sources.end() && one.source.line > 0)
      line.source = fmt::format("{}:{}", std::filesystem::path(source->second).filename().string(), one.source.line);
    line.problem = std::move(problems[i]);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace warpipe::amdgcn
