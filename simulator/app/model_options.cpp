#include "model_options.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>

#include "warpipe/idg/nearest_name.hpp"

namespace warpipe::app {
namespace {

const std::map<std::string, double ModelInputs::*>& inputs_by_name() {
  static const std::map<std::string, double ModelInputs::*> inputs{{"mshr", &ModelInputs::outstanding_misses},
                                                                   {"sync-factor", &ModelInputs::sync_factor},
                                                                   {"matrix-flops", &ModelInputs::matrix_flops}};
  return inputs;
}

}  // namespace

void add_model_options(OptionTable& options) {
  options.add("model-input", "NAME=VALUE...", "mshr of a unit, sync-factor of gpuperf, matrix-flops of an mma");
}

ModelInputs read_model_options(const Arguments& arguments) {
  ModelInputs inputs;
  for (const auto& text : arguments.values("model-input")) {
    const auto equals = text.find('=');
    const auto name = text.substr(0, equals);
    const auto found = inputs_by_name().find(name);
    if (found == inputs_by_name().end()) {
      std::vector<std::string> names;
      for (const auto& [known, input] : inputs_by_name()) names.push_back(known);
      refuse("--model-input", "no model asks for that", fmt::format("found \"{}\"", name), suggest(name, names));
    }
    const auto value = equals == std::string::npos ? std::string() : text.substr(equals + 1);
    inputs.*(found->second) = read_number("--model-input " + name, value, 0, std::numeric_limits<double>::max());
  }
  return inputs;
}

}  // namespace warpipe::app
