// Operations of lanes on whole numbers, bits, truths and addresses, each against arithmetic of the host's own types or
// the pseudo-code of the PTX ISA.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <type_traits>

#include "lane_machine.hpp"

namespace warpipe::test {
namespace {

using Bits = std::vector<std::uint64_t>;
using Sources = std::span<const std::uint64_t>;
using std::int16_t, std::int32_t, std::int64_t, std::uint16_t, std::uint32_t, std::uint64_t;
__extension__ using Wide = __int128;

template <class Number>
std::string name_of() {
  return fmt::format("{}{}", std::is_signed_v<Number> ? 's' : 'u', sizeof(Number) * 8);
}

template <class Number>
char letter_of() {
  return sizeof(Number) == 2 ? 'h' : sizeof(Number) == 4 ? 'r' : 'd';
}

template <class Number>
std::uint64_t bits(Wide number) {
  return static_cast<std::make_unsigned_t<Number>>(number);
}

/// "opcode.s32 r, r, r" with a function of as many numbers, whose result wraps around.
template <class Number, class Function>
void expect_numbers(const std::string& opcode, int sources, const Function& function) {
  auto operands = std::string(1, letter_of<Number>());
  for (int i = 0; i < sources; ++i) operands += fmt::format(", {}", letter_of<Number>());
  expect_operation({fmt::format("{}.{} {}", opcode, name_of<Number>(), operands), [=](Sources x) -> Bits {
                      const auto get = [&](std::size_t i) {
                        return i < x.size() ? static_cast<Number>(x[i]) : Number{};
                      };
                      return {bits<Number>(function(Wide{get(0)}, Wide{get(1)}, Wide{get(2)}))};
                    }});
}

template <class... Numbers, class Visit>
void for_types(const Visit& visit) {
  (visit(Numbers{}), ...);
}

template <class Visit>
void for_all_types(const Visit& visit) {
  for_types<int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>(visit);
}

/// A product of 128 bits may be more than they hold with a sign.
__extension__ using Unsigned = unsigned __int128;
Wide product(Wide a, Wide b) { return static_cast<Wide>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b)); }

TEST(LaneOperations, Arithmetic) {
  for_all_types([]<class Number>(Number) {
    constexpr int kBits = sizeof(Number) * 8;
    expect_numbers<Number>("add", 2, [](Wide a, Wide b, Wide) { return a + b; });
    expect_numbers<Number>("sub", 2, [](Wide a, Wide b, Wide) { return a - b; });
    expect_numbers<Number>("mul.lo", 2, [](Wide a, Wide b, Wide) { return product(a, b); });
    expect_numbers<Number>("mul.hi", 2, [](Wide a, Wide b, Wide) { return product(a, b) >> kBits; });
    expect_numbers<Number>("mad.lo", 3, [](Wide a, Wide b, Wide c) { return product(a, b) + c; });
    expect_numbers<Number>("mad.hi", 3, [](Wide a, Wide b, Wide c) { return (product(a, b) >> kBits) + c; });
    expect_numbers<Number>("sad", 3, [](Wide a, Wide b, Wide c) { return std::max(a, b) - std::min(a, b) + c; });
    expect_numbers<Number>("min", 2, [](Wide a, Wide b, Wide) { return std::min(a, b); });
    expect_numbers<Number>("max", 2, [](Wide a, Wide b, Wide) { return std::max(a, b); });
  });
  for_types<int16_t, int32_t, int64_t>([]<class Number>(Number) {
    expect_numbers<Number>("abs", 1, [](Wide a, Wide, Wide) { return a < 0 ? -a : a; });
    expect_numbers<Number>("neg", 1, [](Wide a, Wide, Wide) { return -a; });
  });
}

template <class Narrow, class Product>
void expect_wide() {
  const auto to = letter_of<Product>(), from = letter_of<Narrow>();
  const auto type = name_of<Narrow>();
  const auto multiplied = [](Sources x) { return Wide{static_cast<Narrow>(x[0])} * static_cast<Narrow>(x[1]); };
  expect_operation({fmt::format("mul.wide.{} {}, {}, {}", type, to, from, from),
                    [=](Sources x) -> Bits { return {bits<Product>(multiplied(x))}; }});
  expect_operation({fmt::format("mad.wide.{} {}, {}, {}, {}", type, to, from, from, to),
                    [=](Sources x) -> Bits { return {bits<Product>(multiplied(x) + static_cast<Product>(x[2]))}; }});
  // A literal has the width of the sum.
  expect_operation({fmt::format("mad.wide.{} {}, {}, {}, -8", type, to, from, from),
                    [=](Sources x) -> Bits { return {bits<Product>(multiplied(x) - 8)}; }});
}

