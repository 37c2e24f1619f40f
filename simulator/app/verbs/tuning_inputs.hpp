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

/// The request of `tune`.
struct TuningRequest {
  std::unique_ptr<Tuner> tuner;
  std::string source;
  std::string inputs;  ///< all data that results depend on, as far as known
  TuningWish wish;
  std::size_t threads = 0;
  Voice voice = Voice::Normal;
};

/// @param guard  of compilers
/// @throws UsageError, InputError, ModelError for errors of the command line and the files
TuningRequest read_tuning(const Ranks& ranks, const Arguments& arguments, const Guard& guard);

}  // namespace warpipe::app
