#pragma once

#include <utility>
#include <vector>

#include "gpu.hpp"

namespace measure {

/// Device memory for a number of values.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t size) : size_(size) {
    if (size > 0) GPU_CHECK(GPU(Malloc)(reinterpret_cast<void**>(&data_), size * sizeof(T)));
  }
  explicit Buffer(const std::vector<T>& values) : Buffer(values.size()) { write(values); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  ~Buffer() { (void)GPU(Free)(data_); }  // a destructor cannot report; the next checked call does

  T* data() const { return data_; }
  std::size_t size() const { return size_; }

  void write(const std::vector<T>& values) {
    if (values.size() > size_) throw std::logic_error("more values than the buffer holds");
    GPU_CHECK(GPU(Memcpy)(data_, values.data(), values.size() * sizeof(T), GPU(MemcpyHostToDevice)));
  }

  /// @return `count` values from `first` on; waits for all earlier launches
  std::vector<T> read(std::size_t first, std::size_t count) const {
    if (first + count > size_) throw std::logic_error("more values than the buffer holds");
    std::vector<T> values(count);
    if (count > 0) GPU_CHECK(GPU(Memcpy)(values.data(), data_ + first, count * sizeof(T), GPU(MemcpyDeviceToHost)));
    return values;
  }
  std::vector<T> read() const { return read(0, size_); }

  /// Sets every byte.
  void fill(int byte) { GPU_CHECK(GPU(Memset)(data_, byte, size_ * sizeof(T))); }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace measure
