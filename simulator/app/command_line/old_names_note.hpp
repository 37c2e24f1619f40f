#pragma once

#include "terminal/messages.hpp"

namespace warpipe::app {

/// Says in one line, when the verb has done its work or failed, which old names were met.
class OldNamesNote {
 public:
  explicit OldNamesNote(Voice voice) : voice_(voice) {}
  OldNamesNote(const OldNamesNote&) = delete;
  OldNamesNote& operator=(const OldNamesNote&) = delete;
  ~OldNamesNote();

 private:
  Voice voice_;
};

}  // namespace warpipe::app
