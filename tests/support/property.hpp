#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <iostream>
#include <sstream>
#include <utility>

#include "support/sanitizers.hpp"

namespace warpipe {

/// So many of `cases` random values are drawn. Where the sanitizers watch, they show wrong memory accesses, not rare
/// results: a tenth of them will do, at a tenth of the speed.
constexpr int cases_drawn(int cases) { return kSanitized ? (cases + 9) / 10 : cases; }

/// Holds a property on random values. Prints the seed; a failure prints the shrunk values and the setting for another
/// run with them (RC_PARAMS="seed=...").
/// @param cases     number of values that have to pass; a tenth of them under the sanitizers
/// @param property  takes its values as parameters or draws them; uses RC_ASSERT
template <class Property>
void check_property(int cases, Property&& property) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  rc::detail::TestMetadata metadata;
  metadata.id = std::string(test->test_suite_name()) + "/" + test->name();
  metadata.description = test->name();
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = cases_drawn(cases);
  std::cout << metadata.id << ": seed=" << params.seed << "\n";
  const auto result = rc::detail::checkTestable(std::forward<Property>(property), metadata, params);
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  if (result.template is<rc::detail::SuccessResult>())
    std::cout << message.str() << "\n";
  else
    ADD_FAILURE() << message.str();
}

}  // namespace warpipe
