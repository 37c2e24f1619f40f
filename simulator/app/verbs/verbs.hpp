#pragma once

#include <vector>

#include "command_line/verb.hpp"

namespace warpipe::app {

/// All verbs, in the order of help. Help, manual pages and completions are made from this list alone.
std::vector<Verb> all_verbs();

Verb simulate_verb();
Verb launches_verb();
Verb record_verb();
Verb run_verb();
Verb sweep_verb();
Verb tune_verb();
Verb occupancy_verb();
Verb compare_verb();
Verb roofline_verb();
Verb validate_verb();
Verb calibrate_verb();
Verb what_if_verb();
Verb diff_verb();
Verb graph_verb();
Verb import_verb();
Verb disassemble_verb();
Verb derive_verb();
Verb check_verb();
Verb list_verb();
Verb completion_verb();
Verb man_verb();

}  // namespace warpipe::app
