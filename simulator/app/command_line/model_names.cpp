#include "command_line/model_names.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "command_line/option_table.hpp"
#include "warpipe/code/module.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/inputs/source_names.hpp"
#include "warpipe/isa/symbols.hpp"
#include "warpipe/latency_tables/device_path.hpp"
#include "warpipe/latency_tables/table_parameter.hpp"

namespace warpipe::app {
namespace {

using Names = std::vector<std::string>;

/// The names found by `read`. None if the file is wrong, or is not a regular file, which might keep a shell waiting.
template <class Read>
Names names_in(const std::optional<std::string>& file, const NamedModel& model, const Read& read) {
  std::error_code error;
  if (!file || (is_path(*file) && !std::filesystem::is_regular_file(*file, error))) return {};
  try {
    return read(DataFiles(model.data), *file);
  } catch (const InputError&) {
    return {};  // the command will report the problem when it runs
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

bool is_code_file(const NamedModel& model) {
  std::error_code error;
  return model.kernel && is_path(*model.kernel) && !is_source(*model.kernel) && !model.kernel->ends_with(".json") &&
         std::filesystem::is_regular_file(*model.kernel, error);
}

/// The entries of PTX or machine code whose name contains the model's.
std::vector<isa::Entry> entries(const NamedModel& model) {
  if (!is_code_file(model)) return {};
  std::vector<isa::Entry> found;
  try {
    const auto file = read_kernel_file(*model.kernel);
    const auto module = code::read_module(file.text, file.name);
    for (const auto& entry : module.entries())
      if (entry.symbol.find(model.entry.value_or("")) != std::string::npos)
        found.push_back(with_source_names(entry, module, file));
  } catch (const Error&) {
    return {};  // the command will report the problem when it runs
  }
  return found;
}

Names entry_names(const NamedModel& model) {
  Names names;
  for (const auto& entry : entries({model.kernel, {}, {}, {}})) {
    const auto plain = isa::demangled(entry.symbol);
    const auto name = plain.substr(0, plain.find('('));
    names.push_back(name.find(' ') == std::string::npos ? name : entry.symbol);
  }
  return names;
}

/// By name, else by position.
Names argument_names(const NamedModel& model) {
  Names names;
  for (const auto& entry : entries(model))
    for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
      const auto& name = entry.parameters[i].name;
      names.push_back(name.empty() ? std::to_string(i) : name);
      if (std::ranges::count(names, names.back()) > 1) names.pop_back();  // of another entry
    }
  return names;
}

Names joined(Names all, const std::vector<Names>& others) {
  for (const auto& more : others) all.insert(all.end(), more.begin(), more.end());
  return all;
}

Names settable(const NamedModel& model) { return joined(numbers(model), {of_instructions(model), paths(model)}); }

Names varied(const NamedModel& model) {
  if (model.kernel && (is_source(*model.kernel) || is_code_file(model))) {
    Names names{"block", "grid", "concurrent_groups", "occupancy", "kernel", "device", "policy"};
    for (const auto& name : argument_names(model)) names.push_back("arg." + name);
    return joined(names, {numbers(model)});
  }
  return joined({"group_size", "groups", "concurrent_groups", "occupancy", "kernel", "device", "policy"},
                {parameters(model), numbers(model), of_instructions(model)});
}

Names plain_names(std::string_view option, const std::string& form, const NamedModel& model) {
  if (option == "entry") return entry_names(model);
  if (option == "arg") return argument_names(model);
  if (form.starts_with("NAME=VALUES")) return varied(model);
  if (form.starts_with("NAME=VALUE")) return parameters(model);
  if (form.starts_with("OP.FIELD")) return numbers(model);
  if (form.starts_with("PATH=")) return settable(model);
  return {};
}

}  // namespace

std::vector<std::string> model_names(std::string_view option, const ValueForm& form, const NamedModel& model) {
  auto names = plain_names(option, form.text, model);
  if (form.assigned) {
    for (auto& name : names) name += '=';
  }
  return names;
}

}  // namespace warpipe::app
