#pragma once

#include <string>
#include <vector>

#include "command_line/arguments.hpp"
#include "terminal/messages.hpp"
#include "warpipe/programs/options.hpp"
#include "warpipe/programs/start.hpp"

/// The common part of record and run: they start a program with warpipe's runtime in the place of CUDA's.

namespace warpipe::app {

/// @return the program and its arguments
/// @throws UsageError where there is none
std::vector<std::string> program_words(const Arguments& arguments);

/// The folder of libwarpipe_cudart.so: from WARPIPE_RUNTIME, else beside this program.
/// @throws InputError where it is not there
std::string runtime_folder();

/// Runs the program with these options, whose file goes into their folder.
/// @throws InputError where it cannot be started
programs::ProgramEnd run_with_options(const std::vector<std::string>& words, const programs::Options& options,
                                      programs::Clocks clocks = programs::Clocks::OfHost);

/// Lines of the logs under a name.
std::vector<std::string> lines_of_logs(const std::string& folder, const std::string& name);

/// Warns of the end of a program that did not end well, and that its launches until then count.
void tell_of_end(Voice voice, const std::string& program, const programs::ProgramEnd& end, std::size_t launches);

}  // namespace warpipe::app
