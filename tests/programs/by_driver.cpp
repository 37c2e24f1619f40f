// A program that asks CUDA's driver: linked with it, or with WARPIPE_LOADS_DRIVER by a handle of the loader and the
// driver's own table of names. Its first argument names its work; it ends with status 0 where all outputs equal the
// host's.
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fat_binary.hpp"

#ifndef WARPIPE_LOADS_DRIVER
#define CALL(name, suffix, parameters) extern "C" int cu##name##suffix parameters;
#include "driver_calls.inc"
#undef CALL
#endif

namespace {

struct Driver {
#define CALL(name, suffix, parameters) int(*name) parameters = nullptr;
#include "driver_calls.inc"
#undef CALL
};
Driver cu;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "by_driver: %s\n", what.c_str());
  std::exit(9);
}

void expect(int found, int wanted, const std::string& what) {
  if (found != wanted) fail(what + ": " + std::to_string(found) + ", and not " + std::to_string(wanted));
}
#define CHECK(call) expect(call, 0, #call)

void find_driver() {
#ifdef WARPIPE_LOADS_DRIVER
  void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  if (library == nullptr) fail(dlerror());
  using Find = int (*)(const char*, void**, int, std::uint64_t, int*);
  const auto find = reinterpret_cast<Find>(dlsym(library, "cuGetProcAddress_v2"));
  if (find == nullptr) fail(dlerror());
  const auto found = [&](const char* name) {
    void* function = nullptr;
    int status = 7;
    expect(find(name, &function, 13000, 0, &status), 0, name);
    if (function == nullptr || status != 0) fail(std::string("no entry point ") + name);
    return function;
  };
#define CALL(name, suffix, parameters) cu.name = reinterpret_cast<int(*) parameters>(found("cu" #name));
#else
#define CALL(name, suffix, parameters) cu.name = cu##name##suffix;
#endif
#include "driver_calls.inc"
#undef CALL
}

