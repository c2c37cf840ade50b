#include "block.h"

#include <mutex>
#include <new>
#include <utility>

namespace capture {
namespace {

constexpr std::align_val_t alignment{64};

}  // namespace

// The memory of one destroyed batch. One is enough, because the reader fills one batch at a time.
struct Block::Spare {
  std::mutex mutex;
  std::size_t bytes = 0;
  Memory memory;
};

Block::Block(std::size_t bytes) : bytes_(bytes) {
  {
    const std::lock_guard lock(spare().mutex);
    if (spare().bytes == bytes) {
      memory_ = std::exchange(spare().memory, nullptr);
    }
  }
  if (!memory_) {
    memory_ = allocate(bytes);
  }
}

Block::~Block() {
  const std::lock_guard lock(spare().mutex);
  spare().bytes = bytes_;
  std::swap(spare().memory, memory_);
}

Block::Spare& Block::spare() {
  static Spare only;
  return only;
}

Block::Memory Block::allocate(std::size_t bytes) {
  return Memory(static_cast<std::byte*>(::operator new(bytes, alignment)));
}

void Block::Free::operator()(std::byte* memory) const { ::operator delete(memory, alignment); }

}  // namespace capture
