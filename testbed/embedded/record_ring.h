// A bounded ring without locks between one producer thread and one consumer thread. The producer never waits.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

namespace embedded {

template <typename T>
class RecordRing {
 public:
  // `capacity` must be a power of two. All memory is allocated here.
  explicit RecordRing(std::size_t capacity) : slots_(capacity) {}

  // Producer: false if the ring is full.
  bool push(const T& value) {
    const std::size_t written = written_.load(std::memory_order_relaxed);
    if (written - read_.load(std::memory_order_acquire) == slots_.size()) {
      return false;
    }
    slots_[written & (slots_.size() - 1)] = value;
    written_.store(written + 1, std::memory_order_release);
    return true;
  }

  // Consumer: the oldest records, as many as are contiguous in memory. Valid until they are consumed.
  std::span<const T> readable() const {
    const std::size_t read = read_.load(std::memory_order_relaxed);
    const std::size_t first = read & (slots_.size() - 1);
    const std::size_t waiting = written_.load(std::memory_order_acquire) - read;
    return {slots_.data() + first, std::min(waiting, slots_.size() - first)};
  }

  // Consumer: frees the slots of the first `records` readable records.
  void consume(std::size_t records) {
    read_.store(read_.load(std::memory_order_relaxed) + records, std::memory_order_release);
  }

 private:
  std::vector<T> slots_;
  // Each counter has its own cache line, so that the two threads do not slow each other down.
  alignas(64) std::atomic<std::size_t> written_ = 0;
  alignas(64) std::atomic<std::size_t> read_ = 0;
};

}  // namespace embedded
