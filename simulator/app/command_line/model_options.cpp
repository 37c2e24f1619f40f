#include "command_line/model_options.hpp"

#include <limits>
#include <map>

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
  options.add("model-input", "NAME=VALUE...", "mshr of a unit, sync-factor of gpuperf, matrix-flops of an mma",
              names_of(inputs_by_name()));
}

ModelInputs read_model_options(const Arguments& arguments) {
  ModelInputs inputs;
  for (const auto& text : arguments.values("model-input")) {
    const auto equals = text.find('=');
    const auto name = text.substr(0, equals);
    const auto value = equals == std::string::npos ? std::string() : text.substr(equals + 1);
    inputs.*inputs_by_name().at(name) =
        read_number("--model-input " + name, value, 0, std::numeric_limits<double>::max());
  }
  return inputs;
}

}  // namespace warpipe::app
