#include "program.hpp"
#include "support/folders.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace warpipe::test {
namespace {

namespace fs = std::filesystem;

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (auto& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

/// The end of a process.
struct End {
  int status = 0;  ///< 128 + the signal for a program killed by a signal
  std::int64_t peak_kib = 0;
};

End wait_for(pid_t process) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  int status = 0;
  struct rusage usage {};
  while (::wait4(process, &status, WNOHANG, &usage) == 0) {
    if (std::chrono::steady_clock::now() > give_up) {
      ADD_FAILURE() << "the program does not end";
      ::kill(process, SIGKILL);
      ::wait4(process, &status, 0, &usage);
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), usage.ru_maxrss};
}

/// Whether a process, not yet waited for, has ended.
bool has_ended(pid_t process) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
}

/// A process starts with the usual dispositions, whatever the dispositions of the tests.
posix_spawnattr_t usual_signals() {
  posix_spawnattr_t attributes{};
  ::posix_spawnattr_init(&attributes);
  sigset_t signals{};
  ::sigemptyset(&signals);
  ::posix_spawnattr_setsigmask(&attributes, &signals);
  ::sigaddset(&signals, SIGINT);
  ::sigaddset(&signals, SIGTERM);
  ::posix_spawnattr_setsigdefault(&attributes, &signals);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  return attributes;
}

}  // namespace

Workplace::Workplace(const Files& files) {
  directory_ = (fs::temp_directory_path() / "warpipe-cli-XXXXXX").string();
  if (::mkdtemp(directory_.data()) == nullptr) ADD_FAILURE() << "no directory " << directory_;
  for (const auto& [name, content] : files) write(name, content);
}

Workplace::~Workplace() {
  std::error_code ignored;
  fs::remove_all(directory_, ignored);
}

Outcome Workplace::run(const std::vector<std::string>& arguments, const Settings& settings) const {
  write(".in", settings.standard_input);
  std::vector<std::string> words{in_build("bin/warpipe")};
  if (settings.small_files_only) words = {"/bin/sh", "-c", "ulimit -f 1; exec \"$0\" \"$@\"", in_build("bin/warpipe")};
  if (settings.interrupts_ignored)
    words = {"/bin/sh", "-c", "trap '' INT; exec \"$0\" \"$@\"", in_build("bin/warpipe")};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::map<std::string, std::string> environment{{"WARPIPE_DATA", in_sources("tests/cli/data")},
                                                 {"WARPIPE_CACHE", "off"},
                                                 {"WARPIPE_FORM", "ptx"},
                                                 {"PATH", "/usr/bin:/bin"}};
  for (const auto& [name, value] : settings.environment) environment.insert_or_assign(name, value);
  std::vector<std::string> variables;
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);

  const bool captured = settings.standard_output.empty();
  posix_spawn_file_actions_t actions{};
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addchdir_np(&actions, directory_.c_str());
  const auto open = [&](int descriptor, const std::string& file, int flags) {
    ::posix_spawn_file_actions_addopen(&actions, descriptor, file.c_str(), flags, 0600);
  };
  open(STDIN_FILENO, ".in", O_RDONLY);
  open(STDOUT_FILENO, captured ? ".out" : settings.standard_output, captured ? O_WRONLY | O_CREAT | O_TRUNC : O_WRONLY);
  std::array<int, 2> pipe{-1, -1};
  if (settings.reader_has_gone) {
    EXPECT_EQ(::pipe2(pipe.data(), O_CLOEXEC), 0);
    ::close(pipe[0]);
    ::posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
  }
  const bool reads_errors = settings.standard_error.empty();
  open(STDERR_FILENO, reads_errors ? ".err" : settings.standard_error,
       reads_errors ? O_WRONLY | O_CREAT | O_TRUNC : O_WRONLY);
  pid_t process = 0;
  const auto attributes = usual_signals();
  const int error = ::posix_spawn(&process, words.front().c_str(), &actions, &attributes, pointers(words).data(),
                                  pointers(variables).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (pipe[1] >= 0) ::close(pipe[1]);
  EXPECT_EQ(error, 0) << "cannot start " << in_build("bin/warpipe");
  const auto has_lines = [&] { return this->has_lines(settings.sent_at.first, settings.sent_at.second); };
  if (!settings.signals.empty()) wait_until(settings.sent_when ? settings.sent_when : has_lines, process);
  for (const int signal : settings.signals) ::kill(process, signal);
  const End end = wait_for(process);
  return {end.status, captured ? read(".out") : std::string(), reads_errors ? read(".err") : std::string(),
          end.peak_kib};
}

/// Reads no further, since the file may grow faster than it is read.
/// @param name  of a file, or its first letters and a *: the first file beginning so
bool Workplace::has_lines(const std::string& name, std::ptrdiff_t lines) const {
  auto found = name;
  if (name.ends_with("*"))
    for (const auto& file : files())
      if (found == name && file.starts_with(name.substr(0, name.size() - 1))) found = file;
  std::ifstream stream(path(found), std::ios::binary);
  for (std::string line; lines > 0 && std::getline(stream, line) && !stream.eof();) --lines;
  return lines == 0;
}

void Workplace::wait_until(const std::function<bool()>& is_so, pid_t process) const {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!is_so()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (!has_ended(process) && std::chrono::steady_clock::now() < give_up) continue;
    ADD_FAILURE() << "what a signal waits for does not come";
    return;
  }
}

std::string Workplace::read(const std::string& name) const {
  std::ifstream stream(path(name), std::ios::binary);
  std::ostringstream content;
  content << stream.rdbuf();
  return content.str();
}

void Workplace::write(const std::string& name, const std::string& content) const {
  std::ofstream(path(name), std::ios::binary) << content;
}

std::vector<std::string> Workplace::files() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory_)) {
    const auto name = entry.path().filename().string();
    if (name != ".in" && name != ".out" && name != ".err") names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

Outcome warpipe(const std::vector<std::string>& arguments) { return Workplace().run(arguments); }

std::string without_paths(std::string text) {
  for (const auto& [path, word] :
       {std::pair{in_sources("tests/cli/data"), "DATA"}, {in_build("share/warpipe"), "SHARE"}}) {
    for (auto at = text.find(path); at != std::string::npos; at = text.find(path)) text.replace(at, path.size(), word);
  }
  return text;
}

}  // namespace warpipe::test
