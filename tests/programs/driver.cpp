// A CUDA program as a compiler would make it, built by a compiler without CUDA: it registers PTX of this project as a
// fat binary, and calls the runtime. Its first argument names its work; it ends with status 0 where all outputs equal
// the host's.
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cuda_calls.hpp"
#include "fat_binary.hpp"

namespace {

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "driver: %s\n", what.c_str());
  std::exit(9);
}

void check(int error, const char* what) {
  if (error != 0) fail(std::string(what) + ": " + cudaGetErrorName(error));
}
#define CHECK(call) check(call, #call)

void expect(int found, int wanted, const std::string& what) {
  if (found != wanted) fail(what + ": " + cudaGetErrorName(found) + ", and not " + cudaGetErrorName(wanted));
}

// ---- registration ----

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("no " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::map<std::string, char> kernels;  // a kernel is known by the address of its letter

/// Registers the kernels of a file of PTX.
void** load(const std::string& file, const std::vector<std::string>& names, Packing packing = Packing::None) {
  static std::vector<std::string*> kept;
  kept.push_back(new std::string(fat_binary(text_of(file), packing)));
  auto* const wrapper = new Wrapper;
  wrapper->data = kept.back()->data();
  void** const handle = __cudaRegisterFatBinary(wrapper);
  for (const auto& name : names) {
    kernels[name] = 'k';
    auto* const text = strdup(name.c_str());
    __cudaRegisterFunction(handle, &kernels[name], text, text, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  }
  __cudaRegisterFatBinaryEnd(handle);
  return handle;
}

std::string shipped(const std::string& name) { return std::string(WARPIPE_PTX_FOLDER) + "/" + name + ".ptx"; }

template <class... Arguments>
int launched(const std::string& name, dim3 grid, dim3 block, std::size_t shared, void* stream, Arguments... arguments) {
  void* pointers[] = {static_cast<void*>(&arguments)...};
  // As <<<...>>> does it.
  __cudaPushCallConfiguration(grid, block, shared, stream);
  dim3 given_grid, given_block;
  std::size_t given_shared = 0;
  void* given_stream = nullptr;
  if (const int error = __cudaPopCallConfiguration(&given_grid, &given_block, &given_shared, &given_stream))
    return error;
  return cudaLaunchKernel(&kernels.at(name), given_grid, given_block, pointers, given_shared, given_stream);
}

template <class T>
T* on_device(const std::vector<T>& values) {
  void* pointer = nullptr;
  CHECK(cudaMalloc(&pointer, values.size() * sizeof(T)));
  CHECK(cudaMemcpy(pointer, values.data(), values.size() * sizeof(T), kToDevice));
  return static_cast<T*>(pointer);
}

template <class T>
std::vector<T> from_device(const T* pointer, std::size_t count) {
  std::vector<T> values(count);
  CHECK(cudaMemcpy(values.data(), pointer, count * sizeof(T), kToHost));
  return values;
}

std::vector<float> some_floats(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(count);
  for (auto& value : values) value = static_cast<float>(random() % 1000) / 64;
  return values;
}

bool executes() {
  static const bool yes = std::getenv("DRIVER_CHECKS") != nullptr;
  return yes;  // where kernels are only written down, no output is right
}

void compare(const std::vector<float>& found, const std::vector<float>& wanted, const char* what, float within) {
  if (!executes()) return;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (!(std::abs(found[i] - wanted[i]) <= within * std::max(1.0f, std::abs(wanted[i]))))
      fail(std::string(what) + ": element " + std::to_string(i) + " is " + std::to_string(found[i]) + ", and not " +
           std::to_string(wanted[i]));
}

// ---- programs ----

void saxpy(Packing packing) {
  load(shipped("saxpy"), {"saxpy"}, packing);
  constexpr int n = 100'000;
  auto x = some_floats(n, 1), y = some_floats(n, 2);
  auto *const dx = on_device(x), *const dy = on_device(y);
  for (int turn = 0; turn < 3; ++turn) CHECK(launched("saxpy", {(n + 255) / 256}, {256}, 0, nullptr, n, 2.0f, dx, dy));
  CHECK(cudaDeviceSynchronize());
  for (int turn = 0; turn < 3; ++turn)
    for (int i = 0; i < n; ++i) y[i] = std::fma(2.0f, x[i], y[i]);
  compare(from_device(dy, n), y, "saxpy", 1e-6f);
  CHECK(cudaFree(dx));
  CHECK(cudaFree(dy));
}

void histogram() {
  load(shipped("histogram"), {"histogram"});
  constexpr int n = 50'000;
  std::mt19937 random(3);
  std::vector<unsigned> data(n), bins(256, 0), wanted(256, 0);
  for (auto& value : data) ++wanted[(value = random()) & 255U];
  auto *const d = on_device(data), *const b = on_device(bins);
  CHECK(cudaMemset(b, 0, 256 * sizeof(unsigned)));
  CHECK(launched("histogram", {40}, {256}, 0, nullptr, n, d, b));
  if (from_device(b, 256) != wanted && executes()) fail("histogram");
}

/// A sum in several launches.
void reduction() {
  load(shipped("reduction"), {"reduce_interleaved", "reduce_sequential", "reduce_shuffle"});
  for (const char* const kernel : {"reduce_interleaved", "reduce_sequential", "reduce_shuffle"}) {
    std::vector<float> in(1 << 16);
    std::mt19937 random(4);
    double wanted = 0;
    for (auto& value : in) wanted += value = static_cast<float>(random() % 16);
    auto* from = on_device(in);
    for (std::size_t left = in.size(); left > 1; left /= 256) {
      auto* const to = on_device(std::vector<float>(left / 256));
      CHECK(launched(kernel, {static_cast<unsigned>(left / 256)}, {256}, 1024, nullptr, from, to));
      from = to;
    }
    compare(from_device(from, 1), {static_cast<float>(wanted)}, kernel, 0);
  }
}

void scan() {
  load(shipped("scan"), {"scan_inclusive"});
  constexpr std::size_t n = 4096;
  auto in = some_floats(n, 5);
  for (auto& value : in) value = std::floor(value);
  auto *const from = on_device(in), *const to = on_device(in);
  CHECK(launched("scan_inclusive", {n / 256}, {256}, 1024, nullptr, from, to));
  auto wanted = in;
  for (std::size_t i = 0; i < n; ++i)
    if (i % 256 != 0) wanted[i] += wanted[i - 1];
  compare(from_device(to, n), wanted, "scan", 0);
}

/// Sorted in 120 launches.
void sort() {
  load(shipped("bitonic"), {"bitonic_step"});
  constexpr unsigned n = 1 << 15;
  auto keys = some_floats(n, 6);
  auto* const d = on_device(keys);
  for (unsigned k = 2; k <= n; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2) CHECK(launched("bitonic_step", {n / 256}, {256}, 0, nullptr, d, j, k));
  std::sort(keys.begin(), keys.end());
  compare(from_device(d, n), keys, "sort", 0);
}

/// A stencil in time steps, by a graph captured from a stream once.
void stencil() {
  load(shipped("stencil"), {"stencil_2d"});
  constexpr int width = 100, height = 60, steps = 6;
  auto values = some_floats(width * height, 7);
  auto *const a = on_device(values), *const b = on_device(values);
  void *stream = nullptr, *graph = nullptr, *made = nullptr;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, 0));
  const dim3 grid{(width + 31) / 32, (height + 7) / 8}, block{32, 8};
  CHECK(launched("stencil_2d", grid, block, 0, stream, width, height, a, b));
  CHECK(launched("stencil_2d", grid, block, 0, stream, width, height, b, a));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&made, graph, 0));
  for (int step = 0; step < steps; ++step) CHECK(cudaGraphLaunch(made, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaGraphExecDestroy(made));
  CHECK(cudaGraphDestroy(graph));
  // The same on the device without a graph.
  auto *const c = on_device(values), *const d = on_device(values);
  for (int step = 0; step < steps; ++step) {
    CHECK(launched("stencil_2d", grid, block, 0, nullptr, width, height, c, d));
    CHECK(launched("stencil_2d", grid, block, 0, nullptr, width, height, d, c));
  }
  compare(from_device(a, width * height), from_device(c, width * height), "stencil", 0);
  CHECK(cudaStreamDestroy(stream));
}

