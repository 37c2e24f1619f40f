#pragma once

#include "json_writer.hpp"
#include "warpipe/accuracy/accuracy.hpp"

namespace warpipe {

/// Writes the members of the object that write_json(Accuracy) prints.
void write_members(JsonWriter& json, const Accuracy& accuracy);

}  // namespace warpipe
