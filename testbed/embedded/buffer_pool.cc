// The slabs and the free list of the buffer pool.
#include "buffer_pool.h"

namespace embedded {

BufferPool::BufferPool(std::size_t buffers) {
  while (free_.size() < buffers) {
    add_slab();
  }
}

std::uintptr_t BufferPool::take() {
  if (free_.empty()) {
    add_slab();
  }
  const std::uintptr_t buffer = free_.back();
  free_.pop_back();
  return buffer;
}

// take() takes from the end of the free list. Buffers are therefore added in descending order, so that a few
// packets in flight use a few pages.
void BufferPool::add_slab() {
  const std::size_t first = slabs_.size() * slab_buffers;
  slabs_.push_back(std::make_unique<Slab>());
  free_.reserve(slabs_.size() * slab_buffers);
  for (std::size_t place = slab_buffers; place > 0; --place) {
    free_.push_back(first + place - 1);
  }
}

}  // namespace embedded
