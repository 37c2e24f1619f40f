#pragma once

#include <pybind11/pybind11.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>

#include "warpipe/engine/stopping.hpp"

/// Long work, ended by Ctrl-C. The interpreter runs a signal's handler on its main thread only, between two steps of
/// Python. So work on this thread would hold up every signal until its end.

namespace warpipe::python {

inline bool is_on_main_thread() {
  const auto threading = pybind11::module_::import("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

/// For a thread whose work was ended by a signal, and which goes on until its simulations notice the stop: the process
/// waits for the thread before it ends, since the thread uses objects destroyed at the end, such as oneTBB's threads.
inline void join_at_exit(std::thread thread) {
  auto* const ending = new std::thread(std::move(thread));  // not destroyed where a fork ends without the thread
  pybind11::module_::import("atexit").attr("register")(pybind11::cpp_function([ending, process = getpid()] {
    if (process != getpid()) return;
    const pybind11::gil_scoped_release released;
    ending->join();
  }));
}

/// Does the work without the interpreter's lock, on a thread of its own, while the main thread looks for signals.
/// @param work  owns all its data: after a signal it goes on until its simulations notice the stop
/// @throws exceptions of the work, and of the handler of a signal, such as KeyboardInterrupt
template <class Work>
std::invoke_result_t<Work> run_interruptibly(Work work) {
  constexpr std::chrono::milliseconds kBetweenLooks{20};
  if (!is_on_main_thread()) {
    const pybind11::gil_scoped_release released;
    return work();
  }
  const auto stop = std::make_shared<std::atomic<bool>>(false);
  std::packaged_task<std::invoke_result_t<Work>()> task([work = std::move(work), stop] {
    const StoppableBy stoppable(stop);
    return work();
  });
  auto result = task.get_future();
  std::thread worker(std::move(task));
  const pybind11::gil_scoped_release released;
  while (result.wait_for(kBetweenLooks) != std::future_status::ready) {
    const pybind11::gil_scoped_acquire acquired;
    if (PyErr_CheckSignals() == 0) continue;
    *stop = true;
    const pybind11::error_already_set raised;
    join_at_exit(std::move(worker));
    throw raised;
  }
  worker.join();
  return result.get();
}

/// A function of the module with the effect of `function`, interruptible, with copies of its arguments.
template <class Result, class... Parameters>
auto interruptible(Result (*function)(Parameters...)) {
  return [function](Parameters... parameters) {
    return run_interruptibly([function, copies = std::tuple<std::decay_t<Parameters>...>(parameters...)] {
      return std::apply(function, copies);
    });
  };
}

}  // namespace warpipe::python
