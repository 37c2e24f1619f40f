#include "warpipe/inputs/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/findings.hpp"

extern char** environ;

namespace warpipe {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostText = std::size_t{1} << 24;

/// The environment of a child: this program's, with changes.
std::vector<std::string> environment_of(const ChildCall& call) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const auto is_set = [&](const auto& change) { return text.starts_with(change.first + "="); };
    if (std::none_of(call.environment.begin(), call.environment.end(), is_set)) all.emplace_back(text);
  }
  for (const auto& [name, value] : call.environment) all.push_back(fmt::format("{}={}", name, value));
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// A running program, in a process group of its own, so that it can be killed with all its children.
class Child {
 public:
  explicit Child(const ChildCall& call) : deadline_(Clock::now() + call.limit) {}

  /// @return 0, or the error of a failed start
  int start(const ChildCall& call) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return errno;
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    set_signals(attributes);
    auto words = call.words;
    auto environment = environment_of(call);
    pid_t child = 0;
    const int error = ::posix_spawnp(&child, words.front().c_str(), &actions, &attributes, pointers_to(words).data(),
                                     pointers_to(environment).data());
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    output_ = ends[0];
    if (error == 0) process_ = child;
    return error;
  }

  /// Ends it with all its children, if it still runs.
  void kill() const {
    if (const pid_t process = process_; process > 0) ::kill(-process, SIGKILL);
  }

  ChildEnd end() {
    ChildEnd end;
    bool in_time = read_all(end.text);
    int status = 0;
    for (; in_time && ::waitpid(process_, &status, WNOHANG) == 0; in_time = Clock::now() < deadline_)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (!in_time) {
      kill();
      ::waitpid(process_, &status, 0);
      end.how = ChildEnd::How::CutOff;
    } else if (WIFEXITED(status)) {
      end.status = WEXITSTATUS(status);
    } else {
      end.how = ChildEnd::How::Killed;
      end.status = WTERMSIG(status);
    }
    process_ = 0;
    return end;
  }

  void close() const { ::close(output_); }

 private:
  /// A child does not inherit the ignored and blocked signals of this program.
  static void set_signals(posix_spawnattr_t& attributes) {
    sigset_t usual, none;
    ::sigemptyset(&none);
    ::sigemptyset(&usual);
    for (const int signal : {SIGPIPE, SIGXFSZ}) ::sigaddset(&usual, signal);
    ::posix_spawnattr_setsigdefault(&attributes, &usual);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  }

  /// @return whether the output ended in time
  bool read_all(std::string& text) const {
    std::array<char, 4096> buffer{};
    for (;;) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
      if (left <= 0) return false;
      pollfd waiting{output_, POLLIN, 0};
      const int ready = ::poll(&waiting, 1, static_cast<int>(std::min<std::int64_t>(left, 1000)));
      if (ready < 0 && errno != EINTR) return true;
      if (ready <= 0) continue;
      const auto count = ::read(output_, buffer.data(), buffer.size());
      if (count == 0) return true;
      if (count < 0 && errno != EINTR) return true;
      if (count > 0 && text.size() < kMostText) text.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }

  Clock::time_point deadline_;
  int output_ = -1;
  std::atomic<pid_t> process_ = 0;
};

/// The present directories.
struct TemporaryDirectories {
  std::mutex mutex;
  std::set<std::string> paths;
};

TemporaryDirectories& temporary_directories() {
  static TemporaryDirectories all;
  return all;
}

void remove_directory(const std::string& path) {
  std::error_code error;
  std::filesystem::remove_all(path, error);
}

}  // namespace

std::string to_string(const ChildEnd& end) {
  switch (end.how) {
    case ChildEnd::How::Exited:
      return fmt::format("ended with status {}", end.status);
    case ChildEnd::How::Killed:
      return fmt::format("was ended by signal {} ({})", end.status, ::strsignal(end.status));
    case ChildEnd::How::NotStarted:
      return fmt::format("cannot be started: {}", std::generic_category().message(end.status));
    case ChildEnd::How::CutOff:
      return "took too long and was cut off";
  }
  return {};
}

ChildEnd run_child(const ChildCall& call) {
  if (!call.is_function) tell({Finding::Kind::Other, call.words.front(), {}});
  Child child(call);
  std::mutex starting;  // so that a starting child is ended, too
  const auto guarded = call.guard ? call.guard([&] {
    const std::scoped_lock lock(starting);
    child.kill();
  })
                                  : nullptr;
  const int error = [&] {
    const std::scoped_lock lock(starting);
    return child.start(call);
  }();
  auto end = error == 0 ? child.end() : ChildEnd{ChildEnd::How::NotStarted, error, {}};
  child.close();
  return end;
}

TemporaryDirectory::TemporaryDirectory() {
  std::error_code error;
  const auto parent = std::filesystem::temp_directory_path(error);
  auto& all = temporary_directories();
  const std::scoped_lock lock(all.mutex);
  path_ = (error ? std::filesystem::path("/tmp") : parent) / "warpipe-XXXXXX";
  if (::mkdtemp(path_.data()) == nullptr)
    throw InputError(Diagnostic{path_, "a directory for intermediate files cannot be made",
                                std::generic_category().message(errno), "set TMPDIR to a directory with room"});
  all.paths.insert(path_);
}

TemporaryDirectory::~TemporaryDirectory() {
  auto& all = temporary_directories();
  const std::scoped_lock lock(all.mutex);
  all.paths.erase(path_);
  remove_directory(path_);
}

void TemporaryDirectory::remove_all() {
  auto& all = temporary_directories();
  all.mutex.lock();
  for (const auto& path : all.paths) {
    // Under another name first: no file can be added to it any more.
    const auto leaving = path + ".removed";
    std::error_code error;
    std::filesystem::rename(path, leaving, error);
    remove_directory(error ? path : leaving);
  }
}

}  // namespace warpipe
