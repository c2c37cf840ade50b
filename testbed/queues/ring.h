// A first-in first-out ring that doubles its size when full. In steady state it never allocates; a std::deque
// does so every few elements.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace queues {

template <typename T>
class Ring {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  const T& front() const { return slots_[first_]; }

  void push(T value) {
    if (size_ == slots_.size()) {
      grow();
    }
    slots_[index(size_)] = std::move(value);
    ++size_;
  }

  // The ring must not be empty.
  T pop() {
    T value = std::move(slots_[first_]);
    first_ = index(1);
    --size_;
    return value;
  }

 private:
  // The number of slots is a power of two.
  std::size_t index(std::size_t place) const { return (first_ + place) & (slots_.size() - 1); }

  void grow() {
    std::vector<T> larger(slots_.size() * 2);
    for (std::size_t place = 0; place < size_; ++place) {
      larger[place] = std::move(slots_[index(place)]);
    }
    slots_.swap(larger);
    first_ = 0;
  }

  std::vector<T> slots_ = std::vector<T>(16);
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace queues