void product() {
  load(shipped("mmul"), {"mmul16", "mmul_naive"});
  constexpr int n = 64;
  const auto a = some_floats(n * n, 8), b = some_floats(n * n, 9);
  auto *const da = on_device(a), *const db = on_device(b), *const dc = on_device(a);
  std::vector<float> wanted(n * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += double{a[i * n + k]} * b[k * n + j];
      wanted[i * n + j] = static_cast<float>(sum);
    }
  for (const char* const kernel : {"mmul16", "mmul_naive"}) {
    CHECK(cudaMemset(dc, 0, n * n * sizeof(float)));
    CHECK(launched(kernel, {n / 16, n / 16}, {16, 16}, 0, nullptr, n, da, db, dc));
    compare(from_device(dc, n * n), wanted, kernel, 1e-4f);
  }
}

/// A kernel whose loops depend on data: PTX of its own.
constexpr const char* kCollatz = R"(.version 7.0
.target sm_80
.address_size 64
.global .align 4 .u32 most[2] = {7, 0};
.visible .entry collatz(.param .u32 n, .param .u64 from, .param .u64 to)
{
  .reg .pred %p<4>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<8>;
  ld.param.u32 %r1, [n];
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 bra DONE;
  cvta.to.global.u64 %rd1, %rd1;
  cvta.to.global.u64 %rd2, %rd2;
  mul.wide.u32 %rd3, %r5, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  ld.global.u32 %r6, [%rd4];
  mov.u32 %r7, 0;
LOOP:
  setp.le.u32 %p2, %r6, 1;
  @%p2 bra STORE;
  and.b32 %r8, %r6, 1;
  setp.eq.u32 %p3, %r8, 0;
  shr.u32 %r9, %r6, 1;
  mad.lo.u32 %r10, %r6, 3, 1;
  selp.b32 %r6, %r9, %r10, %p3;
  add.u32 %r7, %r7, 1;
  bra LOOP;
STORE:
  st.global.u32 [%rd5], %r7;
  atom.global.max.u32 %r11, [most], %r7;
DONE:
  ret;
}
)";

