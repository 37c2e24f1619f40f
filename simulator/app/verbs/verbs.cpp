#include "verbs/verbs.hpp"

namespace warpipe::app {

std::vector<Verb> all_verbs() {
  return {simulate_verb(), sweep_verb(),     occupancy_verb(), compare_verb(),    roofline_verb(),
          validate_verb(), calibrate_verb(), what_if_verb(),   diff_verb(),       graph_verb(),
          import_verb(),   check_verb(),     list_verb(),      completion_verb(), man_verb()};
}

}  // namespace warpipe::app
