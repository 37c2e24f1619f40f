#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "warpipe/explain/trace.hpp"

namespace warpipe {

/// The processes and threads of a Chrome trace. Each is declared where it is first asked for; threads are numbered over
/// all processes, since some viewers merge two threads with the same number.
class ChromeTracks {
 public:
  /// @param events  where declarations are written, each followed by ",\n"
  ChromeTracks(const Trace& trace, std::string& events) : trace_(trace), events_(events) {}

  /// @return `"pid": 1, "tid": 2`, for an event
  std::string of_slot(std::size_t unit, std::size_t slot);
  std::string of_warp(std::size_t warp_slot);
  /// The instance of a pipeline used by the warp in a place.
  std::string of_pipeline(std::size_t pipeline, std::size_t warp_slot);

 private:
  enum class Kind { Slot, Warp, Pipeline };
  using Key = std::tuple<Kind, std::size_t, std::size_t>;  ///< kind, process, number within its kind

  std::string find(const Key& key, const std::string& name);
  void declare_process(std::size_t process);

  const Trace& trace_;
  std::string& events_;
  std::map<std::size_t, bool> declared_;  ///< processes
  std::map<Key, std::string> threads_;
};

/// JSON's form of a text, with quotes.
std::string json_text(const std::string& text);

}  // namespace warpipe
