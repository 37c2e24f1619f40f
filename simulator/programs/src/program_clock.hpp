#pragma once

#include <cstdint>

#include "timeline.hpp"

namespace warpipe::programs {

/// The clocks that the program reads, where libwarpipe_clocks.so is loaded, which `--virtual-time` asks for: while
/// calls of the runtime are at work, clocks go on by what the host would wait on the device; between calls they go as
/// the host's, and the host takes that time on the timeline, too.
class ProgramClock {
 public:
  ProgramClock();
  bool is_virtual() const { return host_nanoseconds_ != nullptr; }
  /// @return nanoseconds; 0 where clocks are the host's
  std::int64_t now() const { return is_virtual() ? host_nanoseconds_() : 0; }

  /// A call at work, from its begin on. One thread at a time; a call within another is part of that.
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
