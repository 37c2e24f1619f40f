#include <algorithm>

#include "parts.hpp"
#include "planning.hpp"
#include "timing.hpp"

namespace measure {
namespace {

/// Words of 4, 8 and 16 bytes, and the sum of their parts.
struct Word32 {
  unsigned x;
  __device__ unsigned sum() const { return x; }
  __device__ static Word32 of(unsigned value) { return {value}; }
};
struct alignas(8) Word64 {
  unsigned x, y;
  __device__ unsigned sum() const { return x + y; }
  __device__ static Word64 of(unsigned value) { return {value, value}; }
};
struct alignas(16) Word128 {
  unsigned x, y, z, w;
  __device__ unsigned sum() const { return x + y + z + w; }
  __device__ static Word128 of(unsigned value) { return {value, value, value, value}; }
};

constexpr int kUnroll = 4;  // accesses that a trip of the loop holds

/// Every access of a thread lies one whole launch behind its last one, so that no word is read twice.
template <class Word>
__global__ __launch_bounds__(1024) void stream_load_kernel(const Word* data, unsigned* sums, Stamps stamps, int stride,
                                                           int trips) {
  const std::size_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x * static_cast<std::size_t>(stride);
  const Word* place = data + thread * static_cast<std::size_t>(stride);
  const Start start = begin_stamp(stamps);
  unsigned sum = 0;
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
    Word words[kUnroll];
#pragma unroll
    for (int i = 0; i < kUnroll; ++i) {
      words[i] = *place;
      place += step;
    }
#pragma unroll
    for (int i = 0; i < kUnroll; ++i) sum += words[i].sum();
    opaque(sum);
  }
  end_stamp(stamps, start);
  sums[thread] = sum;
}

template <class Word>
__global__ __launch_bounds__(1024) void stream_store_kernel(Word* data, Stamps stamps, int stride, int trips,
                                                            unsigned value) {
  const std::size_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x * static_cast<std::size_t>(stride);
  Word* place = data + thread * static_cast<std::size_t>(stride);
  const Start start = begin_stamp(stamps);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
#pragma unroll
    for (int i = 0; i < kUnroll; ++i) {
      *place = Word::of(value);
      place += step;
    }
    opaque(place);
  }
  end_stamp(stamps, start);
}

constexpr int kByte = 3;                   // what the memory is filled with
constexpr unsigned kWord = 0x03030303u;    // the same as a number
constexpr unsigned kStored = 0x5a5a1234u;  // what is stored

/// Streams through memory with one width, one stride and one number of resident warps.
template <class Word>
class Stream {
 public:
  Stream(Session& session, Buffer<unsigned char>& memory, bool store, int stride)
      : session_(session), memory_(memory), store_(store), stride_(stride) {}

  std::vector<const void*> kernels() const {
    return {store_ ? reinterpret_cast<const void*>(&stream_store_kernel<Word>)
                   : reinterpret_cast<const void*>(&stream_load_kernel<Word>)};
  }

  void measure(const Residency& residency) {
    StampedLauncher launcher(session_.device(), residency);
    const int brief = trips(launcher.threads());
    if (brief == 0) {
      session_.left_out(kernel_name() + ": too little memory for " + std::to_string(launcher.threads()) + " threads");
      return;
    }
    const int lengthy = 3 * brief;
    const Buffer<unsigned> sums(static_cast<std::size_t>(launcher.threads()));
    Word* data = reinterpret_cast<Word*>(memory_.data());
    const auto run = [&](int trips) {
      session_.flush_caches();
      return launcher.run(
          [&](const Stamps& stamps) {
            if (store_) {
              GPU_LAUNCH(stream_store_kernel<Word>, launcher.groups(), residency.group_size, residency.local_bytes,
                         data, stamps, stride_, trips, kStored);
            } else {
              GPU_LAUNCH(stream_load_kernel<Word>, launcher.groups(), residency.group_size, residency.local_bytes, data,
                         sums.data(), stamps, stride_, trips);
            }
          },
          Span::Longest);
    };
    memory_.fill(kByte);
    run(lengthy);
    store_ ? check_stores(launcher.threads(), lengthy) : check_sums(sums, lengthy);
    const auto cycles = difference(
        session_.options().repeats, [&] { return run(brief); }, [&] { return run(lengthy); });

    Row row;
    row.kernel = kernel_name();
    row.group_size = residency.group_size;
    row.groups = launcher.groups();
    row.concurrent_groups = residency.groups;
    row.parameters = {{"trips", lengthy - brief},
                      {"stride_bytes", static_cast<double>(sizeof(Word)) * static_cast<double>(stride_)}};
    row.how = "stream, the slowest unit, second-level cache flushed before each run";
    session_.write(row, cycles);
  }

