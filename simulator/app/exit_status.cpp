#include "exit_status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "warpipe/idg/error.hpp"

namespace warpipe::app {
namespace {

/// One line a message, whatever a file or an option put into it.
void say(std::string_view kind, std::string_view text) {
  std::string line = fmt::format("warpipe: {}: {}", kind, text);
  std::ranges::replace_if(
      line, [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; }, ' ');
  fmt::print(stderr, "{}\n", line);
}

ExitStatus tell(const Error& error, ExitStatus status) {
  for (const auto& diagnostic : error.diagnostics()) say("error", to_string(diagnostic));
  return status;
}

ExitStatus run(const std::function<ExitStatus()>& program, const std::string& help) {
  try {
    return program();
  } catch (const ClosedPipe&) {
    return ExitStatus::Failed;
  } catch (const UsageError& error) {
    tell(error, ExitStatus::Usage);
    fmt::print(stderr, "warpipe: see `{}`\n", help);
    return ExitStatus::Usage;
  } catch (const InputError& error) {
    return tell(error, ExitStatus::BadInput);
  } catch (const ModelError& error) {
    return tell(error, ExitStatus::NoModel);
  } catch (const GateError& error) {
    return tell(error, ExitStatus::GateFailed);
  } catch (const Error& error) {
    return tell(error, ExitStatus::Failed);
  } catch (const std::bad_alloc&) {
    say("error", "out of memory; ask for fewer points or a smaller kernel");
    return ExitStatus::Failed;
  } catch (const std::exception& error) {
    say("error", fmt::format("internal error: {}", error.what()));
    return ExitStatus::Failed;
  }
}

}  // namespace

int guarded(const std::function<ExitStatus()>& program, const std::string& help) {
  return static_cast<int>(run(program, help));
}

void warn(std::string_view text) { say("warning", text); }

}  // namespace warpipe::app