TEST(LaneOperations, ProductsOfTwiceTheWidth) {
  expect_wide<int16_t, int32_t>();
  expect_wide<uint16_t, uint32_t>();
  expect_wide<int32_t, int64_t>();
  expect_wide<uint32_t, uint64_t>();
}

/// The lower 24 bits of a word, with their sign.
template <class Number>
Wide of_24_bits(std::uint64_t word) {
  const auto low = static_cast<std::int32_t>(word & 0xffffff);
  return std::is_signed_v<Number> && low >= 0x800000 ? low - 0x1000000 : low;
}

TEST(LaneOperations, ProductsOf24Bits) {
  for_types<int32_t, uint32_t>([]<class Number>(Number) {
    for (const bool high : {false, true}) {
      const auto of = [=](Sources x) { return of_24_bits<Number>(x[0]) * of_24_bits<Number>(x[1]) >> (high ? 16 : 0); };
      const auto words = fmt::format("24.{}.{}", high ? "hi" : "lo", name_of<Number>());
      expect_operation({"mul" + words + " r, r, r", [=](Sources x) -> Bits { return {bits<Number>(of(x))}; }});
      expect_operation({"mad" + words + " r, r, r, r",
                        [=](Sources x) -> Bits { return {bits<Number>(of(x) + static_cast<Number>(x[2]))}; }});
    }
  });
}

TEST(LaneOperations, Quotients) {
  // A divisor of zero is an error.
  for_all_types([]<class Number>(Number) {
    const auto type = name_of<Number>();
    const auto letter = letter_of<Number>();
    for (const bool rest : {false, true}) {
      const auto divided = [=](Wide a, Wide b) { return rest ? a % b : a / b; };
      for (const Wide divisor : {Wide{1}, Wide{3}, Wide{7}, Wide{10}, Wide{std::numeric_limits<Number>::max()},
                                 std::is_signed_v<Number> ? Wide{-1} : Wide{2},
                                 std::is_signed_v<Number> ? Wide{std::numeric_limits<Number>::min()} : Wide{16}})
        expect_operation(
            {fmt::format("{}.{} {}, {}, {}", rest ? "rem" : "div", type, letter, letter, static_cast<Number>(divisor)),
             [=](Sources x) -> Bits { return {bits<Number>(divided(static_cast<Number>(x[0]), divisor))}; }});
    }
  });
}

template <class Number>
Wide within(Wide number) {
  return std::clamp(number, Wide{std::numeric_limits<Number>::min()}, Wide{std::numeric_limits<Number>::max()});
}

TEST(LaneOperations, SumsThatSaturate) {
  const auto clamped = [](Wide x) { return within<int32_t>(x); };
  expect_numbers<int32_t>("add.sat", 2, [=](Wide a, Wide b, Wide) { return clamped(a + b); });
  expect_numbers<int32_t>("sub.sat", 2, [=](Wide a, Wide b, Wide) { return clamped(a - b); });
  expect_numbers<int32_t>("mad.hi.sat", 3, [=](Wide a, Wide b, Wide c) { return clamped((a * b >> 32) + c); });
}

TEST(LaneOperations, Logic) {
  for (const auto& named :
       {std::pair("b16", 'h'), std::pair("b32", 'r'), std::pair("b64", 'd'), std::pair("pred", 'p')}) {
    const char* const type = named.first;
    const char letter = named.second;
    const auto kept = letter == 'p' ? 1 : letter == 'h' ? 0xffff : letter == 'r' ? 0xffffffff : ~std::uint64_t{0};
    const auto in = [&](const char* opcode, int sources) {
      return fmt::format(fmt::runtime(sources == 1 ? "{0}.{1} {2}, {2}" : "{0}.{1} {2}, {2}, {2}"), opcode, type,
                         letter);
    };
    expect_operation({in("and", 2), [](Sources x) -> Bits { return {x[0] & x[1]}; }});
    expect_operation({in("or", 2), [](Sources x) -> Bits { return {x[0] | x[1]}; }});
    expect_operation({in("xor", 2), [](Sources x) -> Bits { return {x[0] ^ x[1]}; }});
    expect_operation({in("not", 1), [=](Sources x) -> Bits { return {x[0] ^ kept}; }});
    expect_operation({in("mov", 1), [](Sources x) -> Bits { return {x[0]}; }});
    if (letter == 'p') continue;
    expect_operation({in("cnot", 1), [](Sources x) -> Bits { return {x[0] == 0 ? 1U : 0U}; }});
  }
  for (const unsigned table : {0x00U, 0xffU, 0x80U, 0xfeU, 0x96U, 0xe8U, 0xcaU, 0x1dU, 0x2bU, 0x40U}) {
    const auto looked_up = [=](Sources x) {
      std::uint64_t result = 0;
      for (int i = 0; i < 32; ++i) {
        const auto a = x[0] >> i & 1, b = x[1] >> i & 1, c = x[2] >> i & 1;
        result |= std::uint64_t{table >> (4 * a + 2 * b + c) & 1} << i;
      }
      return result;
    };
    expect_operation(
        {fmt::format("lop3.b32 r, r, r, r, {}", table), [=](Sources x) -> Bits { return {looked_up(x)}; }});
    expect_operation({fmt::format("lop3.or.b32 r|p, r, r, r, {}, p", table), [=](Sources x) -> Bits {
                        return {looked_up(x), looked_up(x) != 0 || x[3] != 0 ? 1U : 0U};
                      }});
    expect_operation({fmt::format("lop3.and.b32 r|p, r, r, r, {}, !p", table), [=](Sources x) -> Bits {
                        return {looked_up(x), looked_up(x) != 0 && x[3] != 0 ? 1U : 0U};
                      }});
  }
}

