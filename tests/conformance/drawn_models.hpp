#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "conformance_cases.hpp"

/// Random models in the form of the cases' files: kernel, device, policy and units in one object.

namespace warpipe::conformance {

using Json = nlohmann::ordered_json;

/// A random model; consecutive seeds take turns over groups that differ, levels, signals and limits.
/// @return null where the files cannot hold the model
Json drawn_model(std::uint64_t seed);

/// The model as the tests read it.
/// @throws Error where the files are not valid
ConformanceCase as_case(Json model);

/// @return the cycles by the program; nothing where the model is not valid, or its warps wait for good
std::optional<Ticks> cycles_of_product(const Json& model);

/// @return the cycles by the reference engine; likewise
std::optional<Ticks> cycles_of_reference(const Json& model);

/// Erases a member, if there is one. Members behind it move in an ordered object, and the library tells them their
/// parent only for a whole object.
inline void erase(Json& object, const std::string& key) {
  object.erase(key);
  object = Json(std::move(object));
}

/// @param visit  takes each item of a body, items of loops and conditions too
template <class Visit>
void for_each_item(Json& body, const Visit& visit) {
  for (Json& item : body) {
    visit(item);
    if (item.contains("body")) for_each_item(item["body"], visit);
  }
}

}  // namespace warpipe::conformance
