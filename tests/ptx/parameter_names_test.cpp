#include <gmock/gmock.h>

#include "small_ptx.hpp"
#include "warpipe/ptx/launch.hpp"

namespace warpipe::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> names(const std::string& source, const std::string& symbol,
                               std::optional<std::size_t> count = std::nullopt, std::uint32_t line = 0) {
  std::vector<std::string> names;
  for (const auto& parameter : ptx::parameters_in_source(source, {symbol, count, line}))
    names.push_back(parameter.name);
  return names;
}

TEST(ParameterNames, ComeFromTheSource) {
  const auto source =
      "template <int n> __device__ void f(int a);\nextern \"C\" __global__ void axpy(int n, const float* __restrict__ "
      "x,\n float y[4]) {}";
  EXPECT_THAT(names(source, "axpy"), ElementsAre("n", "x", "y"));
  EXPECT_THAT(names(source, "_Z4axpyiPKfPf"), ElementsAre("n", "x", "y"));
  EXPECT_THAT(names(source, "f"), IsEmpty());
}

TEST(ParameterNames, AreThoseOfTheParametersNotOfTheirTypes) {
  const char* source =
      "template <class T> __global__ void __launch_bounds__(256, 2) add(PackedAccessor<float, 2, Traits<int>> a,\n"
      "    const float (&b)[2], int (*f)(int, int), int n = max(1, 2)) { }";
  EXPECT_THAT(names(source, "_Z3addIfEvi"), ElementsAre("a", "b", "f", "n"));
  EXPECT_THAT(names("__global__ void add() {}", "add"), IsEmpty());
}

TEST(ParameterNames, DeclarationsAreKeptInOneLine) {
  const auto found =
      ptx::parameters_in_source("__global__ void k(const float*\n   __restrict__ x, int) {}", {"k", 2, 0});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].declaration, "const float* __restrict__ x");
  EXPECT_EQ(found[1].name, "") << "int is a type";
  EXPECT_EQ(found[1].declaration, "int");
}

/// The text around the name of a kernel k(int n, float* x).
class AroundAName : public testing::TestWithParam<const char*> {};

TEST_P(AroundAName, TheParametersAreFound) {
  EXPECT_THAT(names(GetParam(), "k", 2, 0), ElementsAre("n", "x"));
  EXPECT_THAT(names(GetParam(), "_Z1kiPf", 2, 0), ElementsAre("n", "x"));
}

INSTANTIATE_TEST_SUITE_P(
    , AroundAName,
    testing::Values(
        "__global__ void __launch_bounds__(256) k(int n, float* x) {}",
        "__global__ __launch_bounds__(kThreads, 2) void k(int n, float* x) {}",
        "__launch_bounds__(256) __global__ void k(int n, float* x) {}",
        "__global__ void k(int n, float* x) __attribute__((used)) {}",
        "[[gnu::used]] static __global__ __attribute__((noinline)) void k(int n, float* x) {}",
        "__global__ void __cluster_dims__(2, 1, 1) __maxnreg__(64) k(int n, float* x) {}",
        "#define BOUNDS(n) __launch_bounds__(n)\nEXPORT __global__ void BOUNDS(64) k(int n, float* x) {}",
        "#define MAKE(name, ...) __global__ void name(int n, float* x) {}\nMAKE(k, more, than, that)",
        "#define MAKE(parameters, name) __global__ void name parameters {}\nMAKE((int n, float* x), k)",
        "#define KERNEL __global__ void\nKERNEL k(int n, float* x) {}", "__global__ void NAME(k)(int n, float* x) {}",
        "#define MAKE(name, T) __global__ void name(int n, T* x) \\\n  { x[n] = 0; }\nMAKE(k, float)",
        "#define MAKE(name, T) \\\n __global__ void name##_(int n, T* x) {} \\\n __global__ void name(int n, T *x) {}\n"
        "MAKE(k, float) MAKE(q, int)",
        "template <typename T, int N = (2 > 1)>\n__global__ void k(int n, T* x) {}\n"
        "template __global__ void k<float, 4>(int, float*);",
        "template <> __global__ void k<float>(int n, float* x) {}",
        "void k(int m, float* host) { k<<<1, 2>>>(m, host); }\n__global__ void k(int n, float* x) {}",
        "// __global__ void k(int a, float* b) {}\n/* __global__ void k(int a, float* b) {} */\n"
        "const char* s = \"__global__ void k(int a, float* b) {}\";\n__global__ void k(int n, float* x) {}",
        "#if 0\n#endif\nnamespace a { __global__ void k(int n, float* x); }\n"
        "__global__ void a::k(int n, float* x) {}",
        "__global__ void k(float* only) {}\n__global__ void k(int n, float* x) {}"));

TEST(ParameterNames, OfAnotherMacrosKernelAreNotTaken) {
  EXPECT_THAT(names("#define MAKE(f) __global__ void f##_k(int n, float* x) {}\nMAKE(add)", "add_k", 2, 0),
              ElementsAre("n", "x"));
  EXPECT_THAT(names("#define MAKE(f) __global__ void f##_k(int n, float* x) {}\nMAKE(add)", "sub_k", 2, 0), IsEmpty());
}

TEST(ParameterNames, OfOverloadsAreThoseAtTheLine) {
  const char* source =
      "namespace a {\n__global__ void k(int n, float* x) {\n}\n}\nnamespace b {\n__global__ void k(int m, float* y) "
      "{\n}\n}";
  EXPECT_THAT(names(source, "_ZN1a1kEiPf", 2, 2), ElementsAre("n", "x"));
  EXPECT_THAT(names(source, "_ZN1b1kEiPf", 2, 7), ElementsAre("m", "y"));
  EXPECT_THAT(names(source, "_ZN1b1kEiPf", 2, 0), IsEmpty()) << "not guessed";
}

TEST(ParameterNames, ACallIsNoDeclaration) {
  EXPECT_THAT(names("void f() { k(n, x); if (k(n, x)) { } }", "k", 2, 0), IsEmpty());
}

TEST(ParameterNames, NonsenseHasNone) {
  std::string open;
  for (int i = 0; i < 20'000; ++i) open += "k(int a, ";
  std::string bodies;
  for (int i = 0; i < 5'000; ++i) bodies += "__global__ void k(int a) {\n";
  std::string words;
  for (int i = 0; i < 20'000; ++i) words += "k(int n) ";
  const std::string macro = "#define k(k) __global__ void k(int k)\n";
  for (const auto& text : {open, words, macro + open, std::string("/*"), std::string("\"\\"), std::string("#\\"),
                           std::string("#define"), std::string("__global__ void k(")})
    EXPECT_THAT(names(text, "k", 2, 0), IsEmpty());
  EXPECT_THAT(names(bodies, "k", 1, 0), ElementsAre("a"));
}

}  // namespace
}  // namespace warpipe::test
