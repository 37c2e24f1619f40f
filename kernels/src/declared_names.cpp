#include "declared_names.hpp"

#include <utility>

namespace warpipe {
namespace {

void collect(const JsonNode& body, DeclaredNames& names) {
  if (!body.is_array()) return;
  for (const JsonNode& item : body.elements()) {
    if (const auto id = item.find("id"); id && id->is_string()) {
      const std::string name = *id->string();
      if (names.ids.try_emplace(name, DeclaredNames::Declaration{names.id_list.size(), id->path()}).second)
        names.id_list.push_back(name);
    }
    if (const auto loop = item.find("loop"); loop && loop->is_string())
      names.loops.try_emplace(*loop->string(), DeclaredNames::Declaration{names.loops.size(), loop->path()});
    if (const auto inner = item.find("body")) collect(*inner, names);
  }
}

}  // namespace

DeclaredNames collect_names(const JsonNode& body, std::vector<std::string> arrays, std::vector<std::string> signals) {
  DeclaredNames names;
  names.arrays = std::move(arrays);
  names.signals = std::move(signals);
  collect(body, names);
  return names;
}

}  // namespace warpipe
