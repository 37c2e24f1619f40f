#include "terminal/interruptible.hpp"

#include <pthread.h>

#include <cstdlib>
#include <utility>

#include "terminal/exit_status.hpp"
#include "warpipe/inputs/child_process.hpp"

namespace warpipe::app {
namespace {

bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

Interruptible::Interruptible(std::function<void()> last_word) : last_word_(std::move(last_word)) {
  ::sigemptyset(&signals_);
  for (const int signal : {SIGINT, SIGTERM}) {
    if (is_ignored(signal)) continue;
    ::sigaddset(&signals_, signal);
    wake_up_ = signal;
  }
  if (wake_up_ == 0) return;
  // Blocked in all threads, so a signal waits for the watcher, which may call functions forbidden to signal handlers.
  ::pthread_sigmask(SIG_BLOCK, &signals_, &mask_before_);
  watcher_ = std::thread([this] { watch(); });
}

Interruptible::~Interruptible() {
  if (!watcher_.joinable()) return;
  over_ = true;
  ::pthread_kill(watcher_.native_handle(), wake_up_);
  watcher_.join();
  ::pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

void Interruptible::watch() {
  int signal = 0;
  while (::sigwait(&signals_, &signal) != 0) {
  }
  if (over_) return;
  // Held to the end: other threads still work, and none of them writes any more.
  const std::scoped_lock lock(mutex_);
  const auto speak = [&] {
    last_word_();
    return ExitStatus::Done;
  };
  guarded(speak, "");
  TemporaryDirectory::remove_all();
  std::_Exit(128 + signal);
}

std::shared_ptr<void> ended_by_signals(std::function<void()> end) {
  return std::make_shared<Interruptible>(std::move(end));
}

}  // namespace warpipe::app
