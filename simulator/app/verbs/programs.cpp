#include "verbs/programs.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "warpipe/idg/error.hpp"
#include "warpipe/inputs/places.hpp"

namespace warpipe::app {

namespace fs = std::filesystem;

std::vector<std::string> program_words(const Arguments& arguments) {
  const auto& words = arguments.positional();
  if (words.empty()) refuse("PROGRAM", "this argument is missing", "", "give it behind --, with its own arguments");
  return words;
}

std::string runtime_folder() {
  std::vector<fs::path> places;
  if (const char* given = std::getenv("WARPIPE_RUNTIME"); given != nullptr && *given != '\0') {
    places.emplace_back(given);
  } else {
    std::error_code error;
    const auto bin = fs::read_symlink("/proc/self/exe", error).parent_path();
    places = {bin.parent_path() / WARPIPE_LIBDIR / "warpipe", bin.parent_path() / "lib" / "warpipe"};
  }
  for (const auto& place : places)
    if (is_file((place / "libwarpipe_cudart.so").string())) return place.string();
  throw InputError(Diagnostic{"libwarpipe_cudart.so", "warpipe's runtime is not there",
                              fmt::format("looked in {}", places.front().string()),
                              "set WARPIPE_RUNTIME to the folder lib/warpipe of an installation"});
}

programs::ProgramEnd run_with_options(const std::vector<std::string>& words, const programs::Options& options,
                                      programs::Clocks clocks) {
  const auto file = options.folder + "/options.json";
  std::ofstream(file, std::ios::binary) << programs::write_options(options);
  if (!is_file(file)) throw InputError(Diagnostic{options.folder, "nothing can be written there", "", ""});
  const auto end = programs::run_program(words, runtime_folder(), file, clocks);
  std::error_code error;
  fs::remove(file, error);
  if (!end.was_started) throw InputError(Diagnostic{words.front(), "the program " + to_string(end), "", ""});
  return end;
}

std::vector<std::string> lines_of_logs(const std::string& folder, const std::string& name) {
  std::vector<std::string> lines;
  for (const auto& path : programs::logs_in(folder, name)) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
      if (line.ends_with('}')) lines.push_back(line);  // else it was cut off
  }
  return lines;
}

void tell_of_end(Voice voice, const std::string& program, const programs::ProgramEnd& end, std::size_t launches) {
  if (launches == 0 && end.is_good())
    warn(voice, fmt::format("{} launched nothing by CUDA's runtime or driver", program));
  else if (launches == 0)
    warn(voice, fmt::format("{} {} before it launched anything by CUDA's runtime or driver", program, to_string(end)));
  else if (!end.is_good())
    warn(voice, fmt::format("{} {}; its {} launches until then count", program, to_string(end), launches));
}

}  // namespace warpipe::app
