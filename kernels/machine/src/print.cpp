// Calls of functions of the driver. Printing: a format as in C, and its numbers in the lane's own memory.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "cells.hpp"
#include "group.hpp"

namespace warpipe::machine {
namespace {

constexpr std::size_t kMostText = 1 << 16;  // bytes of a text

/// Reads the memory of a lane, at generic addresses.
class Reader {
 public:
  Reader(const Warp& warp, const Step& step, std::size_t lane) : warp_(warp), step_(step), lane_(lane) {}

  template <class T>
  T number(std::uint64_t address) const {
    const auto* const found = memory_at(warp_, lane_, address, sizeof(T));
    if (found == nullptr)
      fail(warp_, step_.instruction, Fault::Kind::OutOfBounds, "what is printed lies outside of memory", lane_,
           address);
    T value;
    std::memcpy(&value, found, sizeof value);
    return value;
  }

  std::string text(std::uint64_t address) const {
    std::string made;
    while (made.size() < kMostText)
      if (const auto next = number<char>(address + made.size()); next != '\0')
        made += next;
      else
        break;
    return made;
  }

 private:
  const Warp& warp_;
  const Step& step_;
  std::size_t lane_;
};

/// Takes numbers in the order of memory, each at a multiple of its size.
class PrintedNumbers {
 public:
  PrintedNumbers(const Reader& reader, std::uint64_t at) : reader_(reader), at_(at) {}
  template <class T>
  T next() {
    at_ = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    const auto value = reader_.number<T>(at_);
    at_ += sizeof(T);
    return value;
  }

 private:
  const Reader& reader_;
  std::uint64_t at_;
};

template <class T>
std::string shown(const std::string& conversion, T value) {
  std::array<char, 512> room{};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const int length = std::snprintf(room.data(), room.size(), conversion.c_str(), value);
#pragma GCC diagnostic pop
  return {room.data(), static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(room.size()) - 1))};
}

/// A single conversion, "%-8.3f", "%ld", with its number.
/// @return nothing for an invalid conversion
std::optional<std::string> converted(std::string conversion, PrintedNumbers& numbers, const Reader& reader) {
  const char kind = conversion.back();
  for (auto star = conversion.find('*'); star != std::string::npos; star = conversion.find('*'))
    conversion.replace(star, 1, std::to_string(numbers.next<std::int32_t>()));
  const auto modifier = conversion.find_first_of("hljztLq");
  const bool is_wide = modifier != std::string::npos && conversion[modifier] != 'h';
  // A char and a short arrive as ints; C shortens them as the conversion says.
  if (is_wide) conversion.erase(modifier, conversion.size() - 1 - modifier);
  const auto widened = [&] { return conversion.substr(0, conversion.size() - 1) + "ll" + kind; };
  switch (kind) {
    case 'd':
    case 'i':
      return is_wide ? shown(widened(), static_cast<long long>(numbers.next<std::int64_t>()))
                     : shown(conversion, numbers.next<std::int32_t>());
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      return is_wide ? shown(widened(), static_cast<unsigned long long>(numbers.next<std::uint64_t>()))
                     : shown(conversion, numbers.next<std::uint32_t>());
    case 'c':
      return shown(conversion, numbers.next<std::int32_t>());
    case 'p':
      return shown(conversion, reinterpret_cast<const void*>(numbers.next<std::uint64_t>()));  // NOLINT
    case 's':
      return shown(conversion, reader.text(numbers.next<std::uint64_t>()).c_str());
    default:
      if (std::string_view("fFeEgGaA").find(kind) == std::string_view::npos) return std::nullopt;
      return shown(conversion, numbers.next<double>());
  }
}

std::string printed(const Reader& reader, std::uint64_t format, std::uint64_t first) {
  const auto text = reader.text(format);
  PrintedNumbers numbers(reader, first);
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text[at] == '%' ? text.find_first_not_of("-+ #0123456789.*hljztLq", at + 1) : at;
    if (end == std::string::npos) return made + text.substr(at);
    const auto piece = text.substr(at, end + 1 - at);
    at = end + 1;
    if (piece.size() == 1 || piece.back() == '%')
      made += piece.back();
    else
      made += converted(piece, numbers, reader).value_or(piece);
  }
  return made;
}

}  // namespace

/// vprintf: the addresses of a format and of its numbers.
void print(Lanes& lanes, const Step& step) {
  const auto& warp = warp_of(lanes);
  const auto& more = *static_cast<const OperationMore*>(step.more);
  for_each_lane(lanes.active, [&](std::size_t lane) {
    const Reader reader(warp, step, lane);
    const auto text = printed(reader, cell(lanes, more.inputs[0], lane), cell(lanes, more.inputs[1], lane));
    std::fwrite(text.data(), 1, text.size(), stdout);
  });
}

/// __assertfail: the addresses of the condition and the file, the line, the address of the function's name.
void print_assertion(Lanes& lanes, const Step& step) {
  const auto& warp = warp_of(lanes);
  const auto& more = *static_cast<const OperationMore*>(step.more);
  std::string made;
  for_each_lane(lanes.active, [&](std::size_t lane) {
    const Reader reader(warp, step, lane);
    const auto number = [&](std::size_t index) { return cell(lanes, more.inputs[index], lane); };
    const auto place = fault_at(warp, step.instruction, Fault::Kind::Assertion, "", lane);
    made += fmt::format("{}:{}: {}: block: [{}], thread: [{}] Assertion `{}` failed.\n", reader.text(number(1)),
                        static_cast<std::uint32_t>(number(2)), reader.text(number(3)), fmt::join(place.group, ","),
                        fmt::join(place.thread, ","), reader.text(number(0)));
  });
  std::fflush(stdout);
  std::fwrite(made.data(), 1, made.size(), stderr);
}

/// malloc: bytes; the address.
void allocate(Lanes& lanes, const Step& step) {
  const auto& more = *static_cast<const OperationMore*>(step.more);
  auto& memory = warp_of(lanes).worker->execution.memory;
  for_each_lane(lanes.active, [&](std::size_t lane) {
    set_cell(lanes, more.outputs[0], lane, memory.take_of_heap(cell(lanes, more.inputs[0], lane)));
  });
}

/// free: an address of malloc, or 0.
void free_allocated(Lanes& lanes, const Step& step) {
  const auto& warp = warp_of(lanes);
  const auto& more = *static_cast<const OperationMore*>(step.more);
  for_each_lane(lanes.active, [&](std::size_t lane) {
    const auto address = cell(lanes, more.inputs[0], lane);
    if (address != 0 && !warp.worker->execution.memory.give_to_heap(address))
      fail(warp, step.instruction, Fault::Kind::OutOfBounds,
           fmt::format("0x{:x} is freed, which is no memory from malloc, or was freed before", address), lane, address);
  });
}

}  // namespace warpipe::machine
