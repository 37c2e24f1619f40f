#include "decode.hpp"

#include <algorithm>

#include "decoder.hpp"
#include "warpipe/amdgcn/import.hpp"

namespace warpipe::amdgcn {

Decoded decode_kernel(const Module& module, const KernelText& kernel, const isa::LoweringOptions& lowering) {
  return Decoder(module, kernel, lowering).run();
}

std::vector<std::string> problems_of(const Module& module, const KernelText& kernel) {
  const isa::LoweringOptions none;
  return Decoder(module, kernel, none).problems();
}

isa::Program decode(const Module& module, const KernelText& kernel, const isa::LoweringOptions& lowering) {
  return decode_kernel(module, kernel, lowering).program;
}

std::int64_t registers_of(const Module& module, const KernelText& kernel) {
  const auto& metadata = kernel.metadata;
  const auto& target = *find_target(module.target);
  if (metadata.vector_registers && *metadata.vector_registers > 0) return *metadata.vector_registers;
  if (const auto found = metadata.directives.find("next_free_vgpr");
      found != metadata.directives.end() && found->second > 0)
    return found->second;
  std::int64_t vectors = 1, accumulation = 0;
  for (const auto& one : kernel.instructions)
    for (const auto& text : one.operands)
      if (const auto operand = parse_operand(text, target)) {
        if (operand->kind == Operand::Kind::Vector)
          vectors = std::max<std::int64_t>(vectors, operand->first + operand->count);
        if (operand->kind == Operand::Kind::Accumulation)
          accumulation = std::max<std::int64_t>(accumulation, operand->first + operand->count);
      }
  // Since CDNA 2 both lie in one file, the second from a multiple of four on.
  if (accumulation > 0 && target.packed_index) return (vectors + 3) / 4 * 4 + accumulation;
  return std::max(vectors, accumulation);
}

}  // namespace warpipe::amdgcn