std::string own_ptx(const char* text) {
  char path[] = "/tmp/warpipe_driverXXXXXX";
  const int file = mkstemp(path);
  if (file < 0 || write(file, text, std::strlen(text)) < 0) fail("no temporary file");
  close(file);
  return path;
}

void collatz() {
  const auto path = own_ptx(kCollatz);
  static char most = 0, name[] = "most";
  void** const handle = load(path, {"collatz"});
  __cudaRegisterVar(handle, &most, name, name, 0, 2 * sizeof(unsigned), 0, 0);
  std::remove(path.c_str());
  unsigned before[2] = {1, 1}, after[2] = {0, 0};
  CHECK(cudaMemcpyFromSymbol(before, &most, sizeof before, 0, kToHost));
  if (executes() && (before[0] != 7 || before[1] != 0)) fail("the variable does not begin as its module says");
  constexpr unsigned n = 5000;
  std::vector<unsigned> in(n), wanted(n);
  std::mt19937 random(10);
  unsigned longest = 7;
  for (unsigned i = 0; i < n; ++i) {
    for (unsigned x = in[i] = 1 + random() % 100000; x > 1; ++wanted[i]) x = x % 2 ? 3 * x + 1 : x / 2;
    longest = std::max(longest, wanted[i]);
  }
  auto *const from = on_device(in), *const to = on_device(std::vector<unsigned>(n));
  CHECK(launched("collatz", {(n + 127) / 128}, {128}, 0, nullptr, n, from, to));
  if (from_device(to, n) != wanted && executes()) fail("collatz");
  CHECK(cudaMemcpyFromSymbol(after, &most, sizeof after, 0, kToHost));
  if (executes() && after[0] != longest) fail("the variable is " + std::to_string(after[0]));
  std::vector<unsigned> ones(n, 1);  // the same launch with other data takes another time
  CHECK(cudaMemcpy(from, ones.data(), n * sizeof(unsigned), kToDevice));
  CHECK(launched("collatz", {(n + 127) / 128}, {128}, 0, nullptr, n, from, to));
  CHECK(launched("collatz", {(n + 127) / 128}, {128}, 0, nullptr, n, from, to));
}

