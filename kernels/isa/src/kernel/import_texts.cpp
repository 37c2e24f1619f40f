#include "warpipe/isa/import_texts.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <numeric>

#include "warpipe/idg/error.hpp"

namespace warpipe::isa {

std::string sizes_text(const Dimensions& sizes) { return fmt::format("{}x{}x{}", sizes[0], sizes[1], sizes[2]); }

void check_block(const std::string& entry, const CompiledBlock& compiled, const Dimensions& block) {
  const auto refuse = [](std::string problem, std::string found) {
    throw UsageError(Diagnostic{"`block`", std::move(problem), std::move(found), ""});
  };
  // Not as a whole number: a launch too large for any hardware is refused later.
  const auto threads = [](const Dimensions& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), 1.0, std::multiplies<>());
  };
  if (compiled.required && *compiled.required != block)
    refuse(fmt::format("\"{}\" is compiled for blocks of {}{}", entry, sizes_text(*compiled.required),
                       compiled.required_by),
           "found " + sizes_text(block));
  if (compiled.most && threads(block) > threads(*compiled.most))
    refuse(fmt::format("\"{}\" is compiled for at most {} threads{}", entry, threads(*compiled.most), compiled.most_by),
           fmt::format("found {}", threads(block)));
}

std::vector<std::string> notes_of_launch(const ImportOptions& options) {
  std::vector<std::string> notes;
  if (!options.block_from.empty())
    notes.push_back(fmt::format("the block is not given: {}, from {}, is taken", sizes_text(options.launch.block),
                                options.block_from));
  if (!options.shared_memory_from.empty())
    notes.push_back(fmt::format("the dynamic shared memory is not given: {} bytes, from {}, are taken",
                                options.launch.dynamic_shared_memory, options.shared_memory_from));
  return notes;
}

std::string note_on_textures(std::size_t instructions) {
  return fmt::format(
      "textures and surfaces, which {} instructions reach, are taken to lie in L2, to have 4 bytes a channel and, "
      "where their coordinates are floats, to be filtered: a guess",
      instructions);
}

std::string text_of(const Origin& origin, const ImportOptions& options, const ImportReport& report) {
  auto text = fmt::format("imported from {}, entry {}, {}", std::filesystem::path(origin.file).filename().string(),
                          origin.entry, origin.language);
  for (const auto& [name, value] : options.launch.arguments) text += fmt::format(", {} = {}", name, value);
  for (const auto& one : report.assumptions)
    text +=
        fmt::format("; assumed: {}{}{} = {}", to_string(one.kind), one.name.empty() ? "" : " ", one.name, one.value);
  text += fmt::format("; {} registers per thread, {}", report.registers,
                      options.registers ? options.registers_from : origin.registers_from);
  text += origin.rules + "; bytes of work are 32 for each segment that an access touches";
  for (const auto& note : report.notes) text += "; " + note;
  return text;
}

}  // namespace warpipe::isa
