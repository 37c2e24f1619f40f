#pragma once

#include <string>
#include <vector>

#include "warpipe/report/page.hpp"

namespace warpipe {

struct Bar {
  std::string name;
  double value = 0;    ///< from 0
  std::string label;   ///< of the value: "12.3 %"
  std::string kind;    ///< decides its colour
  std::string detail;  ///< a remark; may be empty
};

/// Horizontal bars, each with its value.
struct Bars {
  std::vector<Bar> bars;           ///< from the top
  std::vector<std::string> kinds;  ///< in the order of the colours
  std::string x_title;
  bool are_shares = false;  ///< the values, parts of 1
};

/// @param figure  without its content
Figure bars_figure(Figure figure, const Bars& bars);

}  // namespace warpipe
