#include "answers/known_call.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <system_error>

#include "answers/build_id.hpp"
#include "answers/sha256.hpp"
#include "cluster/launcher.hpp"
#include "command_line/options.hpp"
#include "command_line/output_files.hpp"
#include "terminal/colours.hpp"
#include "terminal/messages.hpp"
#include "terminal/output.hpp"
#include "terminal/width.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/idg/number.hpp"
#include "warpipe/inputs/places.hpp"

namespace warpipe::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::string from_environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string bytes_of(const Json& json) {
  std::string bytes;
  Json::to_cbor(json, bytes);
  return bytes;
}

// ---- where answers are kept

/// --cache, else WARPIPE_CACHE; empty where neither is given.
std::string named_folder(const Arguments& arguments) {
  return arguments.value("cache").value_or(from_environment("WARPIPE_CACHE"));
}

/// The folder for this program in the user's folder of caches; empty where the user has none.
/// @source the XDG Base Directory Specification: a relative path counts as none
fs::path usual_folder() {
  if (const fs::path caches = from_environment("XDG_CACHE_HOME"); caches.is_absolute()) return caches / "warpipe";
  if (const fs::path home = from_environment("HOME"); home.is_absolute()) return home / ".cache" / "warpipe";
  return {};
}

/// WARPIPE_CACHE_MB, in bytes. By default some hundred pages with charts, which are the longest answers, or some ten
/// thousand texts; about a hundredth of the disk of a small laptop.
std::uintmax_t most_bytes() {
  constexpr double kMegabyte = 1e6, kUsual = 500, kMost = 1e9;
  const auto text = from_environment("WARPIPE_CACHE_MB");
  if (text.empty()) return static_cast<std::uintmax_t>(kUsual * kMegabyte);
  const auto number = parse_number(text);
  if (!number || *number < 1 || *number > kMost)
    throw InputError(Diagnostic{fmt::format("WARPIPE_CACHE_MB={}", text), "this is no number of at least 1", "",
                                "give the megabytes that answers may take, or set WARPIPE_CACHE=off"});
  return static_cast<std::uintmax_t>(*number * kMegabyte);
}

// ---- inputs of the answer

/// Whether the destinations of results and messages show colours, and the files that are standard output.
Json places_of_results(const Arguments& arguments, const Verb& verb) {
  Json places{shows_colours(STDOUT_FILENO), shows_colours(STDERR_FILENO), terminal_width().value_or(0)};
  for (const auto* option : verb.options)
    if (option->form.kind == ValueKind::File && !option->form.is_input && arguments.has(option->name))
      places.push_back(is_standard_output(*arguments.value(option->name)));
  return places;
}

/// All data that decide the output of a call, except its findings in files.
/// @return empty where a part of the data cannot be known
std::string call_of(const std::vector<std::string>& words, const Arguments& arguments, const Verb& verb) {
  std::error_code error;
  const auto program = fs::read_symlink("/proc/self/exe", error);  // data is looked for beside it
  const auto folder = error ? fs::path() : fs::current_path(error);
  const auto builds = build_ids();
  if (error || builds.empty()) return {};
  Json environment;
  for (const char* name : {"WARPIPE_DATA", "WARPIPE_FORM", "PTXAS", "PATH", "CUDA_PATH", "CUDA_HOME"})
    environment.push_back(from_environment(name));
  return bytes_of({builds, program.string(), folder.string(), words, environment, places_of_results(arguments, verb)});
}

/// Asks again for the finding at a place.
/// @throws InputError where there is no file any more
void ask(const Found::Place& place) {
  const auto& [kind, path] = place;
  switch (kind) {
    case Finding::Kind::Text:
      check_not_overwritten(path);
      if (fs::is_regular_file(path)) read_text_file(path);  // another may never end
      return;
    case Finding::Kind::Place:
      what_is_at(path);
      return;
    case Finding::Kind::Names:
      entries_of(path);
      return;
    case Finding::Kind::Program:
      program_at(path);
      return;
    case Finding::Kind::Other:
      return;
  }
}

/// The present findings at places.
/// @return nothing where they cannot be found
std::optional<Found::Places> found_now(const std::vector<Found::Place>& places) {
  Found found;
  tell_findings_to([&found](const Finding& finding) { found.add(finding); });
  try {
    for (const auto& place : places) ask(place);
  } catch (const std::exception&) {  // the run will report the problem
    found.add({});
  }
  tell_findings_to({});
  return found.take();
}

