#include "stall_times.hpp"

#include <algorithm>

namespace warpipe {

double share(Ticks part, Ticks whole) { return whole == Ticks{} ? 0 : to_cycles(part).count / to_cycles(whole).count; }

void write_times(JsonWriter& json, const StallTimes& times) {
  json.begin_object();
  for (std::size_t i = 0; i < kStalls; ++i) {
    std::string name = to_string(static_cast<Stall>(i));
    std::ranges::replace(name, ' ', '_');
    json.member(name + "_cycles", times[i]);
  }
  json.end_object();
}

}  // namespace warpipe