/// Launches whose data differ: of 3, 20, 21 and 128 each takes seven steps to 1, 27 takes 111.
void steady() {
  const auto path = own_ptx(kCollatz);
  load(path, {"collatz"});
  std::remove(path.c_str());
  constexpr unsigned n = 5000;
  auto *const from = on_device(std::vector<unsigned>(n)), *const to = on_device(std::vector<unsigned>(n));
  for (const unsigned number : {3, 20, 21, 128, 20, 21, 1, 27}) {
    const std::vector<unsigned> in(n, number);
    CHECK(cudaMemcpy(from, in.data(), n * sizeof(unsigned), kToDevice));
    CHECK(launched("collatz", {(n + 127) / 128}, {128}, 0, nullptr, n, from, to));
  }
}

void streams() {
  load(shipped("saxpy"), {"saxpy"});
  constexpr int n = 1 << 16;
  const auto x = some_floats(n, 1);
  void *one = nullptr, *two = nullptr, *begin = nullptr, *end = nullptr;
  CHECK(cudaStreamCreate(&one));
  CHECK(cudaStreamCreate(&two));
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  auto *const dx = on_device(x), *const dy = on_device(x), *const dz = on_device(x);
  CHECK(cudaEventRecord(begin, one));
  CHECK(launched("saxpy", {n / 256}, {256}, 0, one, n, 1.0f, dx, dy));
  CHECK(cudaEventRecord(end, one));
  CHECK(cudaStreamWaitEvent(two, end, 0));
  CHECK(launched("saxpy", {n / 256}, {256}, 0, two, n, 1.0f, dy, dz));
  CHECK(cudaEventSynchronize(end));
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  if (!(milliseconds >= 0) || milliseconds > 1e4f) fail("an event's time");
  std::printf("saxpy took %.1f us\n", static_cast<double>(milliseconds) * 1e3);
}

/// Several threads of the host.
void threads() {
  load(shipped("saxpy"), {"saxpy"});
  constexpr int n = 1 << 12;
  const auto x = some_floats(n, 1);
  std::vector<std::thread> all;
  for (int thread = 0; thread < 8; ++thread)
    all.emplace_back([&] {
      for (int turn = 0; turn < 20; ++turn) {
        auto *const dx = on_device(x), *const dy = on_device(x);
        CHECK(launched("saxpy", {n / 256}, {256}, 0, nullptr, n, 1.0f, dx, dy));
        auto wanted = x;
        for (auto& value : wanted) value += value;
        compare(from_device(dy, n), wanted, "threads", 0);
        CHECK(cudaFree(dx));
        CHECK(cudaFree(dy));
        if (cudaFree(reinterpret_cast<void*>(8)) != 1 || cudaGetLastError() != 1 || cudaGetLastError() != 0)
          fail("an error of another thread");
      }
    });
  for (auto& one : all) one.join();
}

/// No launch, but the program reads back the data it wrote to the device.
void copies() {
  const auto values = some_floats(1 << 12, 11);
  if (from_device(on_device(values), values.size()) != values) fail("copies");
}

