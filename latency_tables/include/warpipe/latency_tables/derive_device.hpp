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

/// A device of which only the data sheet is known, after one of the same architecture whose table is there.

namespace warpipe {

/// The number that the table of another device has at the same place. It is computed, so that it changes with the
/// other.
struct Quote {
  std::string device;
  std::vector<std::string> by;     ///< places of numbers that it goes in proportion to, of the new device to the other
  std::optional<Interval> within;  ///< in 90 of 100 cases, as factors of the number
  friend bool operator==(const Quote&, const Quote&) = default;
};

/// Values of a device by their places in its file, and where they come from; its intervals are by the same places.
struct Facts {
  std::vector<std::pair<std::string, DeviceValue>> values;
  std::vector<std::pair<std::string, Quote>> quotes;  ///< by their places, too
  Source source;
  friend bool operator==(const Facts&, const Facts&) = default;
};

/// What a data sheet says. What is missing is as of the other device.
struct DataSheet {
  std::string file;          ///< for messages; empty for a data sheet made in memory
  std::string name;          ///< of the new device
  std::string title;         ///< empty: made of the names
  std::string architecture;  ///< empty: that of the other device
  std::string sibling;       ///< the name of the other device; may be empty
  std::vector<Facts> facts;
  std::vector<std::string> lacks;  ///< ops of the other device that the new one has not
  // The same without a source, on top of the facts:
  std::optional<std::int64_t> units;
  std::optional<Hertz> clock;               ///< of the units
  std::optional<BytesPerSecond> bandwidth;  ///< of the memory's pins
  std::optional<std::int64_t> l2_bytes;
};

/// The devices that a data sheet may quote, by their names; throws for a name that it does not know.
using QuotedDevices = std::function<Device(const std::string& name)>;

/// Reads a data sheet from the text of a JSON file.
/// @param text  the file's content, UTF-8
/// @param file  its name, for messages
/// @throws InputError with all problems of the file
/// @source formats, "Data sheet"
DataSheet read_data_sheet_json(std::string_view text, const std::string& file);

/// Makes a sibling of a device.
/// - The rates of the memory that can be reached are the same part of its pin rate as there.
/// - The rate of L2 goes with its bytes, which stand for its slices.
/// - Everything else is carried over: cycles of the units as cycles, latencies beyond them as seconds.
/// What the data sheet says itself goes before all of these. Every row and every level says which of its numbers are
/// carried over and which are not, and counts as the weakest of them.
/// @param base     with levels
/// @param devices  those that the data sheet quotes
/// @throws ModelError for a base without levels, one whose memory has no rate and pin rate where a bandwidth is given,
///                    one without a level "l2" where its bytes are given, and one that has not the ops which the new
///                    one lacks; `where` is the field of the data sheet
/// @throws InputError for facts that make no device, and for a quote of a number that the other device lacks, with the
///                    file of the data sheet
Device derive_device(const Device& base, const DataSheet& sheet, const QuotedDevices& devices);

/// @return the names of the devices from which numbers were carried over, as the references of derive_device say it:
///         the one with the most rows and levels first; empty for a device with a table of its own
std::vector<std::string> devices_carried_from(const Device& device);

}  // namespace warpipe
