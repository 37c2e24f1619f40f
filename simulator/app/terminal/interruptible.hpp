#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace warpipe::app {

/// While it lives, SIGINT and SIGTERM end the program at once, however long the work under way would still take, with a
/// shell's status for such an end: 130 and 143. An ignored signal (nohup, a script's background) stays ignored. Made
/// before any other thread.
class Interruptible {
 public:
  /// @param last_word  called before the end
  explicit Interruptible(std::function<void()> last_word);
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  /// Runs a step that no interrupt cuts in two; threads take turns.
  template <class Step>
  void whole(const Step& step) {
    const std::scoped_lock lock(mutex_);
    step();
  }

 private:
  void watch();

  std::function<void()> last_word_;
  std::mutex mutex_;
  sigset_t signals_{}, mask_before_{};
  int wake_up_ = 0;  ///< a signal to end the watcher
  std::atomic<bool> over_ = false;
  std::thread watcher_;
};

/// Calls `end` where a signal ends the program, for as long as the result lives.
std::shared_ptr<void> ended_by_signals(std::function<void()> end);

}  // namespace warpipe::app
