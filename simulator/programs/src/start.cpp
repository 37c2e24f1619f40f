#include "warpipe/programs/start.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "warpipe/programs/options.hpp"

namespace warpipe::programs {
namespace {

volatile std::sig_atomic_t running = 0;

void pass_on(int signal) {
  if (running > 0) kill(static_cast<pid_t>(running), signal);
}

/// Has another action for a signal until its end.
class Handling {
 public:
  Handling(int signal, void (*handler)(int)) : signal_(signal) {
    struct sigaction made {};
    made.sa_handler = handler;
    sigaction(signal, &made, &before_);
  }
  ~Handling() { sigaction(signal_, &before_, nullptr); }
  Handling(const Handling&) = delete;
  Handling& operator=(const Handling&) = delete;

 private:
  int signal_;
  struct sigaction before_ {};
};

/// A list of the loader's, with an entry added in front.
std::string in_front(const char* variable, const std::string& first) {
  const char* before = std::getenv(variable);
  return std::string(variable) + "=" + first + (before != nullptr && *before != '\0' ? std::string(":") + before : "");
}

std::vector<std::string> environment_of(const std::string& folder, const std::string& options, Clocks clocks) {
  const auto of_clocks = clocks == Clocks::OfDevice ? folder + "/libwarpipe_clocks.so:" : "";
  std::vector<std::string> made{in_front("LD_PRELOAD", of_clocks + folder + "/libwarpipe_cudart.so"),
                                in_front("LD_LIBRARY_PATH", folder + "/cuda"),
                                in_front("LD_AUDIT", folder + "/libwarpipe_libraries.so"),
                                std::string(kOptionsVariable) + "=" + options};
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string text = *one;
    const auto name = text.substr(0, text.find('=') + 1);
    if (name != "LD_PRELOAD=" && name != "LD_LIBRARY_PATH=" && name != "LD_AUDIT=" &&
        name != std::string(kOptionsVariable) + "=")
      made.push_back(text);
  }
  return made;
}

std::vector<char*> pointers_of(std::vector<std::string>& texts) {
  std::vector<char*> made;
  for (auto& text : texts) made.push_back(text.data());
  made.push_back(nullptr);
  return made;
}

int spawn(pid_t& process, std::vector<std::string> words, std::vector<std::string> environment) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t usual;
  sigemptyset(&usual);
  for (const auto signal : {SIGPIPE, SIGXFSZ, SIGINT, SIGQUIT, SIGTERM}) sigaddset(&usual, signal);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const auto error = posix_spawnp(&process, words.front().c_str(), nullptr, &attributes, pointers_of(words).data(),
                                  pointers_of(environment).data());
  posix_spawnattr_destroy(&attributes);
  return error;
}

}  // namespace

std::string to_string(const ProgramEnd& end) {
  if (!end.was_started) return fmt::format("cannot be started: {}", std::strerror(end.status));
  if (end.signal != 0) return fmt::format("was killed: {}", strsignal(end.signal));
  return fmt::format("ended with status {}", end.status);
}

ProgramEnd run_program(const std::vector<std::string>& words, const std::string& folder, const std::string& options,
                       Clocks clocks) {
  const Handling no_interrupt(SIGINT, SIG_IGN), no_quit(SIGQUIT, SIG_IGN), passed(SIGTERM, pass_on);
  pid_t process = 0;
  if (const auto error = spawn(process, words, environment_of(folder, options, clocks)); error != 0)
    return {false, error, 0};
  running = process;
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  running = 0;
  if (WIFSIGNALED(status)) return {true, 0, WTERMSIG(status)};
  return {true, WEXITSTATUS(status), 0};
}

std::vector<std::string> logs_in(const std::string& folder, const std::string& name) {
  std::vector<std::string> found;
  for (int number = 1;; ++number) {
    auto path = folder + "/" + name + (number == 1 ? "" : "_" + std::to_string(number)) + ".jsonl";
    if (access(path.c_str(), R_OK) != 0) return found;
    found.push_back(std::move(path));
  }
}

}  // namespace warpipe::programs