bool executes() {
  static const bool yes = std::getenv("DRIVER_CHECKS") != nullptr;
  return yes;  // where kernels are only written down, no output is right
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("no " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string shipped(const char* kind) { return std::string(WARPIPE_CUDA_FOLDER) + "/" + kind; }
std::string saxpy_ptx() { return text_of(shipped("ptx/sm_80/saxpy.ptx")); }

void start() {
  void* context = nullptr;
  CHECK(cu.Init(0));
  CHECK(cu.CtxCreate(&context, nullptr, 0, 0));
}

void* function_of(void* module, const char* name) {
  void* function = nullptr;
  CHECK(cu.ModuleGetFunction(&function, module, name));
  return function;
}

template <class T>
T* on_device(const std::vector<T>& values) {
  void* pointer = nullptr;
  CHECK(cu.MemAlloc(&pointer, values.size() * sizeof(T)));
  CHECK(cu.MemcpyHtoD(pointer, values.data(), values.size() * sizeof(T)));
  return static_cast<T*>(pointer);
}

template <class T>
std::vector<T> from_device(const T* pointer, std::size_t count) {
  std::vector<T> values(count);
  CHECK(cu.MemcpyDtoH(values.data(), pointer, count * sizeof(T)));
  return values;
}

/// y = 2 x + y, launched in either of two ways.
struct Saxpy {
  static constexpr int kCount = 10'000;
  static constexpr unsigned kBlock = 256, kGrid = (kCount + kBlock - 1) / kBlock;
  struct {
    int n = kCount;
    float a = 2;
    float *x = nullptr, *y = nullptr;
  } arguments;
  std::vector<float> xs, ys;

  Saxpy() : xs(kCount), ys(kCount) {
    for (std::size_t i = 0; i < xs.size(); ++i) {
      xs[i] = static_cast<float>(i % 97) / 4;
      ys[i] = static_cast<float>(i % 89) / 8;
    }
    arguments.x = on_device(xs);
    arguments.y = on_device(ys);
  }
  void expect_once_more() {
    for (std::size_t i = 0; i < xs.size(); ++i) ys[i] = std::fma(2.0F, xs[i], ys[i]);
  }
  void launch_each(void* function, void* stream = nullptr) {
    void* each[] = {&arguments.n, &arguments.a, &arguments.x, &arguments.y};
    CHECK(cu.LaunchKernel(function, kGrid, 1, 1, kBlock, 1, 1, 0, stream, each, nullptr));
    expect_once_more();
  }
  void launch_together(void* function) {
    std::size_t bytes = sizeof arguments;
    void* extra[] = {reinterpret_cast<void*>(1), &arguments, reinterpret_cast<void*>(2), &bytes, nullptr};
    CHECK(cu.LaunchKernel(function, kGrid, 1, 1, kBlock, 1, 1, 0, nullptr, nullptr, extra));
    expect_once_more();
  }
  void check(const char* what) {
    const auto found = from_device(arguments.y, kCount);
    for (std::size_t i = 0; i < ys.size() && executes(); ++i)
      if (found[i] != ys[i]) fail(std::string(what) + ": element " + std::to_string(i));
  }
};

void launches() {
  start();
  auto ptx = saxpy_ptx();
  void* module = nullptr;
  CHECK(cu.ModuleLoadData(&module, ptx.c_str()));
  std::fill(ptx.begin(), ptx.end(), 'x');  // a module is the driver's own once it is loaded
  auto* const function = function_of(module, "saxpy");
  if (function != function_of(module, "saxpy")) fail("a function has two handles");
  Saxpy saxpy;
  saxpy.launch_each(function);
  CHECK(cu.CtxSynchronize());
  saxpy.check("a pointer to each argument");
  saxpy.launch_together(function);
  saxpy.check("arguments in a buffer");
  int value = 0;
  CHECK(cu.FuncGetAttribute(&value, 0, function));
  expect(value, 1024, "threads of a group");
  CHECK(cu.FuncSetAttribute(function, 8, 65536));
  CHECK(cu.FuncGetAttribute(&value, 8, function));
  expect(value, 65536, "dynamic shared memory");
  CHECK(cu.FuncSetCacheConfig(function, 1));
  CHECK(cu.OccupancyMaxActiveBlocksPerMultiprocessor(&value, function, 1024, 0));
  expect(value, 2, "groups of 32 warps on a unit that holds 64");
  int threads = 0;
  CHECK(cu.OccupancyMaxPotentialBlockSize(&value, &threads, function, nullptr, 0, 0));
  expect(threads, 1024, "the largest block of those that fill a unit");
  expect(value, 2 * 132, "groups that fill the device");
  CHECK(cu.OccupancyMaxPotentialBlockSize(&value, &threads, function, nullptr, 0, 700));
  expect(threads, 512, "four groups of 16 warps are all 64; none between 17 and 21 warps fills them");
  CHECK(cu.OccupancyMaxPotentialBlockSize(
      &value, &threads, function, [](int of) { return std::size_t{of > 64 ? 1U << 30 : 0U}; }, 0, 0));
  expect(threads, 64, "a block whose shared memory a unit has");
  CHECK(cu.ModuleUnload(module));
}

/// Modules of every form: files, fat binaries by themselves and by a wrapper, packed, with options, and libraries.
void modules() {
  start();
  Saxpy saxpy;
  void* module = nullptr;
  const auto launch = [&](const char* what) {
    saxpy.launch_each(function_of(module, "saxpy"));
    saxpy.check(what);
    CHECK(cu.ModuleUnload(module));
  };
  CHECK(cu.ModuleLoad(&module, shipped("ptx/sm_80/saxpy.ptx").c_str()));
  launch("a file");
  CHECK(cu.ModuleLoadDataEx(&module, saxpy_ptx().c_str(), 0, nullptr, nullptr));
  launch("with options");
  const auto fat = fat_binary(saxpy_ptx(), Packing::None);
  CHECK(cu.ModuleLoadData(&module, fat.data()));
  launch("a fat binary");
  Wrapper wrapper;
  wrapper.data = fat.data();
  CHECK(cu.ModuleLoadFatBinary(&module, &wrapper));
  launch("a fat binary by a wrapper");
  void *library = nullptr, *kernel = nullptr, *function = nullptr;
  CHECK(cu.LibraryLoadData(&library, saxpy_ptx().c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  CHECK(cu.LibraryGetKernel(&kernel, library, "saxpy"));
  CHECK(cu.KernelGetFunction(&function, kernel));
  saxpy.launch_each(function);
  saxpy.check("a library");
  CHECK(cu.LibraryUnload(library));
}

/// Machine code can be recorded and predicted, not executed.
void cubin() {
  start();
  void* module = nullptr;
  const auto code = text_of(shipped("cubins/sm_90/saxpy.cubin"));
  CHECK(cu.ModuleLoadData(&module, code.data()));
  Saxpy saxpy;
  saxpy.launch_together(function_of(module, "saxpy"));
}

constexpr const char* kScaled = R"(.version 7.0
.target sm_80
.address_size 64
.global .align 4 .u32 offset = 5;
.const .align 4 .u32 factors[4] = {1, 2, 3, 4};
.visible .entry scaled(.param .u64 to)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [to];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 3;
  mov.u64 %rd2, factors;
  mul.wide.u32 %rd3, %r2, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.const.u32 %r3, [%rd4];
  ld.global.u32 %r4, [offset];
  mad.lo.u32 %r5, %r1, %r3, %r4;
  mul.wide.u32 %rd5, %r1, 4;
  add.s64 %rd6, %rd1, %rd5;
  st.global.u32 [%rd6], %r5;
  ret;
}
)";

/// Variables of a module by their names; two modules of the same text have their own.
void variables() {
  start();
  std::array<void*, 2> modules{}, offsets{};
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(cu.ModuleLoadData(&modules[i], kScaled));
    CHECK(cu.ModuleGetGlobal(&offsets[i], &bytes, modules[i], "offset"));
    expect(static_cast<int>(bytes), 4, "bytes of a variable");
  }
  if (offsets[0] == offsets[1]) fail("two modules share a variable");
  void* factors = nullptr;
  CHECK(cu.ModuleGetGlobal(&factors, &bytes, modules[1], "factors"));
  expect(static_cast<int>(bytes), 16, "bytes of an array");
  CHECK(cu.ModuleGetGlobal(nullptr, &bytes, modules[1], "factors"));
  const std::vector<unsigned> other{10, 20, 30, 40};
  CHECK(cu.MemcpyHtoD(factors, other.data(), 16));
  CHECK(cu.MemsetD32(offsets[1], 100, 1));
  auto* to = on_device(std::vector<unsigned>(64));
  void* each[] = {&to};
  for (unsigned i = 0; i < 2; ++i) {
    CHECK(cu.LaunchKernel(function_of(modules[i], "scaled"), 1, 1, 1, 64, 1, 1, 0, nullptr, each, nullptr));
    const auto found = from_device(to, 64);
    for (unsigned k = 0; k < 64 && executes(); ++k)
      expect(static_cast<int>(found[k]), static_cast<int>(i == 0 ? k * (k % 4 + 1) + 5 : k * other[k % 4] + 100),
             "a kernel that reads variables");
  }
}

void memory() {
  start();
  constexpr std::size_t kCount = 64;
  void *first = nullptr, *second = nullptr, *host = nullptr, *managed = nullptr, *begin = nullptr, *stream = nullptr;
  std::size_t free = 0, total = 0, after = 0, bytes = 0, pitch = 0;
  CHECK(cu.MemGetInfo(&free, &total));
  CHECK(cu.MemAlloc(&first, 4 * kCount));
  CHECK(cu.MemGetInfo(&after, &total));
  expect(static_cast<int>(free - after), 4 * kCount, "bytes that are used");
  CHECK(cu.MemAllocHost(&host, 4 * kCount));
  CHECK(cu.MemAllocManaged(&managed, 4 * kCount, 1));
  CHECK(cu.MemAllocPitch(&second, &pitch, 100, 3, 4));
  if (pitch < 100 || pitch % 4 != 0) fail("a pitch");
  CHECK(cu.MemGetAddressRange(&begin, &bytes, static_cast<char*>(first) + 7));
  if (begin != first || bytes != 4 * kCount) fail("the range of an address");
  CHECK(cu.MemsetD32(first, 0x01020304, kCount));
  CHECK(cu.MemsetD16(first, 0x0506, 4));
  CHECK(cu.MemsetD8(first, 9, 3));
  const auto found = from_device(static_cast<unsigned char*>(first), 12);
  const std::vector<unsigned char> wanted{9, 9, 9, 5, 6, 5, 6, 5, 4, 3, 2, 1};  // low bytes first
  if (found != wanted) fail("sets");
  CHECK(cu.MemsetD8(second, 0, pitch * 3));
  CHECK(cu.MemsetD2D16(second, pitch, 0x0101, 2, 3));
  const auto rows = from_device(static_cast<unsigned char*>(second), pitch * 3);
  for (std::size_t i = 0; i < rows.size(); ++i) expect(rows[i], i % pitch < 4 ? 1 : 0, "a set of rows");
  CHECK(cu.MemcpyDtoD(managed, first, 4 * kCount));
  if (std::memcmp(managed, wanted.data(), 12) != 0) fail("a copy on the device");
  CHECK(cu.Memcpy(host, managed, 4 * kCount));
  if (std::memcmp(host, wanted.data(), 12) != 0) fail("a copy whose way the pointers say");
  CHECK(cu.StreamCreate(&stream, 1));
  CHECK(cu.MemsetD32Async(first, 7, kCount, stream));
  CHECK(cu.MemcpyDtoDAsync(second, first, 4 * kCount, stream));
  CHECK(cu.MemcpyDtoHAsync(host, second, 4 * kCount, stream));
  CHECK(cu.StreamSynchronize(stream));
  CHECK(cu.StreamQuery(stream));
  expect(static_cast<int*>(host)[kCount - 1], 7, "copies of a stream");
  CHECK(cu.MemcpyHtoDAsync(first, host, 4, stream));
  CHECK(cu.StreamDestroy(stream));
  for (void* const pointer : {first, second, managed}) CHECK(cu.MemFree(pointer));
  CHECK(cu.MemFreeHost(host));
  CHECK(cu.MemGetInfo(&after, &total));
  expect(static_cast<int>(free - after), 0, "bytes that are used at the end");
}

void events() {
  start();
  void *module = nullptr, *streams[2] = {}, *marks[4] = {};
  CHECK(cu.ModuleLoadData(&module, saxpy_ptx().c_str()));
  auto* const function = function_of(module, "saxpy");
  Saxpy saxpy;
  for (auto& stream : streams) CHECK(cu.StreamCreate(&stream, 1));
  for (auto& mark : marks) CHECK(cu.EventCreate(&mark, 0));
  CHECK(cu.EventRecord(marks[0], streams[0]));
  saxpy.launch_each(function, streams[0]);
  CHECK(cu.EventRecord(marks[1], streams[0]));
  CHECK(cu.StreamWaitEvent(streams[1], marks[1], 0));
  CHECK(cu.EventRecord(marks[3], streams[1]));
  saxpy.launch_each(function, streams[1]);
  CHECK(cu.EventRecord(marks[2], streams[1]));
  CHECK(cu.EventSynchronize(marks[2]));
  CHECK(cu.EventQuery(marks[2]));
  float first = 0, both = 0, waited = 0;
  CHECK(cu.EventElapsedTime(&first, marks[0], marks[1]));
  CHECK(cu.EventElapsedTime(&both, marks[0], marks[2]));
  CHECK(cu.EventElapsedTime(&waited, marks[0], marks[3]));
  saxpy.check("launches of two streams");
  std::printf("events %.6f %.6f %.6f us\n", first * 1e3, waited * 1e3, both * 1e3);
  for (auto* const mark : marks) CHECK(cu.EventDestroy(mark));
  for (auto* const stream : streams) CHECK(cu.StreamDestroy(stream));
}

void contexts() {
  int number = 7, is_active = 7;
  unsigned flags = 7;
  void *first = nullptr, *second = nullptr, *primary = nullptr, *found = &number;
  CHECK(cu.DriverGetVersion(&number));
  expect(number, 13000, "the version");
  expect(cu.DeviceGetCount(&number), 3, "a call before the start");
  expect(cu.CtxGetCurrent(&found), 3, "a call before the start");
  expect(cu.MemAlloc(&found, 16), 3, "a call before the start");
  CHECK(cu.Init(0));
  CHECK(cu.CtxGetCurrent(&found));
  if (found != nullptr) fail("a context that nobody made");
  expect(cu.MemAlloc(&found, 16), 201, "memory of no context");
  expect(cu.CtxSynchronize(), 201, "no context");
  expect(cu.CtxGetDevice(&number), 201, "no context");
  expect(cu.CtxPopCurrent(&found), 201, "no context");
  CHECK(cu.DevicePrimaryCtxGetState(0, &flags, &is_active));
  expect(is_active, 0, "the primary context, which nobody holds");
  expect(cu.DevicePrimaryCtxRelease(0), 201, "the primary context, which nobody holds");
  CHECK(cu.DevicePrimaryCtxSetFlags(0, 4));
  CHECK(cu.DevicePrimaryCtxRetain(&primary, 0));
  CHECK(cu.DevicePrimaryCtxGetState(0, &flags, &is_active));
  expect(is_active, 1, "the primary context");
  expect(static_cast<int>(flags), 4, "its flags");
  CHECK(cu.CtxSetCurrent(primary));
  CHECK(cu.MemAlloc(&found, 16));
  CHECK(cu.CtxCreate(&first, nullptr, 0, 0));
  CHECK(cu.CtxCreate(&second, nullptr, 0, 0));
  const auto is_current = [&](void* wanted, const char* what) {
    CHECK(cu.CtxGetCurrent(&found));
    if (found != wanted) fail(what);
  };
  is_current(second, "the latest context is current");
  CHECK(cu.CtxPopCurrent(&found));
  if (found != second) fail("the context that is taken off");
  is_current(first, "the one before is current");
  CHECK(cu.CtxPushCurrent(second));
  CHECK(cu.CtxDestroy(second));
  is_current(first, "a context that is gone is not current");
  CHECK(cu.CtxGetDevice(&number));
  expect(number, 0, "the device");
  CHECK(cu.CtxSetCurrent(nullptr));
  is_current(primary, "below is the primary context");
  expect(cu.CtxDestroy(second), 201, "a context that is gone");
  expect(cu.CtxPushCurrent(second), 201, "a context that is gone");
  expect(cu.CtxSetCurrent(second), 201, "a context that is gone");
  expect(cu.CtxDestroy(primary), 201, "the primary context");
  CHECK(cu.DevicePrimaryCtxRelease(0));
}

void device() {
  CHECK(cu.Init(0));
  int value = 0, minor = 0, handle = 7;
  std::size_t bytes = 0;
  char name[256], few[7], uuid[16];
  CHECK(cu.DeviceGetCount(&value));
  expect(value, 1, "devices");
  CHECK(cu.DeviceGet(&handle, 0));
  CHECK(cu.DeviceGetName(name, sizeof name, handle));
  CHECK(cu.DeviceGetName(few, sizeof few, handle));
  if (std::strcmp(few, "NVIDIA") != 0) fail(std::string("a short name: ") + few);
  CHECK(cu.DeviceTotalMem(&bytes, handle));
  CHECK(cu.DeviceComputeCapability(&value, &minor, handle));
  CHECK(cu.DeviceGetUuid(uuid, handle));
  int units = 0;
  CHECK(cu.DeviceGetAttribute(&units, 16, handle));
  std::printf("device %s, %d.%d, %d units, %zu bytes\n", name, value, minor, units, bytes);
}

void expect_text(const char* found, const char* wanted) {
  if (found == nullptr || std::strcmp(found, wanted) != 0) fail(std::string("a text: ") + wanted);
}

void errors() {
  int number = 0;
  const char* text = nullptr;
  expect(cu.Init(1), 1, "flags that are none");
  start();
  CHECK(cu.GetErrorName(700, &text));
  expect_text(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
  CHECK(cu.GetErrorString(218, &text));
  expect_text(text, "a PTX JIT compilation failed");
  expect(cu.GetErrorName(98, &text), 1, "an error of the runtime alone");
  if (text != nullptr) fail("the name of no error");
  expect(cu.GetErrorString(12345, &text), 1, "no error");

  void *module = nullptr, *function = nullptr, *pointer = nullptr;
  expect(cu.ModuleLoadData(&module, nullptr), 1, "no image");
  expect(cu.ModuleLoadData(nullptr, saxpy_ptx().c_str()), 1, "no place for a module");
  expect(cu.ModuleLoadData(&module, "no code at all"), 200, "an image that is none");
  expect(cu.ModuleLoadData(&module, ".version 7.0\n.target sm_80\n.visible .entry broken(\n"), 218, "PTX that is none");
  expect(cu.ModuleLoadData(&module, text_of("/proc/self/exe").c_str()), 200, "a program of the host");
  expect(cu.ModuleLoad(&module, "/no/such/file"), 301, "a file that is not there");
  expect(cu.ModuleGetFunction(&function, nullptr, "saxpy"), 400, "a function of no module");
  CHECK(cu.ModuleLoadData(&module, saxpy_ptx().c_str()));
  expect(cu.ModuleGetFunction(&function, module, "saxpi"), 500, "a name that is none");
  expect(cu.ModuleGetFunction(&function, module, nullptr), 1, "no name");
  expect(cu.ModuleGetFunction(nullptr, module, "saxpy"), 1, "no place for a function");
  std::size_t bytes = 0;
  expect(cu.ModuleGetGlobal(&pointer, &bytes, module, "saxpy"), 500, "a function as a variable");
  expect(cu.ModuleGetGlobal(&pointer, &bytes, module, "nothing"), 500, "a name that is none");

  function = function_of(module, "saxpy");
  Saxpy saxpy;
  void *each[] = {&saxpy.arguments.n, &saxpy.arguments.a, &saxpy.arguments.x, &saxpy.arguments.y},
       *holes[4] = {&saxpy.arguments.n};
  std::size_t too_few = sizeof saxpy.arguments - 8;
  void *short_buffer[] = {reinterpret_cast<void*>(1), &saxpy.arguments, reinterpret_cast<void*>(2), &too_few, nullptr},
       *no_buffer[] = {nullptr}, *no_list[] = {reinterpret_cast<void*>(9), nullptr};
  const auto launch = [&](void* of, unsigned grid, unsigned block, unsigned shared, void** arguments, void** extra) {
    return cu.LaunchKernel(of, grid, 1, 1, block, 1, 1, shared, nullptr, arguments, extra);
  };
  expect(launch(nullptr, 1, 32, 0, each, nullptr), 400, "no function");
  expect(launch(&number, 1, 32, 0, each, nullptr), 400, "a function that is none");
  expect(launch(function, 0, 32, 0, each, nullptr), 1, "no groups");
  expect(launch(function, 1, 1025, 0, each, nullptr), 1, "too many threads");
  expect(launch(function, 1, 32, 1U << 20, each, nullptr), 1, "too much shared memory");
  expect(launch(function, 1, 32, 0, nullptr, nullptr), 1, "no arguments");
  expect(launch(function, 1, 32, 0, holes, nullptr), 1, "arguments that are not there");
  expect(launch(function, 1, 32, 0, each, short_buffer), 1, "arguments in both ways");
  expect(launch(function, 1, 32, 0, nullptr, short_buffer), 1, "a buffer that is too short");
  expect(launch(function, 1, 32, 0, nullptr, no_buffer), 1, "no buffer");
  expect(launch(function, 1, 32, 0, nullptr, no_list), 1, "a list that is none");
  expect(cu.LaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, &number, each, nullptr), 400, "a stream that is none");
  expect(cu.FuncGetAttribute(&number, 99, function), 1, "an attribute that is none");
  expect(cu.FuncGetAttribute(nullptr, 0, function), 1, "no place for an attribute");
  expect(cu.FuncSetAttribute(nullptr, 8, 1024), 400, "no function");
  CHECK(cu.ModuleUnload(module));
  expect(cu.ModuleUnload(module), 400, "a module that is gone");
  expect(launch(function, 1, 32, 0, each, nullptr), 400, "a function of a module that is gone");

  expect(cu.DeviceGet(&number, 1), 101, "a device that is not there");
  expect(cu.DeviceGetName(nullptr, 8, 0), 1, "no place for a name");
  expect(cu.DeviceGetAttribute(&number, 9999, 0), 1, "an attribute that is none");
  expect(cu.MemAlloc(&pointer, 0), 1, "no bytes");
  expect(cu.MemAlloc(nullptr, 16), 1, "no place for a pointer");
  expect(cu.MemAlloc(&pointer, std::size_t{1} << 50), 2, "more memory than there is");
  CHECK(cu.MemAlloc(&pointer, 16));
  expect(cu.MemcpyHtoD(pointer, &number, 17), 1, "behind the end");
  expect(cu.MemcpyHtoD(pointer, nullptr, 16), 1, "from null");
  expect(cu.MemsetD32(static_cast<char*>(pointer) + 2, 0, 1), 1, "a word at half a word");
  expect(cu.MemsetD32(pointer, 0, ~std::size_t{0} / 4 + 2), 1, "more words than there are");
  CHECK(cu.MemFree(pointer));
  expect(cu.MemFree(pointer), 1, "memory that is free");
  expect(cu.MemGetAddressRange(nullptr, &bytes, pointer), 500, "an address of no memory");
  expect(cu.MemFreeHost(&number), 1, "host memory that is none");
  expect(cu.StreamDestroy(&number), 400, "a stream that is none");
  expect(cu.EventRecord(nullptr, nullptr), 400, "no event");
  float milliseconds = 0;
  expect(cu.EventElapsedTime(&milliseconds, nullptr, nullptr), 400, "no events");
  const void* table = &number;
  expect(cu.GetExportTable(&table, nullptr), 500, "a table that no reference describes");
  if (table != nullptr) fail("a table that no reference describes");
  int status = 7;
  CHECK(cu.GetProcAddress("cuNothing", &pointer, 13000, 0, &status));
  if (pointer != nullptr || status != 1) fail("a function that is none");
  CHECK(cu.GetProcAddress("cudaMalloc", &pointer, 13000, 0, &status));
  if (pointer != nullptr) fail("a function of the runtime");
}

int run(const std::string& what) {
  const std::pair<const char*, void (*)()> programs[] = {
      {"launches", launches}, {"modules", modules},   {"cubin", cubin},   {"variables", variables}, {"memory", memory},
      {"events", events},     {"contexts", contexts}, {"device", device}, {"errors", errors}};
  if (what == "missing") {
    launches();
    cu.ArrayCreate(nullptr, nullptr);
  }
  for (const auto& [name, program] : programs)
    if (what == name) {
      program();
      return 0;
    }
  fail("no such program: " + what);
}

}  // namespace

int main(int argc, char** argv) {
  find_driver();
  const int status = run(argc > 1 ? argv[1] : "");
  if (status == 0) std::puts("done");
  return status;
}
