#include "scoreboards.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lane_maker.hpp"
#include "matrix.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/isa/coverage.hpp"

namespace warpipe::sass {
namespace {

[[noreturn]] void disagree(const Module& module, const Kernel& kernel, std::uint64_t address, std::string found) {
  throw InputError(Diagnostic{place_of(module, kernel, address), "decoder and file disagree", std::move(found),
                              "the file is damaged, or this program reads its instructions wrongly: import the PTX, "
                              "and send the file"});
}

void require_registers(const Module& module, const Kernel& kernel, const ReadKernel& read) {
  if (kernel.registers <= 0) return;
  const auto check = [&](const Decoded& one, const Operand& operand) {
    if (operand.kind != Operand::Kind::Register || is_nothing(operand)) return;
    const auto last = operand.number + static_cast<unsigned>(operand.words) - 1;
    if (last >= kernel.registers)
      disagree(module, kernel, one.address,
               fmt::format("{} uses R{}, a thread has {} registers", one.name, last, kernel.registers));
  };
  for (const auto& one : read.decoded) {
    for (const auto& result : one.results) check(one, result);
    for (const auto& source : one.sources) check(one, source);
    if (one.has_place) check(one, one.place.base);
  }
}

}  // namespace

void require_agreement(const Module& module, const Kernel& kernel, const ReadKernel& read,
                       const isa::ControlFlow& flow) {
  require_registers(module, kernel, read);
  const auto gaps = isa::check_coverage(read.program, flow);
  // Products of matrices of four warps follow in sequence on their sums.
  const auto is_real = [&](const isa::CoverageGap& gap) {
    // An instruction that issues nothing only prepares the instruction behind it.
    if (read.program.instructions[gap.instruction].ops.empty()) return false;
    if (matrix_product(read.decoded[gap.instruction]) && matrix_product(read.decoded[gap.producer])) return false;
    return !is_temporary(gap.reg) && is_known(read.decoded[gap.instruction]) && is_known(read.decoded[gap.producer]);
  };
  const auto found = std::ranges::find_if(gaps, is_real);
  if (found == gaps.end()) return;
  const auto& first = *found;
  disagree(module, kernel, read.decoded[first.instruction].address,
           fmt::format("{} uses of {} without a wait; {}", std::ranges::count_if(gaps, is_real),
                       isa::awaited_uses(read.program, flow), isa::text_of(first, read.program)));
}

}  // namespace warpipe::sass
