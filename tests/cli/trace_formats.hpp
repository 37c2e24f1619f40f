#pragma once

#include <string>

/// Checks of trace files by the rules of their viewers.

namespace warpipe::test {

/// Holds a text to the Chrome trace event format: the fields of each phase; a name for every process and thread, and no
/// thread number twice; complete events of a thread nest; an arrow has a start and an end, not before it, both where an
/// event of their thread begins; times are whole nanoseconds.
/// @return the first problem; empty without any
/// @source Trace Event Format, docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
std::string problem_of_chrome_trace(const std::string& text);

}  // namespace warpipe::test