/// More than a trace shows.
void many() {
  void* data = nullptr;
  CHECK(cudaMalloc(&data, 4));
  for (int i = 0; i < 100'010; ++i) CHECK(cudaMemset(data, 0, 4));
}

void launch_once() {
  load(shipped("saxpy"), {"saxpy"});
  constexpr int n = 1 << 10;
  const auto x = some_floats(n, 1);
  auto *const dx = on_device(x), *const dy = on_device(x);
  CHECK(launched("saxpy", {n / 256}, {256}, 0, nullptr, n, 1.0f, dx, dy));
}

/// A kernel that reads behind its arrays: the error is told when the program waits, and stays.
void bounds() {
  load(shipped("saxpy"), {"saxpy"});
  const auto x = some_floats(1 << 10, 1);
  auto *const dx = on_device(x), *const dy = on_device(x);
  // Behind 4 KiB there is room up to 2 MiB, as on a device; behind these nothing.
  CHECK(launched("saxpy", {64}, {256}, 0, nullptr, 64 * 256, 1.0f, dx, dy));
  expect(cudaDeviceSynchronize(), 0, "an access to the page of an array");
  CHECK(launched("saxpy", {4096}, {256}, 0, nullptr, 4096 * 256, 1.0f, dx, dy));
  if (!executes()) return;
  for (int turn = 0; turn < 2; ++turn) expect(cudaDeviceSynchronize(), 700, "an access behind an array");
  expect(cudaGetLastError(), 700, "an access behind an array");
  expect(cudaFree(dx), 700, "a call behind it");
  CHECK(cudaDeviceReset());
  expect(cudaDeviceSynchronize(), 0, "behind a reset");
}

/// Many launches between two looks at a clock: prints how many milliseconds an event, std::chrono, gettimeofday and a
/// sleep of 20 tell.
void clocks() {
  load(shipped("saxpy"), {"saxpy"});
  constexpr int n = 1 << 18, kLaunches = 300;
  const auto x = some_floats(n, 1);
  auto *const dx = on_device(x), *const dy = on_device(x);
  void *from = nullptr, *to = nullptr;
  CHECK(cudaEventCreate(&from));
  CHECK(cudaEventCreate(&to));
  timeval before{}, behind{};
  CHECK(cudaDeviceSynchronize());
  gettimeofday(&before, nullptr);
  const auto begin = std::chrono::steady_clock::now();
  CHECK(cudaEventRecord(from, nullptr));
  for (int i = 0; i < kLaunches; ++i) CHECK(launched("saxpy", {n / 256}, {256}, 0, nullptr, n, 1.0f, dx, dy));
  CHECK(cudaEventRecord(to, nullptr));
  CHECK(cudaDeviceSynchronize());
  const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begin;
  gettimeofday(&behind, nullptr);
  float event = 0;
  CHECK(cudaEventElapsedTime(&event, from, to));
  const double of_day = static_cast<double>(behind.tv_sec - before.tv_sec) * 1e3 +
                        static_cast<double>(behind.tv_usec - before.tv_usec) / 1e3;
  const auto awake = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const std::chrono::duration<double, std::milli> slept = std::chrono::steady_clock::now() - awake;
  std::printf("clocks %g %g %g %g\n", event, passed.count(), of_day, slept.count());
}

struct ChannelFormat {
  int bits[4], kind;
};
struct Resource {
  int type = 0, padding = 0;
  union {
    void* array;
    struct {
      void* begin;
      ChannelFormat format;
      std::size_t bytes_or_width, height, pitch;
    } memory;
  };
  Resource() : memory{} {}
};
static_assert(sizeof(Resource) == 64);
struct TextureFormat {
  int outside[3] = {1, 1, 1}, is_linear = 0, reads_fractions = 0, is_srgb = 0;
  float border[4] = {};
  int is_normalised = 0, of_mipmaps[7] = {};
};

std::uint64_t texture_of(const Resource& resource, const TextureFormat& format) {
  std::uint64_t object = 0;
  CHECK(cudaCreateTextureObject(&object, &resource, &format, nullptr));
  return object;
}

/// An array with linear filtering, linear memory, a surface, and a volume.
void textures() {
  load(WARPIPE_PROGRAMS_FOLDER "/textures.ptx", {"between", "turned", "of_volume"});
  constexpr int width = 40, rows = 6, planes = 3;
  const auto image = some_floats(width * rows, 3);
  const ChannelFormat floats{{32, 0, 0, 0}, 2}, bytes{{8, 8, 8, 8}, 1};
  Resource of_array;
  CHECK(cudaMallocArray(&of_array.array, &floats, width, rows, 2));
  CHECK(cudaMemcpy2DToArray(of_array.array, 0, 0, image.data(), width * 4, width * 4, rows, kToDevice));
  TextureFormat linear;
  linear.is_linear = 1;
  auto* const out = on_device(std::vector<float>(width * rows));
  const auto object = texture_of(of_array, linear);
  CHECK(launched("between", {2, rows}, {32}, 0, nullptr, object, width, out));
  CHECK(cudaDestroyTextureObject(object));
  auto expected = image;
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x + 1 < width; ++x) {
      auto& one = expected[static_cast<std::size_t>(y * width + x)];
      one = one / 2 + image[static_cast<std::size_t>(y * width + x + 1)] / 2;
    }
  if (executes() && from_device(out, image.size()) != expected) fail("a texture between its texels");

  Resource line;
  line.type = 2;
  line.memory = {on_device(image), floats, image.size() * 4, 0, 0};
  std::uint64_t surface = 0;
  CHECK(cudaCreateSurfaceObject(&surface, &of_array));
  CHECK(launched("turned", {2, rows}, {32}, 0, nullptr, texture_of(line, {}), surface, width, rows));
  std::vector<float> turned(image.size());
  CHECK(cudaMemcpy2DFromArray(turned.data(), width * 4, of_array.array, 0, 0, width * 4, rows, kToHost));
  for (int i = 0; i < width * rows; ++i)
    if (executes() && turned[static_cast<std::size_t>(i)] !=
                          image[static_cast<std::size_t>((rows - 1 - i / width) * width + i % width)])
      fail("a surface");

  std::vector<std::uint8_t> volume(width * rows * planes * 4);
  for (std::size_t i = 0; i < volume.size(); ++i) volume[i] = static_cast<std::uint8_t>(i * i % 61);
  Resource solid;
  CHECK(cudaMalloc3DArray(&solid.array, &bytes, {width, rows, planes}, 0));
  Copy3D copy{};
  copy.from = {volume.data(), width * 4, width, rows};
  copy.to_array = solid.array;
  copy.extent = {width, rows, planes};
  copy.kind = kToDevice;
  CHECK(cudaMemcpy3D(&copy));
  TextureFormat normalised;
  normalised.is_normalised = 1;
  auto* const sums = on_device(std::vector<std::uint8_t>(width * rows * planes));
  CHECK(launched("of_volume", {rows, planes}, {width}, 0, nullptr, texture_of(solid, normalised), width, rows, planes,
                 sums));
  const auto found = from_device(sums, width * rows * planes);
  for (std::size_t i = 0; i < found.size(); ++i)
    if (executes() && found[i] != static_cast<std::uint8_t>(volume[4 * i] + volume[4 * i + 1] + volume[4 * i + 2] +
                                                            volume[4 * i + 3]))
      fail("a volume");

  expect(cudaFreeArray(out), 1, "freeing what is no array");
  CHECK(cudaFreeArray(of_array.array));
  expect(cudaFreeArray(of_array.array), 1, "freeing an array twice");
  expect(cudaDestroyTextureObject(object), 1, "a texture that is gone");
  expect(cudaDestroyTextureObject(surface), 1, "a surface as a texture");
  const ChannelFormat three{{32, 32, 32, 0}, 2};
  expect(cudaMallocArray(&of_array.array, &three, width, rows, 0), 20, "three channels");
  expect(cudaCreateTextureObject(&surface, &of_array, &linear, nullptr), 1, "a texture of an array that is gone");
}

