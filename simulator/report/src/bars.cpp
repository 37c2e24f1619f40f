#include "bars.hpp"

#include <algorithm>
#include <utility>

#include "chart.hpp"

namespace warpipe {

Figure bars_figure(Figure figure, const Bars& bars) {
  constexpr double kLong = 0.6;  // of the longest bar: long enough for its value
  double longest = 0;
  for (const Bar& bar : bars.bars) longest = std::max(longest, bar.value);
  Records records{{"name", "value", "label", "kind", "detail", "is_long"}, {}};
  for (const Bar& bar : bars.bars)
    records.rows.push_back(
        {bar.name, bar.value, bar.label, bar.kind, text_cell(bar.detail), std::int64_t{bar.value > kLong * longest}});
  Chart chart("bars");
  chart.data("bars", records).set("/encoding/x/title", bars.x_title);
  chart.set("/layer/0/encoding/color/scale/domain", bars.kinds);
  if (bars.are_shares) chart.set("/encoding/x/axis/format", ".0%");
  figure.content = chart.text(figure.description);
  return figure;
}

}  // namespace warpipe
