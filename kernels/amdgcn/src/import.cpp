#include "warpipe/amdgcn/import.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <numeric>

#include "decode.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/isa/symbols.hpp"

namespace warpipe::amdgcn {
namespace {

constexpr std::size_t kMostGaps = 3;  // that a message lists

std::string to_string(const isa::Dimensions& sizes) { return fmt::format("{}x{}x{}", sizes[0], sizes[1], sizes[2]); }

void check_block(const KernelText& kernel, const isa::Launch& launch) {
  const auto threads = std::accumulate(launch.block.begin(), launch.block.end(), 1.0, std::multiplies<>());
  const auto& required = kernel.metadata.required_block;
  if (required && *required != launch.block)
    throw UsageError(Diagnostic{
        "`block`",
        fmt::format("\"{}\" is compiled for blocks of {} (.reqd_workgroup_size)", kernel.symbol, to_string(*required)),
        "found " + to_string(launch.block), ""});
  if (const auto most = kernel.metadata.most_threads; most && threads > static_cast<double>(*most))
    throw UsageError(Diagnostic{
        "`block`",
        fmt::format("\"{}\" is compiled for at most {} threads (.max_flat_workgroup_size)", kernel.symbol, *most),
        fmt::format("found {}", threads), ""});
}

/// Whatever is read from a file that the decoder understands is waited for.
void require_coverage(const isa::Program& program, const isa::ControlFlow& flow) {
  const auto found = isa::check_coverage(program, flow);
  if (found.gaps.empty()) return;
  std::vector<std::string> shown;
  for (const auto& gap : found.gaps)
    if (shown.size() < kMostGaps) shown.push_back(isa::text_of(gap, program));
  throw InputError(Diagnostic{isa::at_line(program.file, program.instructions[found.gaps.front().instruction].line),
                              "what a load writes is used behind a wait for it: decoder and file disagree",
                              fmt::format("found {} such uses: {}", found.gaps.size(), fmt::join(shown, "; ")),
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
    check_block(kernel_, options_.launch);
    require_coverage(decoded_.program, flow_);
    isa::ImportReport report;
    report.entry = kernel_.symbol;
    report.instructions = kernel_.instructions.size();
    report.skipped = decoded_.skipped;
    report.assumptions = options_.assumed;
    report.assumptions.insert(report.assumptions.end(), decoded_.assumed.begin(), decoded_.assumed.end());
    report.registers = options_.registers.value_or(registers_of(module_, kernel_));
    report.notes = decoded_.notes;
    const auto plan = isa::plan_as_written(decoded_.program, flow_, definitions_);
    auto import = isa::make_kernel({decoded_.program, flow_, definitions_, plan}, options_.launch,
                                   options_.parameter_names, std::move(report));
    import.kernel.name = isa::qualified_name(import.kernel.name);
    import.kernel.description =
        fmt::format("Imported from AMD assembly for {}: {} in blocks of {}, grid of {}", module_.target, kernel_.symbol,
                    to_string(options_.launch.block), to_string(options_.launch.grid));
    import.kernel.origin = origin(import.report);
    return import;
  }

 private:
  std::string origin(const isa::ImportReport& report) const {
    std::string text =
        fmt::format("imported from {}, entry {}, assembly for {}",
                    std::filesystem::path(module_.file).filename().string(), kernel_.symbol, module_.target);
    for (const auto& [name, value] : options_.launch.arguments) text += fmt::format(", {} = {}", name, value);
    for (const auto& one : report.assumptions)
      text += fmt::format("; assumed: {}{}{} = {}", isa::to_string(one.kind), one.name.empty() ? "" : " ", one.name,
                          one.value);
    text += fmt::format("; {} registers per thread, {}", report.registers,
                        options_.registers ? options_.registers_from : "as the assembly says");
    text += "; bytes of work are 32 for each segment that an access touches";
    for (const auto& note : report.notes) text += "; " + note;
    return text;
  }

  const Module& module_;
  const isa::ImportOptions& options_;
  const KernelText& kernel_;
  Decoded decoded_;
  isa::ControlFlow flow_;
  isa::ReachingDefinitions definitions_;
};

}  // namespace

isa::Coverage coverage(const isa::Program& program) {
  return isa::check_coverage(program, isa::analyse_control_flow(program));
}

isa::Import import_assembly(const Module& module, const isa::ImportOptions& options) {
  return isa::import_or_ask(options.launch.assume, !options.assumed.empty(), [&](bool assume) {
    auto settled = options;
    settled.launch.assume = settled.lowering.assume = assume;
    return Importer(module, settled).run();
  });
}

}  // namespace warpipe::amdgcn
