#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warpipe/latency_tables/device.hpp"
#include "warpipe/latency_tables/device_path.hpp"

/// Derives a device known by its data sheet only from a device of the same architecture with a table.

namespace warpipe {

/// A number quoted from the same place in the table of another device. It is computed, and so follows changes there.
struct Quote {
  std::string device;
  std::vector<std::string> by;     ///< places of numbers; the quote is scaled by their ratios, new device to other
  std::optional<Interval> within;  ///< in 90 of 100 cases, as factors of the number
  friend bool operator==(const Quote&, const Quote&) = default;
};

/// Values of a device by their places in its file, with their source; its intervals are by the same places.
struct Facts {
  std::vector<std::pair<std::string, DeviceValue>> values;
  std::vector<std::pair<std::string, Quote>> quotes;  ///< by their places, too
  Source source;
  friend bool operator==(const Facts&, const Facts&) = default;
};

/// The content of a data sheet. Missing values are as of the other device.
struct DataSheet {
  std::string file;          ///< for messages; empty for a data sheet made in memory
  std::string name;          ///< of the new device
  std::string title;         ///< empty: made of the names
  std::string architecture;  ///< empty: the other device's
  std::string sibling;       ///< the name of the other device; may be empty
  std::vector<Facts> facts;
  std::vector<std::string> lacks;  ///< ops of the other device that are missing on the new device
  // Facts without a source, overriding the facts above:
  std::optional<std::int64_t> units;
  std::optional<Hertz> clock;               ///< of the units
  std::optional<BytesPerSecond> bandwidth;  ///< of the memory's pins
  std::optional<std::int64_t> l2_bytes;
};

/// The devices quoted by a data sheet, by their names; throws for an unknown name.
using QuotedDevices = std::function<Device(const std::string& name)>;

/// Reads a data sheet from the text of a JSON file.
/// @param text  the file's content, UTF-8
/// @param file  its name, for messages
/// @throws InputError with all problems of the file
/// @source formats, "Data sheet"
DataSheet read_data_sheet_json(std::string_view text, const std::string& file);

/// Makes a sibling of a device.
/// - The reachable rates of the memory are the same part of its pin rate as on the base.
/// - The rate of L2 is in proportion to its bytes, a measure of its slices.
/// - Everything else is carried over: cycles of the units as cycles, latencies beyond them as seconds.
///
/// Values of the data sheet override all of these. Every row and every level lists its carried numbers and the sources
/// of its new numbers, and counts as the weakest of them.
/// carried over and which are not, and counts as the weakest of them.
/// @param base     with levels
/// @param devices  the devices quoted by the data sheet
/// @throws ModelError for a base without levels, without a rate and pin rate of its memory if a bandwidth is given,
///         without a level "l2" if its bytes are given, or without an op listed as lacking; `where` is the field of the
///         data sheet
/// @throws InputError for facts that make no device, and for a quote of a number missing on the other device, with the
///         file of the data sheet
Device derive_device(const Device& base, const DataSheet& sheet, const QuotedDevices& devices);

/// @return the names of the devices with numbers carried over to this device, from the references of derive_device:
///         first the device with the most rows and levels; empty for a device with a table of its own
std::vector<std::string> devices_carried_from(const Device& device);

}  // namespace warpipe
