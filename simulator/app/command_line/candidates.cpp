#include "command_line/candidates.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "command_line/data_files.hpp"
#include "command_line/help.hpp"
#include "command_line/model_names.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::app {
namespace {

/// The facts known from the words before the cursor.
struct Before {
  std::vector<std::string> options;  ///< long names, without the dashes
  std::size_t positional = 0;        ///< outside options
  const Option* open = nullptr;      ///< the option that may take the next word
  bool must_take = false;            ///< and must, because it has no value yet
  NamedModel model;
};

/// Whether another value of the open option may follow a word.
bool goes_on(const ValueForm& form, const std::string& word) {
  return form.several && (!form.assigned || word.find('=') != std::string::npos);
}

/// Notes a value that names the kernel, the device, the data directory or the entry.
/// @param option  without the dashes; empty for an argument
void take_note(std::string_view option, ValueKind kind, const std::string& value, NamedModel& model) {
  if (option == "entry") model.entry = value;
  if (kind == ValueKind::Kernel) model.kernel = value;
  if (kind == ValueKind::Device) model.device = value;
  if (kind == ValueKind::Directory) model.data = value;
}

/// The form of the argument at a position, from the usage and the choices of the verb.
std::optional<ValueForm> positional_form(const Verb& verb, std::size_t index) {
  const auto forms = positional_forms(std::string(verb.usage));
  if (forms.empty() || (index >= forms.size() && !forms.back().several)) return std::nullopt;
  auto form = forms[std::min(index, forms.size() - 1)];
  if (form.choices.empty() && form.kind == ValueKind::Text) form.kind = ValueKind::File;
  return form;
}

Before look_at(const Verb& verb, const std::vector<std::string>& words) {
  Before before;
  for (const auto& word : words) {
    if (before.must_take || (before.open != nullptr && !word.starts_with("-") && goes_on(before.open->form, word))) {
      take_note(before.open->name, before.open->form.kind, word, before.model);
      before.must_take = false;
      if (!before.open->form.several) before.open = nullptr;
      continue;
    }
    before.open = nullptr;
    if (!word.starts_with("-") || word == "-") {
      const auto form = positional_form(verb, before.positional++);
      if (form) take_note("", form->kind, word, before.model);
      continue;
    }
    const auto equals = word.find('=');
    const auto* option = find(verb.options, word.substr(0, equals));
    if (option == nullptr) continue;
    before.options.push_back(option->name);
    if (option->form.none || option->form.optional) continue;
    before.must_take = equals == std::string::npos;
    if (before.must_take || option->form.several) before.open = option;
    if (!before.must_take) take_note(option->name, option->form.kind, word.substr(equals + 1), before.model);
  }
  return before;
}

/// The shipped names; none if --data names no directory.
std::vector<std::string> shipped(DataFiles::Kind kind, const std::optional<std::string>& directory) {
  try {
    return DataFiles(directory).names(kind);
  } catch (const InputError&) {
    return {};
  }
}

/// The values of a form.
/// @param option  the option that takes them, without the dashes; empty for an argument
/// @param prefix  the part of the word before the value: "--units="
Candidates values_of(std::string_view option, const ValueForm& form, const std::string& prefix, const Before& before,
                     const std::vector<Verb>& verbs) {
  Candidates found;
  const auto add = [&](const std::vector<std::string>& words, const std::string& end = {}) {
    for (const auto& word : words) found.words.push_back({prefix + word + end, ""});
  };
  add(form.choices, form.assigned && !form.optional ? "=" : "");
  if (form.choices.empty()) add(model_names(option, form, before.model));
  switch (form.kind) {
    case ValueKind::Kernel:
      add(shipped(DataFiles::Kind::Kernels, before.model.data));
      break;
    case ValueKind::Device:
      add(shipped(DataFiles::Kind::Devices, before.model.data));
      break;
    case ValueKind::Verb:
      for (const auto& verb : verbs)
        found.words.push_back({prefix + std::string(verb.name), std::string(verb.purpose)});
      break;
    case ValueKind::Directory:
      found.paths = Candidates::Paths::Directories;
      break;
    case ValueKind::Text:
    case ValueKind::File:
      break;
  }
  const bool takes_files =
      form.kind == ValueKind::File || form.kind == ValueKind::Kernel || form.kind == ValueKind::Device;
  if (takes_files) found.paths = Candidates::Paths::Files;
  return found;
}

/// The options not yet given, or repeatable.
Candidates options_of(const Verb& verb, const Before& before) {
  Candidates found;
  for (const auto* option : shown_options(verb)) {
    const bool is_there = std::ranges::find(before.options, option->name) != before.options.end();
    if (!is_there || option->form.repeated) found.words.push_back({"--" + option->name, option->help});
  }
  return found;
}

Candidates of_program(const std::vector<Verb>& verbs, const std::string& word) {
  if (word.starts_with("-")) return {{{"--help", "print the verbs"}, {"--version", "print the version"}}};
  return values_of("", ValueForm("VERB"), "", {}, verbs);
}

Candidates of_verb(const std::vector<Verb>& verbs, const Verb& verb, const std::vector<std::string>& words) {
  const auto& word = words.back();
  const auto before = look_at(verb, {words.begin() + 1, words.end() - 1});
  if (before.must_take) return values_of(before.open->name, before.open->form, "", before, verbs);
  if (const auto equals = word.find('='); word.starts_with("--") && equals != std::string::npos) {
    const auto* option = find(verb.options, word.substr(0, equals));
    if (option == nullptr || option->form.none) return {};
    return values_of(option->name, option->form, word.substr(0, equals + 1), before, verbs);
  }
  if (word.starts_with("-")) return options_of(verb, before);
  auto found =
      before.open == nullptr ? Candidates{} : values_of(before.open->name, before.open->form, "", before, verbs);
  if (const auto form = positional_form(verb, before.positional)) {
    const auto more = values_of("", *form, "", before, verbs);
    found.words.insert(found.words.end(), more.words.begin(), more.words.end());
    found.paths = std::max(found.paths, more.paths);
    return found;
  }
  return found.words.empty() && found.paths == Candidates::Paths::None ? options_of(verb, before) : found;
}

}  // namespace

Candidates candidates(const std::vector<Verb>& verbs, const std::vector<std::string>& words) {
  if (words.empty()) return {};
  if (words.size() == 1) return of_program(verbs, words.front());
  const auto verb = std::ranges::find(verbs, words.front(), &Verb::name);
  return verb == verbs.end() ? Candidates{} : of_verb(verbs, *verb, words);
}

}  // namespace warpipe::app
