// Frame buffers for reuse: in steady state no packet allocates memory. Buffers are allocated in slabs; a new
// slab is needed only when more packets are in flight than ever before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace embedded {

class BufferPool {
 public:
  static constexpr std::size_t buffer_bytes = 2048;

  explicit BufferPool(std::size_t buffers);

  std::uintptr_t take();
  void give_back(std::uintptr_t buffer) { free_.push_back(buffer); }

  std::span<std::uint8_t> bytes(std::uintptr_t buffer) {
    return (*slabs_[buffer / slab_buffers])[buffer % slab_buffers];
  }

  std::size_t in_use() const { return slabs_.size() * slab_buffers - free_.size(); }

 private:
  static constexpr std::size_t slab_buffers = 1024;
  using Slab = std::array<std::array<std::uint8_t, buffer_bytes>, slab_buffers>;

  void add_slab();

  std::vector<std::unique_ptr<Slab>> slabs_;
  std::vector<std::uintptr_t> free_;
};

}  // namespace embedded
