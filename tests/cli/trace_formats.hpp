#pragma once

#include <string>

/// What viewers ask of trace files.

namespace warpipe::test {

/// Holds a text to the Chrome trace event format: the fields of each phase; a name for every process and thread, and no
/// thread number twice; complete events of a thread nest; an arrow has one start and one end, not before it, both where
/// an event of their thread begins; times are whole nanoseconds.
/// @return the first thing that is wrong; empty where nothing is
/// @source Trace Event Format, docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
std::string problem_of_chrome_trace(const std::string& text);

}  // namespace warpipe::test