TEST(LaneOperations, Shifts) {
  for_all_types([]<class Number>(Number) {
    constexpr std::uint64_t kBits = sizeof(Number) * 8;
    const auto letter = letter_of<Number>();
    expect_operation({fmt::format("shr.{} {}, {}, r", name_of<Number>(), letter, letter), [=](Sources x) -> Bits {
                        return {bits<Number>(Wide{static_cast<Number>(x[0])} >> std::min(x[1], kBits))};
                      }});
    if (std::is_signed_v<Number>) return;
    for (const char* opcode : {"shl", "shr"})
      expect_operation({fmt::format("{}.b{} {}, {}, r", opcode, kBits, letter, letter), [=](Sources x) -> Bits {
                          const auto distance = std::min(x[1], kBits);
                          return {bits<Number>(opcode[2] == 'l' ? Wide{x[0]} << distance : Wide{x[0]} >> distance)};
                        }});
    // Far beyond 16 bits, of a word.
    expect_operation(
        {fmt::format("shl.b{} {}, {}, 0x10001", kBits, letter, letter), [](Sources) -> Bits { return {0}; }});
  });
  for (const bool left : {true, false})
    for (const bool wrap : {true, false})
      expect_operation(
          {fmt::format("shf.{}.{}.b32 r, r, r, r", left ? 'l' : 'r', wrap ? "wrap" : "clamp"), [=](Sources x) -> Bits {
             const auto n = wrap ? x[2] & 31 : std::min<std::uint64_t>(x[2], 32);
             const auto low = x[0], high = x[1];
             return {(left ? (n == 32 ? low : high << n | low >> (32 - n))
                           : (n == 32 ? high : low >> n | high << (32 - n))) &
                     0xffffffff};
           }});
}

TEST(LaneOperations, BitsAreCountedAndFound) {
  for_types<uint32_t, uint64_t>([]<class Number>(Number) {
    constexpr int kBits = sizeof(Number) * 8;
    const auto in = [&](const char* opcode, char to) {
      return fmt::format("{}.b{} {}, {}", opcode, kBits, to, letter_of<Number>());
    };
    expect_operation({in("popc", 'r'), [](Sources x) -> Bits {
                        std::uint64_t count = 0;
                        for (auto rest = x[0]; rest != 0; rest >>= 1) count += rest & 1;
                        return {count};
                      }});
    expect_operation({in("clz", 'r'), [](Sources x) -> Bits {
                        std::uint64_t count = 0;
                        while (count < kBits && (x[0] >> (kBits - 1 - count) & 1) == 0) ++count;
                        return {count};
                      }});
    expect_operation({in("brev", letter_of<Number>()), [](Sources x) -> Bits {
                        std::uint64_t turned = 0;
                        for (int i = 0; i < kBits; ++i) turned = turned << 1 | (x[0] >> i & 1);
                        return {turned};
                      }});
  });
  for_types<int32_t, uint32_t, int64_t, uint64_t>([]<class Number>(Number) {
    constexpr int kTop = sizeof(Number) * 8 - 1;
    for (const bool shift : {false, true})
      expect_operation(
          {fmt::format("bfind{}.{} r, {}", shift ? ".shiftamt" : "", name_of<Number>(), letter_of<Number>()),
           [=](Sources x) -> Bits {
             auto a = static_cast<Number>(x[0]);
             if (std::is_signed_v<Number> && a < 0) a = static_cast<Number>(~a);
             for (int i = kTop; i >= 0; --i)
               if ((a >> i & 1) != 0) return {static_cast<std::uint64_t>(shift ? kTop - i : i)};
             return {0xffffffff};
           }});
  });
  expect_operation({"fns.b32 r, r, 5, r", [](Sources x) -> Bits {
                      const auto offset = static_cast<int32_t>(x[1]);
                      if (offset == 0) return {(x[0] >> 5 & 1) != 0 ? 5 : 0xffffffff};
                      auto count = std::abs(std::int64_t{offset}) - 1;
                      for (int place = 5; place >= 0 && place<32; place += offset> 0 ? 1 : -1)
                        if ((x[0] >> place & 1) != 0 && count-- == 0) return {static_cast<std::uint64_t>(place)};
                      return {0xffffffff};
                    }});
}

