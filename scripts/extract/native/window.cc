#include "window.h"

#include <algorithm>
#include <span>

namespace capture {

void Window::fill(std::size_t count) {
  const Bytes kept(buffer_.get() + begin_, end_ - begin_);
  if (count > size_) {
    auto larger = std::make_unique_for_overwrite<std::uint8_t[]>(count);
    std::ranges::copy(kept, larger.get());
    buffer_ = std::move(larger);
    size_ = count;
  } else {
    std::ranges::copy(kept, buffer_.get());
  }
  begin_ = 0;
  end_ = kept.size();
  const std::span<std::uint8_t> room(buffer_.get() + end_, size_ - end_);
  const std::size_t got = source_->read(room);
  over_ = got < room.size();
  end_ += got;
}

std::uint64_t Window::count_rest() {
  std::uint64_t count = 0;
  while (true) {
    const std::size_t here = peek(1).size();
    if (here == 0) {
      return count;
    }
    count += here;
    advance(here);
  }
}

}  // namespace capture
