#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "cluster/ranks.hpp"
#include "command_line/arguments.hpp"
#include "terminal/messages.hpp"
#include "warpipe/tune/tuning_run.hpp"

namespace warpipe::app {

/// What `tune` is asked for.
struct TuningRequest {
  std::unique_ptr<Tuner> tuner;
  std::string source;
  std::string inputs;  ///< all that results depend on, as far as it is known
  TuningWish wish;
  std::size_t threads = 0;
  Voice voice = Voice::Normal;
};

/// @param guard  of compilers
/// @throws UsageError, InputError, ModelError for what the command line and the files say
TuningRequest read_tuning(const Ranks& ranks, const Arguments& arguments, const Guard& guard);

}  // namespace warpipe::app
