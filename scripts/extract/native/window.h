// A contiguous part of a stream in memory. The reader moves it forward.
#pragma once

#include <cstdint>
#include <memory>

#include "byte_source.h"

namespace capture {

class Window {
 public:
  explicit Window(std::unique_ptr<ByteSource> source)
      : source_(std::move(source)), buffer_(std::make_unique_for_overwrite<std::uint8_t[]>(size_)) {}

  // At least `count` bytes from the present position; fewer only at the end of the stream. They are valid until
  // the next call.
  Bytes peek(std::size_t count) {
    if (end_ - begin_ < count && !over_) {
      fill(count);
    }
    return {buffer_.get() + begin_, end_ - begin_};
  }

  void advance(std::size_t count) {
    begin_ += count;
    offset_ += count;
  }

  // The present position in the (decompressed) stream.
  std::uint64_t offset() const { return offset_; }

  // The number of bytes from the present position to the end. It reads and discards them.
  std::uint64_t count_rest();

  const ByteSource& source() const { return *source_; }

 private:
  void fill(std::size_t count);

  std::unique_ptr<ByteSource> source_;
  std::size_t size_ = 64 << 10;
  std::unique_ptr<std::uint8_t[]> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;
  bool over_ = false;
};

}  // namespace capture
