#pragma once

#include <cstdint>

#include "timeline.hpp"

namespace warpipe::programs {

/// The clocks read by the program, where libwarpipe_clocks.so is loaded for `--virtual-time`. During calls of the
/// runtime, clocks go on by the time that the host would wait for the device. Between calls they follow the host's
/// clocks, and the host takes the elapsed time on the timeline, too.
class ProgramClock {
 public:
  ProgramClock();
  bool is_virtual() const { return host_nanoseconds_ != nullptr; }
  /// @return nanoseconds; 0 where clocks are the host's
  std::int64_t now() const { return is_virtual() ? host_nanoseconds_() : 0; }

  /// A call at work, from its begin on. Threads take turns; a nested call is part of the outer call.
  class Call {
   public:
    /// @param since  now(), when the program called
    Call(ProgramClock& clock, Timeline& timeline, std::int64_t since);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    ProgramClock& clock_;
    Timeline& timeline_;
    std::int64_t since_;
    double host_ = 0;
  };

 private:
  std::int64_t (*host_nanoseconds_)() = nullptr;
  void (*put_back_)(std::int64_t) = nullptr;
  int depth_ = 0;
  std::int64_t last_ = 0;  ///< when the latest call ended
};

}  // namespace warpipe::programs
