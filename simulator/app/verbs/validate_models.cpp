#include "verbs/validate_models.hpp"

#include "command_line/model_options.hpp"
#include "command_line/options.hpp"
#include "terminal/output.hpp"
#include "terminal/progress.hpp"
#include "warpipe/baselines/model_accuracy.hpp"
#include "warpipe/views/model_accuracy_view.hpp"

namespace warpipe::app {

void add_models_options(OptionTable& options) {
  options.add("models", "all", "score the models of the literature on the same rows");
  add_model_options(options);
}

bool asks_for_models(const Arguments& arguments) {
  if (!arguments.has("models")) return false;
  for (const char* other : {"resume", "gate"})
    if (arguments.has(other)) refuse(std::string("--") + other, "it is for the simulation alone", "--models is given");
  return true;
}

void validate_models(const Arguments& arguments, const std::vector<Measurement>& rows, const Lookup<Kernel>& kernels,
                     const Lookup<Device>& devices) {
  const Output output(arguments.value("csv").value_or(arguments.value("json").value_or("")));
  const auto accuracy =
      score_models(rows, kernels, devices, read_launch_options(arguments), read_model_options(arguments),
                   read_threads(arguments), progress_on_terminal(read_voice(arguments), "rows"));
  output.write(arguments.has("csv")    ? write_csv(accuracy)
               : arguments.has("json") ? write_json(accuracy)
                                       : write_text(accuracy));
}

}  // namespace warpipe::app
