#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <iostream>
#include <sstream>
#include <utility>

namespace warpipe {

/// Where the sanitizers watch, random values show wrong memory accesses, not rare results: a tenth of them will do, at
/// a tenth of the speed.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr int kCasesOfProperties = 10;  // percent
#else
inline constexpr int kCasesOfProperties = 100;
#endif
#else
inline constexpr int kCasesOfProperties = 100;
#endif

/// Holds a property on a number of random values. Prints the seed; a failure shows the shrunk values and how to run
/// them again (RC_PARAMS="seed=...").
/// @param cases     so many values that pass, a tenth of them under the sanitizers
/// @param property  takes its values as parameters or draws them; uses RC_ASSERT
template <class Property>
void check_property(int cases, Property&& property) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  rc::detail::TestMetadata metadata;
  metadata.id = std::string(test->test_suite_name()) + "/" + test->name();
  metadata.description = test->name();
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = (cases * kCasesOfProperties + 99) / 100;
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
