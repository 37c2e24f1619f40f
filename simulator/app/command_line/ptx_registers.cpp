#include "command_line/ptx_registers.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "command_line/data_files.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/ptx/registers.hpp"

extern char** environ;

namespace warpipe::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestLog = 1 << 24;

std::string find_ptxas() {
  if (const char* given = std::getenv("PTXAS"); given != nullptr && *given != '\0') return given;
  const fs::path usual = "/usr/local/cuda/bin/ptxas";
  std::error_code error;
  return fs::exists(usual, error) ? usual.string() : "ptxas";
}

[[noreturn]] void cannot_run(const std::string& program, const std::string& found) {
  throw InputError(Diagnostic{"--ptxas", fmt::format("\"{}\" failed", program), found,
                              "set PTXAS to its path, or give --registers or --ptxas-log"});
}

/// Runs a program without a shell. What it prints comes from one pipe, read to its end.
std::string output_of(std::vector<std::string> words) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) cannot_run(words.front(), std::generic_category().message(errno));
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, words.front().c_str(), &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 1; error == 0 && count != 0;) {
    count = ::read(ends[0], buffer.data(), buffer.size());
    if (count < 0 && errno != EINTR) break;
    if (count > 0 && text.size() < kLongestLog) text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  if (error != 0) cannot_run(words.front(), std::generic_category().message(error));
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) cannot_run(words.front(), text.substr(0, 200));
  return text;
}

}  // namespace

void read_registers(const Arguments& arguments, const ptx::Module& module, const std::string& path,
                    ptx::ImportOptions& options) {
  const auto given = arguments.whole("registers", 1);
  const auto log = arguments.value("ptxas-log");
  if (given.has_value() + log.has_value() + arguments.has("ptxas") > 1)
    refuse("--registers", "only one of --registers, --ptxas-log and --ptxas can be given");
  const auto entries = module.entries();
  const auto entry = options.entry.empty() && entries.size() == 1 ? entries.front() : options.entry;
  if (given) {
    options.registers = given;
    options.registers_from = "as given";
  } else if (entry.empty()) {
    return;  // the import says which entries there are
  } else if (log) {
    options.registers = ptx::registers_in_log(read_input(*log).text, *log, entry);
    options.registers_from = "from what ptxas printed";
  } else if (arguments.has("ptxas")) {
    if (path == "standard input")
      refuse("--ptxas", "ptxas reads a file, and the kernel is standard input", "", "give --registers or --ptxas-log");
    const auto text = output_of({find_ptxas(), "-v", "-arch=" + module.target, "-o", "/dev/null", path});
    options.registers = ptx::registers_in_log(text, "ptxas", entry);
    options.registers_from = "from ptxas for " + module.target;
  }
}

}  // namespace warpipe::app
