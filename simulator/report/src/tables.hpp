#pragma once

#include <string>
#include <vector>

#include "warpipe/report/page.hpp"
#include "warpipe/sweep/sweep.hpp"
#include "warpipe/views/text_table.hpp"

/// The numbers of the text views as tables of a page.

namespace warpipe {

/// The table of a text, cell by cell.
/// @param caption  empty: the title of the first column
PageTable page_table(const TextTable& table, const std::string& caption = {});

PageTable bounds_table(const Prediction& prediction);
PageTable pipelines_table(const Prediction& prediction);
PageTable launch_table(const Prediction& prediction);
PageTable latencies_table(const Prediction& prediction);

/// A row per point: the varied values, the resident warps, time, highest bound.
/// @param names      of the varied values
/// @param same_work  whether all points do the same work, and the fastest is marked
PageTable points_table(const std::string& caption, const std::vector<std::string>& names,
                       const std::vector<SweepPoint>& points, bool same_work);

}  // namespace warpipe