template <class... Arguments>
int called(const char* name, unsigned version, Arguments... arguments) {
  void* function = nullptr;
  int status = 7;
  CHECK(cudaGetDriverEntryPointByVersion(name, &function, version, 0, &status));
  if (function == nullptr || status != 0) fail(std::string("no entry point ") + name);
  return reinterpret_cast<int (*)(Arguments...)>(function)(arguments...);
}

/// The driver's functions in a program of the runtime: both share context, memory and kernels, and have errors of their
/// own.
void entry_points() {
  void *context = nullptr, *from_driver = nullptr, *function = nullptr;
  int status = 7;
  expect(called("cuCtxGetCurrent", 12000, &context), 0, "the driver that the runtime has started");
  if (context == nullptr) fail("the runtime has no context");
  expect(called("cuMemAlloc", 12000, &from_driver, std::size_t{0}), 1, "no bytes");
  expect(cudaGetLastError(), 0, "an error of the driver is none of the runtime");
  constexpr int n = 1000;
  load(shipped("saxpy"), {"saxpy"});
  auto x = some_floats(n, 1), y = some_floats(n, 2);
  expect(called("cuMemAlloc", 12000, &from_driver, n * sizeof(float)), 0, "memory");
  auto* const dx = static_cast<float*>(from_driver);
  auto* const dy = on_device(y);
  CHECK(cudaMemcpy(dx, x.data(), n * sizeof(float), kToDevice));
  CHECK(launched("saxpy", {4}, {256}, 0, nullptr, n, 2.0f, dx, dy));
  for (int i = 0; i < n; ++i) y[i] = std::fma(2.0f, x[i], y[i]);
  compare(from_device(dy, n), y, "saxpy", 1e-6f);
  CHECK(cudaFree(from_driver));
  // Before version 11.4 a context is made without parameters, from 12.5 on with a further pointer.
  expect(called("cuCtxCreate", 11000, &context, 0U, 0), 0, "a context");
  expect(called("cuCtxCreate", 11040, &context, static_cast<void*>(nullptr), 0, 0U, 0), 0, "a context");
  expect(called("cuCtxCreate", 12050, &context, static_cast<void*>(nullptr), 0U, 0), 0, "a context");
  expect(called("cuCtxCreate", 12050, &context, static_cast<void*>(nullptr), 0U, 1), 101, "a device that is not there");
  CHECK(cudaGetDriverEntryPointByVersion("cuNothing", &function, 13000, 0, &status));
  if (function != nullptr || status != 1) fail("a function that is none");
  expect(cudaGetDriverEntryPointByVersion(nullptr, &function, 13000, 0, &status), 1, "no name");
  expect(cudaGetLastError(), 1, "no name");
}

