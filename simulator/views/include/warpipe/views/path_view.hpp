#pragma once

#include <string>

#include "warpipe/explain/follow_path.hpp"

namespace warpipe {

/// The parts of the run time, and the chain of events that ends the run, as text. The first rows add up to the run.
///
///     Critical path       share  cycles  links
///       pipeline memory  58.2 %     256     16
///         load_x         58.2 %     256     16
///       result           35.9 %     158     17
///         fma            34.5 %     152     16
///         index           1.4 %       6      1
///       drain             5.9 %      26      1
///         store           5.9 %      26      1
///       34 links; it goes to another warp 16 times: pipeline 16.
///
///     Chain                                  links  cycles  from   to
///       index -> load_x: result                  1       6     0    6
///       16 times:                               32     408     6  414
///         load_x -> load_x: pipeline memory     16     256
///         fma -> load_x: result                 16     152
///       store -> group: drain                    1      26   414  440
///
/// "Share" is of the run's cycles. A link leads from an event to an event that could not happen before it. Inside a
/// repeated stretch, links and cycles are sums over all repetitions.
std::string write_path_text(const FollowedPath& path);

/// The same as a JSON value, with all stretches: a member of a result.
std::string path_json(const FollowedPath& path);

}  // namespace warpipe