TEST(LaneOperations, BitFields) {
  for_types<int32_t, uint32_t, int64_t, uint64_t>([]<class Number>(Number) {
    constexpr std::uint64_t kTop = sizeof(Number) * 8 - 1;
    const auto letter = letter_of<Number>();
    expect_operation({fmt::format("bfe.{0} {1}, {1}, r, r", name_of<Number>(), letter), [=](Sources x) -> Bits {
                        const auto position = x[1] & 255, length = x[2] & 255;
                        const bool fills = std::is_signed_v<Number> && length != 0;
                        const auto sign = fills ? x[0] >> std::min(position + length - 1, kTop) & 1 : 0;
                        std::uint64_t result = 0;
                        for (std::uint64_t i = 0; i <= kTop; ++i)
                          result |= (i < length && position + i <= kTop ? x[0] >> (position + i) & 1 : sign) << i;
                        return {result};
                      }});
    if (std::is_signed_v<Number>) return;
    expect_operation({fmt::format("bfi.b{0} {1}, {1}, {1}, r, r", kTop + 1, letter), [=](Sources x) -> Bits {
                        const auto position = x[2] & 255, length = x[3] & 255;
                        auto result = x[1];
                        for (std::uint64_t i = 0; i < length && position + i <= kTop; ++i) {
                          result &= ~(std::uint64_t{1} << (position + i));
                          result |= (x[0] >> i & 1) << (position + i);
                        }
                        return {result};
                      }});
  });
  for (const bool wrap : {true, false}) {
    const auto* mode = wrap ? "wrap" : "clamp";
    expect_operation({fmt::format("bmsk.{}.b32 r, r, r", mode), [=](Sources x) -> Bits {
                        const auto a = x[0] & 31, b = x[1] & 31;
                        auto from = ~std::uint64_t{0} << a, beyond = ~std::uint64_t{0} << (a + b);
                        if (!wrap && x[0] >= 32) from = 0;
                        const bool over = a + b >= 32 || (!wrap && (x[0] >= 32 || x[1] >= 32));
                        return {from & ~(over ? 0 : beyond) & 0xffffffff};
                      }});
    for_types<int32_t, uint32_t>([&]<class Number>(Number) {
      expect_operation({fmt::format("szext.{}.{} r, r, r", mode, name_of<Number>()), [=](Sources x) -> Bits {
                          const auto length = x[1] & 31;
                          const bool large = x[1] >= 32 && !wrap;
                          const auto mask = large ? 0 : ~std::uint64_t{0} << length;
                          const bool set =
                              length != 0 && !large && std::is_signed_v<Number> && (x[0] >> (length - 1) & 1) != 0;
                          return {((x[0] & ~mask) | (set ? mask : 0)) & 0xffffffff};
                        }});
    });
  }
}

