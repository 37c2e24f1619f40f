#include "emulated_gpu.hpp"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

dim3 threadIdx, blockIdx, blockDim, gridDim;

namespace emulated {

unsigned char* dynamic_shared = nullptr;

namespace {

constexpr std::size_t kStackBytes = 128 * 1024;

struct Fiber {
  ucontext_t context;
  std::unique_ptr<char[]> stack;
  dim3 index;
  long long cycles;
  bool is_done;
};

struct Group {
  std::vector<Fiber> fibers = std::vector<Fiber>(kThreadsOfGroup);
  ucontext_t scheduler;
  Fiber* running = nullptr;
  const std::function<void()>* thread = nullptr;
};

Group the_group;
double now_ns = 0;

/// Dynamic shared memory ends at a page without access rights: a kernel that uses more than its launch asked for
/// crashes.
/// @param bytes  at most kLocalBytesOfGroup
unsigned char* shared_memory_of(std::size_t bytes) {
  static unsigned char* const end = [] {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t usable = (kLocalBytesOfGroup + page - 1) / page * page;
    void* const memory = mmap(nullptr, usable + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned char* const last = static_cast<unsigned char*>(memory) + usable;
    if (memory == MAP_FAILED || mprotect(last, page, PROT_NONE) != 0)
      throw std::runtime_error("no memory for the shared memory of the emulated GPU");
    return last;
  }();
  constexpr std::size_t kAlignment = 16;
  return end - (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

void run_thread() {
  (*the_group.thread)();
  the_group.running->is_done = true;
  swapcontext(&the_group.running->context, &the_group.scheduler);
}

void start(Fiber& fiber, unsigned number) {
  if (!fiber.stack) fiber.stack = std::make_unique<char[]>(kStackBytes);
  fiber.index = dim3(number % blockDim.x, number / blockDim.x);
  fiber.cycles = 0;
  fiber.is_done = false;
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = fiber.stack.get();
  fiber.context.uc_stack.ss_size = kStackBytes;
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, run_thread, 0);
}

void resume(Fiber& fiber) {
  the_group.running = &fiber;
  threadIdx = fiber.index;
  swapcontext(&the_group.scheduler, &fiber.context);
}

/// Runs all threads from barrier to barrier. A thread that ends while others wait is a bug of the kernel.
long long run_group(unsigned threads) {
  for (unsigned i = 0; i < threads; ++i) start(the_group.fibers[i], i);
  unsigned done = 0;
  while (done == 0) {
    for (unsigned i = 0; i < threads; ++i) {
      resume(the_group.fibers[i]);
      done += the_group.fibers[i].is_done ? 1 : 0;
    }
  }
  if (done != threads) throw std::logic_error("some threads of a group ended, and others wait at a barrier");
  long long longest = 0;
  for (unsigned i = 0; i < threads; ++i) longest = std::max(longest, the_group.fibers[i].cycles);
  return longest;
}

}  // namespace

void launch(dim3 grid, dim3 block, std::size_t local_bytes, const std::function<void()>& thread) {
  const unsigned threads = block.x * block.y;
  if (threads == 0 || threads > static_cast<unsigned>(kThreadsOfGroup) || grid.x * grid.y == 0 ||
      local_bytes > kLocalBytesOfGroup)
    throw std::logic_error("a launch beyond the limits");
  gridDim = grid;
  blockDim = block;
  the_group.thread = &thread;
  dynamic_shared = shared_memory_of(local_bytes);
  long long longest = 0;
  for (unsigned y = 0; y < grid.y; ++y) {
    for (unsigned x = 0; x < grid.x; ++x) {
      blockIdx = dim3(x, y);
      longest = std::max(longest, run_group(threads));
    }
  }
  now_ns += 1000 + static_cast<double>(grid.x) * grid.y + static_cast<double>(longest);
}

void step() { ++the_group.running->cycles; }

const char* GetErrorString(Error_t) { return "no such thing"; }
Error_t GetLastError() { return Success; }
Error_t SetDevice(int device) { return device == 0 ? Success : 1; }

Error_t GetDeviceProperties(DeviceProp_t* properties, int) {
  *properties = {"Emulated GPU, 2 units", 9, 0, kUnits, kWarpSize, kThreadsOfGroup, kL2Bytes, kLocalBytesOfGroup};
  return Success;
}
Error_t DriverGetVersion(int* version) {
  *version = 1000;
  return Success;
}
Error_t MemGetInfo(std::size_t* free_bytes, std::size_t* all_bytes) {
  *free_bytes = *all_bytes = kMemoryBytes;
  return Success;
}
Error_t FuncGetAttributes(FuncAttributes* attributes, const void*) {
  *attributes = {0};
  return Success;
}
Error_t FuncSetAttribute(const void*, Attribute, int) { return Success; }

Error_t OccupancyMaxActiveBlocksPerMultiprocessor(int* groups, const void*, int group_size, std::size_t bytes) {
  const int by_warps = kWarpsOfUnit / ((group_size + kWarpSize - 1) / kWarpSize);
  const std::size_t allocated = (bytes + kLocalAllocation - 1) / kLocalAllocation * kLocalAllocation;
  const int by_local = allocated == 0 ? kGroupsOfUnit : static_cast<int>(kLocalBytesOfUnit / allocated);
  *groups = std::min({kGroupsOfUnit, by_warps, by_local});
  return Success;
}

Error_t Malloc(void** memory, std::size_t bytes) {
  *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  return *memory == nullptr ? 1 : Success;
}
Error_t Free(void* memory) {
  std::free(memory);
  return Success;
}
Error_t Memset(void* memory, int byte, std::size_t bytes) {
  std::memset(memory, byte, bytes);
  return Success;
}
Error_t Memcpy(void* to, const void* from, std::size_t bytes, Direction) {
  std::memcpy(to, from, bytes);
  return Success;
}

Error_t EventCreate(Event_t* event) {
  event->ns = 0;
  return Success;
}
Error_t EventDestroy(Event_t) { return Success; }
Error_t EventRecord(Event_t& event, void*) {
  event.ns = now_ns;
  return Success;
}
Error_t EventSynchronize(Event_t) { return Success; }
Error_t EventElapsedTime(float* milliseconds, Event_t from, Event_t to) {
  *milliseconds = static_cast<float>((to.ns - from.ns) / 1e6);
  return Success;
}

}  // namespace emulated

void __syncthreads() {
  emulated::step();
  swapcontext(&emulated::the_group.running->context, &emulated::the_group.scheduler);
  threadIdx = emulated::the_group.running->index;
}

long long clock64() { return emulated::the_group.running->cycles += 1000; }
unsigned __smid() { return (blockIdx.x + gridDim.x * blockIdx.y) % emulated::kUnits; }
