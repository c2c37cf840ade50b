// Memory for the arrays of a batch. New memory costs as much time as decoding into it, so the memory of a
// destroyed batch is reused.
#pragma once

#include <cstddef>
#include <memory>

namespace capture {

class Block {
 public:
  explicit Block(std::size_t bytes);
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  // The next part of the memory, for `count` values. All parts together must fit into the block.
  template <typename T>
  T* take(std::size_t count) {
    T* part = reinterpret_cast<T*>(memory_.get() + taken_);
    taken_ += bytes_of<T>(count);
    return part;
  }

  // The bytes that take() uses. Every array begins at a multiple of 64 bytes, as Arrow recommends.
  template <typename T>
  static constexpr std::size_t bytes_of(std::size_t count) {
    return (count * sizeof(T) + 63) / 64 * 64;
  }

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  using Memory = std::unique_ptr<std::byte, Free>;

  struct Spare;
  static Spare& spare();
  static Memory allocate(std::size_t bytes);

  std::size_t bytes_;
  Memory memory_;
  std::size_t taken_ = 0;
};

}  // namespace capture
