#include "cluster/on_ranks.hpp"

#include <algorithm>
#include <exception>
#include <string>

#include "command_line/options.hpp"
#include "terminal/messages.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::app {
namespace {

void refuse_standard_input(const Arguments& arguments) {
  const auto& given = arguments.positional();
  for (const char* option : {"device", "measured", "probe"})
    if (arguments.value(option) == "-")
      refuse(std::string("--") + option, "only the first of several ranks has standard input", "", "give a file");
  if (std::ranges::find(given, "-") != given.end())
    refuse("-", "only the first of several ranks has standard input", "", "give a file");
}

}  // namespace

Voice voice_of(const Ranks& ranks, const Arguments& arguments) {
  return ranks.leads() ? read_voice(arguments) : Voice::Quiet;
}

LongWork shared_by(const Ranks& ranks, LongWork work) {
  work.ranks = ranks.size();
  if (work.ranks > 1) work.instructions = {};
  return work;
}

ExitStatus on_ranks(const Arguments& arguments, const std::function<ExitStatus(Ranks&)>& run) {
  Ranks ranks([voice = read_voice(arguments)](const std::string& text) { warn(voice, text); });
  if (ranks.leads()) {
    if (ranks.size() > 1) refuse_standard_input(arguments);
    return run(ranks);
  }
  try {
    run(ranks);
  } catch (const std::exception& error) {
    ranks.give_up(error.what());
  }
  return ExitStatus::Done;
}

}  // namespace warpipe::app
