#pragma once

#include <string>
#include <utility>
#include <vector>

#include "warpipe/views/launches_view.hpp"

namespace warpipe {

/// The run of a program on a device, for a page: when each kernel and copy runs, and the tables of its text.
struct ProgramReport {
  /// A launch, several in a row, or a copy.
  struct Span {
    std::string name;    ///< of the kernel
    std::string track;   ///< "stream 1"
    Seconds begin, end;  ///< of the timeline
    std::string detail;
    Seconds busy;  ///< of its launches, without the gaps between them
    bool is_copy = false;
  };
  struct Table {
    std::string caption;
    TextTable table;
  };

  std::string title, subtitle;
  std::string sum;  ///< sentences
  std::vector<Span> spans;
  std::vector<Table> tables;
  std::vector<std::string> notes = {};
};

/// The launches one after the other, as `back_to_back` of their sum counts.
ProgramReport report_of(const ProgramTimes& program);

}  // namespace warpipe
