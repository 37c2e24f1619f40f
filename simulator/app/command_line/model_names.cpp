#include "command_line/model_names.hpp"

#include <filesystem>
#include <system_error>

#include "command_line/option_table.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/latency_tables/device_path.hpp"
#include "warpipe/latency_tables/table_parameter.hpp"

namespace warpipe::app {
namespace {

using Names = std::vector<std::string>;

/// The names that `read` finds. None if the file is wrong, or is not a regular file, which might keep a shell waiting.
template <class Read>
Names names_in(const std::optional<std::string>& file, const NamedModel& model, const Read& read) {
  std::error_code error;
  if (!file || (is_path(*file) && !std::filesystem::is_regular_file(*file, error))) return {};
  try {
    return read(DataFiles(model.data), *file);
  } catch (const InputError&) {
    return {};  // the command will say what is wrong when it runs
  }
}

Names parameters(const NamedModel& model) {
  return names_in(model.kernel, model, [](const DataFiles& files, const std::string& name) {
    return names_of(files.kernel(name).parameters);
  });
}

Names of_instructions(const NamedModel& model) {
  return names_in(model.kernel, model, [](const DataFiles& files, const std::string& name) {
    Names names;
    for (const auto& instruction : files.kernel(name).instructions)
      for (const char* key : {".conflict_degree", ".transactions"}) names.push_back(instruction.id + key);
    return names;
  });
}

Names numbers(const NamedModel& model) {
  return names_in(model.device, model,
                  [](const DataFiles& files, const std::string& name) { return number_names(files.device(name)); });
}

Names paths(const NamedModel& model) {
  return names_in(model.device, model,
                  [](const DataFiles& files, const std::string& name) { return device_paths(files.device(name)); });
}

Names joined(Names all, const std::vector<Names>& others) {
  for (const auto& more : others) all.insert(all.end(), more.begin(), more.end());
  return all;
}

Names settable(const NamedModel& model) { return joined(numbers(model), {of_instructions(model), paths(model)}); }

Names varied(const NamedModel& model) {
  return joined({"group_size", "groups", "concurrent_groups", "occupancy", "kernel", "device", "policy"},
                {parameters(model), numbers(model), of_instructions(model)});
}

Names plain_names(const std::string& form, const NamedModel& model) {
  if (form.starts_with("NAME=VALUES")) return varied(model);
  if (form.starts_with("NAME=VALUE")) return parameters(model);
  if (form.starts_with("OP.FIELD")) return numbers(model);
  if (form.starts_with("PATH=")) return settable(model);
  return {};
}

}  // namespace

std::vector<std::string> model_names(const ValueForm& form, const NamedModel& model) {
  auto names = plain_names(form.text, model);
  if (form.assigned) {
    for (auto& name : names) name += '=';
  }
  return names;
}

}  // namespace warpipe::app