// ---- the answer

/// Makes sure that all files can be written before the first is.
/// @throws InputError
void check_files(const std::vector<Said>& all) {
  for (const auto& said : all) {
    if (said.to == Said::To::File) const Output probe(said.file);
    if (said.to == Said::To::Rows) const RowOutput probe(said.file);
  }
}

void say(const Said& said) {
  if (said.to == Said::To::StandardError) {
    to_standard_error(said.text);
  } else if (said.to == Said::To::File) {
    Output(said.file).write(said.text);
  } else {
    RowOutput rows(said.file);
    rows.append(said.text);
    rows.finish();
  }
}

/// Pages are long: they are not read letter by letter, as CBOR is.
std::string packed(const std::vector<Said>& all) {
  std::string answer;
  for (const auto& said : all)
    answer += fmt::format("{} {} {}\n{}{}", static_cast<char>(said.to), said.file.size(), said.text.size(), said.file,
                          said.text);
  return answer;
}

std::vector<Said> unpacked(std::string_view answer) {
  std::vector<Said> all;
  while (!answer.empty()) {
    const auto head = answer.find('\n');
    std::istringstream numbers{std::string(answer.substr(0, head))};
    char to = 0;
    std::size_t file = 0, text = 0;
    numbers >> to >> file >> text;
    answer.remove_prefix(head + 1);
    all.push_back({Said::To{to}, std::string(answer.substr(0, file)), std::string(answer.substr(file, text))});
    answer.remove_prefix(file + text);
  }
  return all;
}

}  // namespace

void Found::add(const Finding& finding) {
  std::error_code error;
  const bool can_be_asked_again = finding.kind != Finding::Kind::Other &&
                                  (finding.kind != Finding::Kind::Text || fs::is_regular_file(finding.path, error));
  if (!can_be_asked_again) places_.reset();
  if (!places_) return;
  const auto hash = sha256(finding.found);
  const auto known = places_->try_emplace({finding.kind, std::string(finding.path)}, hash).first;
  if (known->second != hash) places_.reset();  // it changed meanwhile
}

KnownCall::KnownCall(const std::vector<std::string>& words, const Arguments& arguments, const Verb& verb)
    : voice_(read_voice(arguments)) {
  if (find(verb.options, "--cache") == nullptr || processes_by_environment()) return;
  const auto named = named_folder(arguments);
  const auto folder = named.empty() ? usual_folder() : fs::path(named);
  if (folder.empty() || named == "off") return;
  call_ = call_of(words, arguments, verb);
  if (call_.empty()) return;
  folder_is_named_ = !named.empty();
  folder_.emplace(folder, most_bytes());
}

KnownCall::~KnownCall() {
  if (transcript_) tell_findings_to({});
}

std::string KnownCall::with(const Found::Places& places) const { return bytes_of({call_, Json(places)}); }

bool KnownCall::say_again() {
  if (!folder_) return false;
  const auto asked = folder_->find(call_);
  if (!asked) return false;
  const auto found = found_now(Json::from_cbor(*asked).get<std::vector<Found::Place>>());
  if (!found) return false;
  const auto answer = folder_->find(with(*found));
  if (!answer) return false;
  const auto all = unpacked(*answer);
  try {
    check_files(all);
  } catch (const Error&) {
    return false;  // the run will report the problem
  }
  std::ranges::for_each(all, say);
  return true;
}

void KnownCall::write_down() {
  if (!folder_) return;
  transcript_.emplace(folder_->longest());
  tell_findings_to([this](const Finding& finding) { found_.add(finding); });
}

void KnownCall::keep() {
  if (!transcript_) return;
  tell_findings_to({});
  const auto said = transcript_->take();
  const auto found = found_.take();
  transcript_.reset();
  if (!said || !found) return;
  std::vector<Found::Place> places;
  for (const auto& [place, hash] : *found) places.push_back(place);
  auto why_not = folder_->keep(with(*found), packed(*said));
  if (why_not.empty()) why_not = folder_->keep(call_, bytes_of(places));
  if (!why_not.empty() && folder_is_named_)
    warn(voice_, fmt::format("the answer cannot be kept: {}: name another folder by --cache or WARPIPE_CACHE, or off",
                             why_not));
}

}  // namespace warpipe::app
