#pragma once

namespace warpipe {

/// The forms of a table in which each row stands for itself, so that rows can be written as they come: RFC 4180 below a
/// header, or a JSON object a line.
enum class RowForm { Csv, JsonLines };

}  // namespace warpipe
