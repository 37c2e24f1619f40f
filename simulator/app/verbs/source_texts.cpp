#include "verbs/source_texts.hpp"

#include <filesystem>
#include <set>
#include <sstream>

#include "command_line/data_files.hpp"
#include "warpipe/inputs/places.hpp"
#include "warpipe/predict/finding.hpp"

namespace warpipe::app {
namespace {

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::vector<SourceText> source_texts(const Kernel& kernel, const std::string& given) {
  std::set<std::string> names;
  for (const auto& instruction : kernel.instructions)
    if (const auto line = source_line(instruction.text); !line.empty()) names.insert(line.substr(0, line.rfind(':')));
  std::vector<SourceText> texts;
  for (const auto& name : names) {
    const auto path = (std::filesystem::path(given).parent_path() / std::filesystem::path(name).filename()).string();
    if (is_file(path)) texts.push_back({name, split_lines(read_input(path).text)});
  }
  return texts;
}

}  // namespace warpipe::app
