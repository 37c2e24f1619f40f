#include "terminal/exit_status.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "terminal/messages.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::app {
namespace {

ExitStatus tell(const Error& error, ExitStatus status) {
  for (const auto& diagnostic : error.diagnostics()) say_error(to_string(diagnostic));
  return status;
}

ExitStatus run(const std::function<ExitStatus()>& program, const std::string& help) {
  try {
    return program();
  } catch (const ClosedPipe&) {
    return ExitStatus::Failed;
  } catch (const UsageError& error) {
    tell(error, ExitStatus::Usage);
    to_standard_error(fmt::format("warpipe: see `{}`\n", help));
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
    say_error("out of memory; ask for fewer points or a smaller kernel");
    return ExitStatus::Failed;
  } catch (const std::exception& error) {
    say_error(fmt::format("internal error: {}", error.what()));
    return ExitStatus::Failed;
  }
}

}  // namespace

int guarded(const std::function<ExitStatus()>& program, const std::string& help) {
  return static_cast<int>(run(program, help));
}

}  // namespace warpipe::app
