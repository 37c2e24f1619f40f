#include <fmt/format.h>

#include <filesystem>

#include "command_line/data_files.hpp"
#include "command_line/options.hpp"
#include "terminal/output.hpp"
#include "verbs/programs.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/inputs/places.hpp"

namespace warpipe::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUsualDevice = "h100";

/// An empty folder for the files of a recording.
std::string new_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!is_folder(path)) throw InputError(Diagnostic{path, "the folder cannot be made", error.message(), ""});
  if (!fs::is_empty(path, error))
    throw InputError(Diagnostic{path, "the folder is not empty", "", "give another by `output`, or remove it"});
  return fs::absolute(path, error).string();
}

ExitStatus run_record(const Arguments& arguments) {
  const auto words = program_words(arguments);
  const auto voice = read_voice(arguments);
  const auto name = fs::path(words.front()).filename().string();
  programs::Options options;
  options.device = DataFiles(arguments.value("data")).device(arguments.value("device").value_or(kUsualDevice));
  const auto folder = arguments.value("output").value_or(name + ".launches");
  options.folder = new_folder(folder);
  const auto end = run_with_options(words, options);
  const auto launches = lines_of_logs(options.folder, programs::kLaunchesName).size();
  tell_of_end(voice, name, end, launches);
  if (launches > 0)
    note(voice, fmt::format("{} launches; `warpipe launches {}/launches.jsonl --device {}` predicts them", launches,
                            folder, options.device.name));
  return end.is_good() && launches > 0 ? ExitStatus::Done : ExitStatus::BadInput;
}

constexpr std::string_view kRecordNotes = R"(
No kernel is executed and no GPU is needed: what the program computes is wrong,
and where it launches by what kernels have computed, it may launch something
else. Launches go to DIR/launches.jsonl, a line each with all arguments, the
kernels' images beside it; `warpipe launches` predicts them on any device.
)";

}  // namespace

Verb record_verb() {
  return {"record", "[options] -- PROGRAM [ARGUMENT...]", "write down the launches of a CUDA program, without a GPU",
          run_record, kRecordNotes};
}

}  // namespace warpipe::app
