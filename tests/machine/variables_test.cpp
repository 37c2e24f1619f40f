// Initial values of variables: numbers, and addresses of other variables.
#include <gmock/gmock.h>

#include <cstring>

#include "warpipe/machine/memory.hpp"
#include "warpipe/ptx/executable.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::test {
namespace {

/// Variables as nvcc prints `const char* names[] = {"a", "b"}`, structures with pointers, packed ones, and pointers to
/// variables behind them.
constexpr const char* kModule = R"(.version 8.0
.target sm_80
.address_size 64
.global .align 8 .u64 to_later = generic(later);
.global .align 4 .b8 numbers[16] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4};
.const .align 8 .u64 table[4] = {generic(numbers)+8, 425201762309, numbers-4, unknown};
.global .align 1 .u8 packed[5] = {122, 0xFF(generic(numbers)+12), 0xFF00(generic(numbers)+12),
  0xFF0000(generic(numbers)+12), 0XFF000000(generic(numbers)+12)};
.global .align 8 .u64 later = generic(to_later);
.visible .entry k() { ret; }
)";

class InitialValues : public testing::Test {
 protected:
  InitialValues() { variables.add(ptx::variables(ptx::read_ptx(kModule, "k.ptx"))); }

  std::uint64_t place(const std::string& name) const { return variables.find(name).value().begin; }
  template <class T>
  T at(const std::string& name, std::size_t byte = 0) const {
    T value;
    std::memcpy(&value, reinterpret_cast<const std::byte*>(place(name)) + byte, sizeof value);
    return value;
  }

  machine::Memory memory;
  machine::Variables variables{memory};
};

TEST_F(InitialValues, AreAddressesOfVariablesBeforeAndBehind) {
  EXPECT_EQ(at<std::uint64_t>("later"), place("to_later"));
  EXPECT_EQ(at<std::uint64_t>("to_later"), place("later"));
}

TEST_F(InitialValues, AreNumbersAndAddressesInOneTable) {
  EXPECT_EQ(at<std::uint64_t>("table"), place("numbers") + 8);
  EXPECT_EQ(at<std::uint64_t>("table", 8), 425201762309);
  EXPECT_EQ(at<std::uint64_t>("table", 16), place("numbers") - 4);
  EXPECT_EQ(at<std::uint64_t>("table", 24), 0) << "no such variable";
}

TEST_F(InitialValues, AreBytesOfAddressesInPackedStructures) {
  EXPECT_EQ(at<char>("packed"), 'z');
  EXPECT_EQ(at<std::uint32_t>("packed", 1), static_cast<std::uint32_t>(place("numbers") + 12));
}

}  // namespace
}  // namespace warpipe::test