TEST(LaneOperations, BytesArePermuted) {
  expect_operation({"prmt.b32 r, r, r, r", [](Sources x) -> Bits {
                      std::uint64_t result = 0;
                      for (int i = 0; i < 4; ++i) {
                        const auto choice = x[2] >> (4 * i) & 15;
                        const auto byte = static_cast<std::int8_t>(x[choice / 4 % 2] >> (choice % 4 * 8));
                        result |= std::uint64_t{static_cast<std::uint8_t>(choice >= 8 ? byte >> 7 : byte)} << (8 * i);
                      }
                      return {result};
                    }});
  // The tables of the PTX ISA: by selector, the bytes of the result, the highest first.
  struct Mode {
    const char* word;
    std::array<std::array<std::size_t, 4>, 4> bytes;
  };
  for (const auto& mode : {Mode{"f4e", {{{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}}}},
                           Mode{"b4e", {{{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}}}},
                           Mode{"rc8", {{{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}}},
                           Mode{"ecl", {{{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}}}},
                           Mode{"ecr", {{{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}}}},
                           Mode{"rc16", {{{1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}}}}})
    expect_operation({fmt::format("prmt.b32.{} r, r, r, r", mode.word), [=](Sources x) -> Bits {
                        std::uint64_t result = 0;
                        for (const auto byte : mode.bytes[x[2] & 3])
                          result = result << 8 | (x[byte / 4] >> (byte % 4 * 8) & 255);
                        return {result};
                      }});
}

TEST(LaneOperations, DotProducts) {
  const auto part = [](bool has_sign, std::uint64_t word, int index, int width) -> std::int64_t {
    const auto number = static_cast<std::int64_t>(word >> (index * width) & ((1U << width) - 1));
    return has_sign && number >= 1 << (width - 1) ? number - (1 << width) : number;
  };
  for (const bool first : {false, true})
    for (const bool second : {false, true}) {
      const auto types = fmt::format("{}32.{}32", first ? 's' : 'u', second ? 's' : 'u');
      expect_operation({"dp4a." + types + " r, r, r, r", [=](Sources x) -> Bits {
                          auto sum = static_cast<std::int64_t>(x[2]);
                          for (int i = 0; i < 4; ++i) sum += part(first, x[0], i, 8) * part(second, x[1], i, 8);
                          return {bits<uint32_t>(sum)};
                        }});
      for (const bool upper : {false, true})
        expect_operation({fmt::format("dp2a.{}.{} r, r, r, r", upper ? "hi" : "lo", types), [=](Sources x) -> Bits {
                            auto sum = static_cast<std::int64_t>(x[2]);
                            for (int i = 0; i < 2; ++i)
                              sum += part(first, x[0], i, 16) * part(second, x[1], upper ? i + 2 : i, 8);
                            return {bits<uint32_t>(sum)};
                          }});
    }
}

template <class Number>
bool holds(const std::string& word, std::uint64_t left, std::uint64_t right) {
  const auto a = static_cast<Number>(left), b = static_cast<Number>(right);
  if (word == "eq" || word == "ne") return (a == b) == (word == "eq");
  if (word == "lt" || word == "lo") return a < b;
  if (word == "le" || word == "ls") return a <= b;
  return word == "gt" || word == "hi" ? a > b : a >= b;
}

TEST(LaneOperations, Comparisons) {
  for_all_types([]<class Number>(Number) {
    const auto letter = letter_of<Number>();
    for (const char* word : {"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"}) {
      const bool of_unsigned = word[0] == 'h' || word == std::string("lo") || word == std::string("ls");
      if (of_unsigned && std::is_signed_v<Number>) continue;
      const auto in = [&](const char* form) {
        return fmt::format(fmt::runtime(form), word, name_of<Number>(), letter);
      };
      const auto truth = [=](Sources x) { return holds<Number>(word, x[0], x[1]); };
      expect_operation({in("setp.{0}.{1} p|p, {2}, {2}"), [=](Sources x) -> Bits {
                          return {truth(x) ? 1U : 0U, truth(x) ? 0U : 1U};
                        }});
      expect_operation({in("set.{0}.xor.s32.{1} r, {2}, {2}, p"),
                        [=](Sources x) -> Bits { return {truth(x) != (x[2] != 0) ? 0xffffffff : 0}; }});
      expect_operation({in("setp.{0}.{1} p, {2}, -3"), [=](Sources x) -> Bits {
                          return {holds<Number>(word, x[0], static_cast<std::uint64_t>(-3)) ? 1U : 0U};
                        }});
    }
  });
  // The second truth is joined after the comparison is turned.
  const auto less = [](Sources x) { return static_cast<int32_t>(x[0]) < static_cast<int32_t>(x[1]); };
  expect_operation({"setp.lt.and.s32 p|p, r, r, p", [=](Sources x) -> Bits {
                      return {less(x) && x[2] != 0 ? 1U : 0U, !less(x) && x[2] != 0 ? 1U : 0U};
                    }});
  expect_operation({"setp.lt.or.s32 p|p, r, r, !p", [=](Sources x) -> Bits {
                      return {less(x) || x[2] != 0 ? 1U : 0U, !less(x) || x[2] != 0 ? 1U : 0U};
                    }});
  expect_operation({"setp.lt.xor.s32 p|p, r, r, p", [=](Sources x) -> Bits {
                      return {less(x) != (x[2] != 0) ? 1U : 0U, less(x) == (x[2] != 0) ? 1U : 0U};
                    }});
}

TEST(LaneOperations, Choices) {
  for (const auto& [type, letter] : {std::pair("b16", 'h'), std::pair("u32", 'r'), std::pair("f64", 'd')}) {
    expect_operation({fmt::format("selp.{0} {1}, {1}, {1}, p", type, letter),
                      [](Sources x) -> Bits { return {x[2] != 0 ? x[0] : x[1]}; }});
    expect_operation({fmt::format("selp.{0} {1}, {1}, {1}, !p", type, letter),
                      [](Sources x) -> Bits { return {x[2] != 0 ? x[0] : x[1]}; }});
    expect_operation({fmt::format("slct.{0}.s32 {1}, {1}, {1}, r", type, letter),
                      [](Sources x) -> Bits { return {static_cast<int32_t>(x[2]) >= 0 ? x[0] : x[1]}; }});
  }
}

TEST(LaneOperations, NumbersOfTheHardware) {
  const auto told = [](const std::string& name) {
    return lanes_tell(fmt::format("mov.u32 %r1, {}; ", name) + tell("%r1"), {})[0];
  };
  for (std::uint64_t lane = 0; lane < 32; ++lane) {
    const auto own = std::uint64_t{1} << lane, all = std::uint64_t{0xffffffff};
    EXPECT_EQ(told("%laneid")[lane], lane);
    EXPECT_EQ(told("%tid.x")[lane], lane);
    EXPECT_EQ(told("%lanemask_eq")[lane], own);
    EXPECT_EQ(told("%lanemask_lt")[lane], own - 1);
    EXPECT_EQ(told("%lanemask_le")[lane], 2 * own - 1);
    EXPECT_EQ(told("%lanemask_gt")[lane], all & ~(2 * own - 1));
    EXPECT_EQ(told("%lanemask_ge")[lane], all & ~(own - 1));
  }
  for (const auto* zero : {"%tid.y", "%tid.z", "%ctaid.x", "%ctaid.y", "%warpid", "%dynamic_smem_size"})
    EXPECT_EQ(told(zero)[5], 0U) << zero;
  for (const auto* one : {"%ntid.y", "%ntid.z", "%nctaid.x", "%nctaid.z", "%nwarpid"})
    EXPECT_EQ(told(one)[5], 1U) << one;
  for (const auto* size : {"%ntid.x", "WARP_SZ"}) EXPECT_EQ(told(size)[5], 32U) << size;
}

/// %r20 is never written.
TEST(LaneOperations, OfAChoiceTheOtherSideDoesNotMatter) {
  const auto told = lanes_tell(
      "setp.lt.u32 %p1, %r38, 32; setp.ge.u32 %p2, %r38, 32; selp.u32 %r1, 7, %r20, %p1; selp.u32 %r2, %r20, 8, %p2; " +
          tell("%r1") + tell("%r2"),
      {});
  EXPECT_EQ(told[0][9], 7U);
  EXPECT_EQ(told[1][9], 8U);
  EXPECT_ANY_THROW(lanes_tell("setp.lt.u32 %p1, %r38, 31; selp.u32 %r1, 7, %r20, %p1; " + tell("%r1"), {}));
}

/// A number of so many bits, with its sign.
Wide number(std::uint64_t word, char sign, int width) {
  const auto kept = Wide{word} & ((Wide{1} << width) - 1);
  return sign == 's' && (kept >> (width - 1)) != 0 ? kept - (Wide{1} << width) : kept;
}

TEST(LaneOperations, ConversionsAmongWholeNumbers) {
  for (const char from_sign : {'s', 'u'})
    for (const int from : {8, 16, 32, 64})
      for (const char to_sign : {'s', 'u'})
        for (const int to : {8, 16, 32, 64})
          for (const bool saturates : {false, true}) {
            // Registers may be wider than the types.
            const auto source = from <= 16 ? 'h' : from == 32 ? 'r' : 'd', result = to == 64 ? 'd' : 'r';
            expect_operation({fmt::format("cvt{}.{}{}.{}{} {}, {}", saturates ? ".sat" : "", to_sign, to, from_sign,
                                          from, result, source),
                              [=](Sources x) -> Bits {
                                auto value = number(x[0], from_sign, from);
                                const auto most = (Wide{1} << (to_sign == 's' ? to - 1 : to)) - 1;
                                if (saturates) value = std::clamp(value, to_sign == 's' ? -most - 1 : Wide{0}, most);
                                value = number(static_cast<std::uint64_t>(value), to_sign, to);
                                return {result == 'd' ? bits<uint64_t>(value) : bits<uint32_t>(value)};
                              }});
          }
  expect_operation(
      {"cvt.s32.s8 r, d", [](Sources x) -> Bits { return {bits<uint32_t>(static_cast<std::int8_t>(x[0]))}; }});
  expect_operation({"cvt.s64.s32 d, -5", [](Sources) -> Bits { return {static_cast<std::uint64_t>(-5)}; }});
}

TEST(LaneOperations, AddressesOfSpaces) {
  // Generic addresses of each space are told apart and lead back.
  for (const auto* space : {"shared", "local", "const", "global"}) {
    const auto body = [&](const char* tested) {
      return fmt::format(
          "{} and.b64 %d1, %d1, 0xffffff; cvta.{}.u64 %d2, %d1; isspacep.{} %p1, %d2; cvta.to.{}.u64 %d3, "
          "%d2; {} {} {}",
          input(0, 1), space, tested, space, tell("%p1"), tell("%d3"), tell("%d1"));
    };
    LaneNumbers numbers{};
    for (std::size_t lane = 0; lane < numbers.size(); ++lane) numbers[lane] = lane * 4 + 12;
    for (const auto* tested : {"shared", "local", "const", "global"}) {
      const auto told = lanes_tell(body(tested), {numbers});
      ASSERT_EQ(told.size(), 5U);
      EXPECT_EQ(told[0][7], tested == std::string(space) ? 1U : 0U) << space << " " << tested;
      EXPECT_EQ(told[1], numbers);
      EXPECT_EQ(told[3], numbers);
    }
  }
  // Windows do not overlap with each other or with global memory.
  const auto windows = lanes_tell(
      "mov.u64 %d1, 64; cvta.shared.u64 %d2, %d1; cvta.local.u64 %d3, %d1; cvta.const.u64 %d4, %d1; cvta.global.u64 "
      "%d5, "
      "%d1; " +
          tell("%d2") + tell("%d3") + tell("%d4") + tell("%d5"),
      {});
  ASSERT_EQ(windows.size(), 8U);
  for (std::size_t i = 0; i < 8; i += 2) EXPECT_EQ(windows[i][0], 64U);
  for (std::size_t i = 1; i < 8; i += 2)
    for (std::size_t j = 1; j < i; j += 2) EXPECT_NE(windows[i][0], windows[j][0]);
}

TEST(LaneOperations, PartsAreJoinedAndSplit) {
  expect_operation({"mov.b64 d, {r, r}", [](Sources x) -> Bits { return {x[0] | x[1] << 32}; }});
  expect_operation(
      {"mov.b64 d, {h, h, h, h}", [](Sources x) -> Bits { return {x[0] | x[1] << 16 | x[2] << 32 | x[3] << 48}; }});
  expect_operation({"mov.b32 r, {h, h}", [](Sources x) -> Bits { return {x[0] | x[1] << 16}; }});
  expect_operation({"mov.b32 r, {7, h}", [](Sources x) -> Bits { return {7 | x[0] << 16}; }});
  expect_operation({"mov.b64 {r, r}, d", [](Sources x) -> Bits { return {x[0] & 0xffffffff, x[0] >> 32}; }});
  expect_operation({"mov.b64 {_, r}, d", [](Sources x) -> Bits { return {x[0] >> 32}; }});
  expect_operation({"mov.b32 {h, h}, r", [](Sources x) -> Bits { return {x[0] & 0xffff, x[0] >> 16}; }});
  expect_operation({"mov.b64 {h, h, h, h}, d", [](Sources x) -> Bits {
                      return {x[0] & 0xffff, x[0] >> 16 & 0xffff, x[0] >> 32 & 0xffff, x[0] >> 48};
                    }});
}

/// Sums of three words by the carry flag, for many numbers.
void expect_words(const std::string& body, const std::function<Bits(Sources)>& expected, std::size_t results) {
  std::seed_seq seed(body.begin(), body.end());
  std::mt19937_64 random(seed);
  std::vector<LaneNumbers> inputs(4);
  std::string text;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (auto& number : inputs[i]) number = drawn_whole(random, 64);
    text += input(i, static_cast<int>(i + 1)) +
            fmt::format("mov.b64 {{%r{0}, %r{1}}}, %d{2}; ", 2 * i + 1, 2 * i + 2, i + 1);
  }
  text += body;
  for (std::size_t i = 0; i < results; ++i) text += tell(fmt::format("%r{}", 10 + i));
  const auto told = lanes_tell(text, inputs);
  ASSERT_EQ(told.size(), results);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const std::uint64_t given[] = {inputs[0][lane], inputs[1][lane], inputs[2][lane], inputs[3][lane]};
    const auto wanted = expected(given);
    for (std::size_t i = 0; i < results; ++i) EXPECT_EQ(told[i][lane], wanted[i]) << body << i;
  }
}