#include "hostile.inc"

int run(const std::string& what) {
  if (what == "saxpy")
    saxpy(Packing::None);
  else if (what == "lz4")
    saxpy(Packing::Lz4);
  else if (what == "zstd")
    saxpy(Packing::Zstandard);
  else if (what == "histogram")
    histogram();
  else if (what == "reduction")
    reduction();
  else if (what == "scan")
    scan();
  else if (what == "sort")
    sort();
  else if (what == "stencil")
    stencil();
  else if (what == "product")
    product();
  else if (what == "collatz")
    collatz();
  else if (what == "steady")
    steady();
  else if (what == "streams")
    streams();
  else if (what == "threads")
    threads();
  else if (what == "copies")
    copies();
  else if (what == "many")
    many();
  else if (what == "clocks")
    clocks();
  else if (what == "textures")
    textures();
  else if (what == "entry_points")
    entry_points();
  else if (what == "bounds")
    bounds();
  else if (what == "hostile")
    hostile();
  else if (what == "crash") {
    launch_once();
    std::raise(SIGSEGV);
  } else if (what == "killed") {
    launch_once();
    std::raise(SIGKILL);
  } else if (what == "status") {
    launch_once();
    std::exit(5);
  } else if (what == "nothing")
    return 0;
  else if (what == "closes") {
    for (int i = 3; i < 1024; ++i) close(i);
    launch_once();
    for (int i = 3; i < 1024; ++i) close(i);
    saxpy(Packing::None);
  } else if (what == "forks") {
    launch_once();
    const auto child = fork();
    if (child == 0) {
      launch_once();
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    launch_once();
    return status;
  } else if (what == "missing") {
    launch_once();
    cudaMallocMipmappedArray(nullptr, nullptr, {}, 0, 0);
  } else
    fail("no such program: " + what);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int status = run(argc > 1 ? argv[1] : "nothing");
  if (status == 0) std::puts("done");
  return status;
}