 private:
  std::string kernel_name() const {
    const std::string width = sizeof(Word) == 4 ? "" : "_" + std::to_string(8 * sizeof(Word));
    return (store_ ? "stream_store" : "stream_load") + width;
  }

  std::size_t bytes_of_a_trip(int threads) const {
    return static_cast<std::size_t>(threads) * static_cast<std::size_t>(stride_) * sizeof(Word) * kUnroll;
  }

  /// Trips of the short run: a third of what the memory has room for, and no more than make a steady stream.
  int trips(int threads) const {
    return static_cast<int>(
        std::min<std::size_t>(session_.scaled(64, 3), memory_.size() / bytes_of_a_trip(threads) / 3));
  }

  void check_sums(const Buffer<unsigned>& sums, int trips) {
    const auto words = static_cast<unsigned>(trips * kUnroll) * static_cast<unsigned>(sizeof(Word) / 4);
    for (const unsigned sum : sums.read()) {
      if (sum == words * kWord) continue;
      session_.wrong_result(kernel_name() + ": a sum is " + std::to_string(sum));
      return;
    }
  }

  /// The last word that was stored, and the one after it.
  void check_stores(int threads, int trips) {
    const std::size_t stores = static_cast<std::size_t>(threads) * static_cast<std::size_t>(trips) * kUnroll;
    const std::size_t last = (stores - 1) * static_cast<std::size_t>(stride_) * sizeof(Word);
    expect(0, kStored);
    expect(last + sizeof(Word) - 4, kStored);
    if (last + sizeof(Word) + 4 <= memory_.size()) expect(last + sizeof(Word), kWord);
  }

  void expect(std::size_t byte, unsigned value) {
    const auto bytes = memory_.read(byte, 4);
    const unsigned found = bytes[0] | (static_cast<unsigned>(bytes[1]) << 8) | (static_cast<unsigned>(bytes[2]) << 16) |
                           (static_cast<unsigned>(bytes[3]) << 24);
    if (found != value)
      session_.wrong_result(kernel_name() + ": byte " + std::to_string(byte) + " begins " + std::to_string(found));
  }

  Session& session_;
  Buffer<unsigned char>& memory_;
  bool store_;
  int stride_;
};

template <class Word>
void measure_width(Session& session, Buffer<unsigned char>& memory, std::initializer_list<int> strides) {
  for (const bool store : {false, true}) {
    for (const int stride : strides) {
      Stream<Word> stream(session, memory, store, stride);
      for (const Residency& residency : plan_for(session, stream.kernels(), 3)) {
        if (session.is_over()) return;
        stream.measure(residency);
      }
    }
  }
}

}  // namespace

void measure_streams(Session& session) {
  const std::size_t most = session.scaled<std::size_t>(std::size_t{2} << 30, std::size_t{16} << 20);
  Buffer<unsigned char> memory(std::min(most, session.device().memory_bytes / 3));
  measure_width<Word32>(session, memory, {1, 2, 4, 8});
  measure_width<Word64>(session, memory, {1, 2});
  measure_width<Word128>(session, memory, {1, 2});
}

}  // namespace measure