Bits words(Unsigned number) {
  return {static_cast<uint32_t>(number), static_cast<uint32_t>(number >> 32), static_cast<uint32_t>(number >> 64)};
}

TEST(LaneOperations, CarriesAndBorrows) {
  for (int repeat = 0; repeat < 4; ++repeat) {
    const auto comment = fmt::format("/* {} */ ", repeat);  // another seed
    expect_words(
        comment + "add.cc.u32 %r10, %r1, %r3; addc.cc.u32 %r11, %r2, %r4; addc.u32 %r12, 0, 0; ",
        [](Sources x) { return words(Unsigned{x[0]} + x[1]); }, 3);
    expect_words(
        comment + "sub.cc.u32 %r10, %r1, %r3; subc.cc.u32 %r11, %r2, %r4; subc.u32 %r12, 0, 0; ",
        [](Sources x) { return words(Unsigned{x[0]} - x[1]); }, 3);
    // The product of two words, added to two words.
    expect_words(
        comment + "mad.lo.cc.u32 %r10, %r1, %r3, %r5; madc.hi.cc.u32 %r11, %r1, %r3, %r6; addc.u32 %r12, 0, 0; ",
        [](Sources x) { return words(Unsigned{x[0] & 0xffffffff} * (x[1] & 0xffffffff) + x[2]); }, 3);
    expect_words(
        comment + "add.cc.s32 %r10, %r1, %r3; addc.cc.s32 %r11, %r2, -1; addc.s32 %r12, %r5, %r7; ",
        [](Sources x) {
          const auto low = (x[0] & 0xffffffff) + (x[1] & 0xffffffff);
          const auto next = (x[0] >> 32) + 0xffffffff + (low >> 32);
          return Bits{low & 0xffffffff, next & 0xffffffff, (x[2] + x[3] + (next >> 32)) & 0xffffffff};
        },
        3);
    expect_words(
        comment +
            "add.cc.u64 %d10, %d1, %d2; addc.u64 %d11, %d3, %d4; mov.b64 {%r10, %r11}, %d10; mov.b64 {%r12, "
            "%r13}, %d11; ",
        [](Sources x) {
          const auto low = Unsigned{x[0]} + x[1];
          const auto high = x[2] + x[3] + static_cast<std::uint64_t>(low >> 64);
          return Bits{words(low)[0], words(low)[1], high & 0xffffffff, high >> 32};
        },
        4);
  }
}

