#include "warpipe/amdgcn/import.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "decode.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/isa/coverage.hpp"
#include "warpipe/isa/import_texts.hpp"
#include "warpipe/isa/symbols.hpp"

namespace warpipe::amdgcn {
namespace {

constexpr std::size_t kMostGaps = 3;  // listed in a message

isa::CompiledBlock compiled_block(const KernelMetadata& metadata) {
  isa::CompiledBlock compiled{metadata.required_block, {}, " (.reqd_workgroup_size)", " (.max_flat_workgroup_size)"};
  if (metadata.most_threads) compiled.most = isa::Dimensions{*metadata.most_threads, 1, 1};
  return compiled;
}

/// Refuses a program in which a register is used without a wait for its load: decoder and file disagree.
void require_coverage(const isa::Program& program, const isa::ControlFlow& flow) {
  const auto gaps = isa::check_coverage(program, flow);
  if (gaps.empty()) return;
  std::vector<std::string> shown;
  for (const auto& gap : gaps)
    if (shown.size() < kMostGaps) shown.push_back(isa::text_of(gap, program));
  throw InputError(Diagnostic{isa::at_line(program.file, program.instructions[gaps.front().instruction].line),
                              "what a load writes is used behind a wait for it: decoder and file disagree",
                              fmt::format("found {} such uses: {}", gaps.size(), fmt::join(shown, "; ")),
                              "report the file as one that this program reads wrongly"});
}

class Importer {
 public:
  Importer(const Module& module, const isa::ImportOptions& options)
      : module_(module),
        options_(options),
        kernel_(module.find(options.entry)),
        decoded_(decode_kernel(module, kernel_, options.lowering)),
        flow_(isa::analyse_control_flow(decoded_.program)),
        definitions_(decoded_.program, flow_) {}

  isa::Import run() {
    isa::check_block(kernel_.symbol, compiled_block(kernel_.metadata), options_.launch.block);
    require_coverage(decoded_.program, flow_);
    isa::ImportReport report;
    report.entry = kernel_.symbol;
    report.instructions = kernel_.instructions.size();
    report.skipped = decoded_.skipped;
    report.assumptions = options_.assumed;
    report.assumptions.insert(report.assumptions.end(), decoded_.assumed.begin(), decoded_.assumed.end());
    report.registers = options_.registers.value_or(registers_of(module_, kernel_));
    report.device = options_.target.device;
    report.notes = isa::notes_of_launch(options_);
    report.notes.insert(report.notes.end(), decoded_.notes.begin(), decoded_.notes.end());
    const auto plan = isa::plan_as_written(decoded_.program, flow_, definitions_);
    auto import = isa::make_kernel(
        {decoded_.program, flow_, definitions_, plan, isa::sizes_for(options_.target, decoded_.program.lanes)},
        options_.launch, options_.parameter_names, std::move(report));
    import.kernel.name = isa::qualified_name(import.kernel.name);
    import.kernel.description =
        fmt::format("Imported from AMD assembly for {}: {} in blocks of {}, grid of {}", module_.target, kernel_.symbol,
                    isa::sizes_text(options_.launch.block), isa::sizes_text(options_.launch.grid));
    import.kernel.origin =
        isa::text_of({module_.file, kernel_.symbol, "assembly for " + module_.target, "as the assembly says", ""},
                     options_, import.report);
    return import;
  }

 private:
  const Module& module_;
  const isa::ImportOptions& options_;
  const KernelText& kernel_;
  Decoded decoded_;
  isa::ControlFlow flow_;
  isa::ReachingDefinitions definitions_;
};

}  // namespace

isa::Import import_assembly(const Module& module, const isa::ImportOptions& options) {
  return isa::import_or_ask(options.launch.assume, !options.assumed.empty(), [&](bool assume) {
    auto settled = options;
    settled.launch.assume = settled.lowering.assume = assume;
    return Importer(module, settled).run();
  });
}

}  // namespace warpipe::amdgcn