TEST(LaneOperations, NarrowLoadsAreWidenedByTheirType) {
  const std::string table =
      ".const .align 1 .b8 bytes[] = {0, 1, 127, 128, 255, 200};\n.const .align 2 .b16 halves[] = {32767, 32768, "
      "65535};\n"
      ".const .align 4 .b32 words[] = {2147483647, 2147483648, 4294967295};\n";
  const auto loaded = [&](const std::string& type, const std::string& array, int offset, const std::string& reg) {
    const auto told =
        lanes_tell(fmt::format("ld.const.{} {}, [{}+{}]; ", type, reg, array, offset) + tell(reg), {}, table);
    return told[0][3] | (told.size() > 1 ? told[1][3] << 32 : 0);
  };
  EXPECT_EQ(loaded("u8", "bytes", 3, "%r1"), 128U);
  EXPECT_EQ(loaded("b8", "bytes", 4, "%r1"), 255U);
  EXPECT_EQ(loaded("s8", "bytes", 3, "%r1"), 0xffffff80U);
  EXPECT_EQ(loaded("s8", "bytes", 2, "%r1"), 127U);
  EXPECT_EQ(loaded("s8", "bytes", 4, "%h1"), 0xffffU);
  EXPECT_EQ(loaded("s8", "bytes", 5, "%d1"), 0xffffffffffffffc8U);
  EXPECT_EQ(loaded("u16", "halves", 2, "%r1"), 0x8000U);
  EXPECT_EQ(loaded("s16", "halves", 2, "%r1"), 0xffff8000U);
  EXPECT_EQ(loaded("s16", "halves", 0, "%d1"), 0x7fffU);
  EXPECT_EQ(loaded("u32", "words", 8, "%d1"), 0xffffffffU);
  EXPECT_EQ(loaded("s32", "words", 8, "%d1"), ~std::uint64_t{0});
  // Places without an initialiser are zero; generic addresses lead to the same places.
  EXPECT_EQ(loaded("u32", "words", 0, "%r1"), 0x7fffffffU);
  const auto generic =
      lanes_tell("mov.u64 %d1, bytes; cvta.const.u64 %d2, %d1; ld.s8 %r1, [%d2+4]; ld.u8 %r2, [%d2+4]; " + tell("%r1") +
                     tell("%r2"),
                 {}, table);
  EXPECT_EQ(generic[0][0], 0xffffffffU);
  EXPECT_EQ(generic[1][0], 255U);
}

}  // namespace
}  // namespace warpipe::test
