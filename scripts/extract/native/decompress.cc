// Decompresses gzip (RFC 1952, also with several members) and zstd (RFC 8878). The output goes directly into
// the reader's buffer, so that the memory does not depend on sizes that the input states.
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <vector>

#include "byte_source.h"

namespace capture {
namespace {

constexpr std::size_t input_bytes = 64 << 10;
constexpr std::size_t magic_bytes = 4;

// Compressed bytes. The first ones (`beginning`) were read already.
class Input {
 public:
  Input(std::unique_ptr<ByteSource> source, Bytes beginning) : source_(std::move(source)), buffer_(input_bytes) {
    std::copy(beginning.begin(), beginning.end(), buffer_.begin());
    left_ = Bytes(buffer_).first(beginning.size());
  }

  // The bytes in the buffer, refilled if it is empty; nothing at the end of the file.
  Bytes peek() {
    if (left_.empty()) {
      left_ = Bytes(buffer_).first(source_->read(buffer_));
    }
    return left_;
  }

  void advance(std::size_t count) { left_ = left_.subspan(count); }
  std::uint64_t consumed() const { return source_->consumed() - left_.size(); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::vector<std::uint8_t> buffer_;
  Bytes left_;
};

// The common part of gzip and zstd: fill the buffer until the stream ends or is damaged.
class Decompressor : public ByteSource {
 public:
  explicit Decompressor(Input input) : input_(std::move(input)) {}

  std::size_t read(std::span<std::uint8_t> room) override {
    std::size_t filled = 0;
    while (filled < room.size() && !over_) {
      const Bytes from = input_.peek();
      if (from.empty() && !holds_output_) {
        over_ = true;
        ending_ = inside_ ? Ending::cut : Ending::ok;
        break;
      }
      const Step step = unfold(from, room.subspan(filled));
      input_.advance(step.taken);
      filled += step.given;
      holds_output_ = filled == room.size();
      const bool moved = step.taken + step.given > 0;
      inside_ = moved ? !step.finished : inside_;
      if (step.broken || (!moved && !from.empty())) {
        over_ = true;
        ending_ = Ending::corrupt;
      }
    }
    return filled;
  }

  Ending ending() const override { return ending_; }
  std::uint64_t consumed() const override { return input_.consumed(); }

 protected:
  struct Step {
    std::size_t taken = 0;
    std::size_t given = 0;
    bool finished = false;  // the end of a gzip member or a zstd frame
    bool broken = false;
  };

 private:
  virtual Step unfold(Bytes from, std::span<std::uint8_t> to) = 0;

  Input input_;
  Ending ending_ = Ending::ok;
  bool over_ = false;
  bool inside_ = false;
  bool holds_output_ = false;  // output is waiting because the buffer was too small
};

class Gzip : public Decompressor {
 public:
  explicit Gzip(Input input) : Decompressor(std::move(input)) {
    if (inflateInit2(&stream_, 16 + MAX_WBITS) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~Gzip() override { inflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

 private:
  Step unfold(Bytes from, std::span<std::uint8_t> to) override {
    const std::size_t room = std::min<std::size_t>(to.size(), std::numeric_limits<uInt>::max());
    stream_.next_in = const_cast<Bytef*>(from.data());  // zlib only reads, but its interface lacks the const
    stream_.avail_in = static_cast<uInt>(from.size());
    stream_.next_out = to.data();
    stream_.avail_out = static_cast<uInt>(room);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    const Step step{from.size() - stream_.avail_in, room - stream_.avail_out, result == Z_STREAM_END,
                    result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR};
    if (step.finished) {
      inflateReset(&stream_);
    }
    return step;
  }

  z_stream stream_{};
};

class Zstd : public Decompressor {
 public:
  explicit Zstd(Input input) : Decompressor(std::move(input)), stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) {
      throw std::bad_alloc();
    }
  }
  ~Zstd() override { ZSTD_freeDStream(stream_); }
  Zstd(const Zstd&) = delete;
  Zstd& operator=(const Zstd&) = delete;

 private:
  Step unfold(Bytes from, std::span<std::uint8_t> to) override {
    ZSTD_inBuffer input{from.data(), from.size(), 0};
    ZSTD_outBuffer output{to.data(), to.size(), 0};
    const std::size_t result = ZSTD_decompressStream(stream_, &output, &input);
    return {input.pos, output.pos, result == 0, ZSTD_isError(result) != 0};
  }

  ZSTD_DStream* stream_;
};

// An uncompressed source. The first bytes (`beginning`) were read already.
class Plain : public ByteSource {
 public:
  Plain(std::unique_ptr<ByteSource> source, Bytes beginning)
      : source_(std::move(source)), beginning_(beginning.begin(), beginning.end()) {}

  std::size_t read(std::span<std::uint8_t> room) override {
    const std::size_t count = std::min(room.size(), beginning_.size());
    std::copy_n(beginning_.begin(), count, room.begin());
    beginning_.erase(beginning_.begin(), beginning_.begin() + static_cast<std::ptrdiff_t>(count));
    return count + source_->read(room.subspan(count));
  }

  std::uint64_t consumed() const override { return source_->consumed() - beginning_.size(); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::vector<std::uint8_t> beginning_;
};

bool begins_with(Bytes bytes, std::initializer_list<std::uint8_t> magic) {
  return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin());
}

}  // namespace

std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source) {
  std::array<std::uint8_t, magic_bytes> room{};
  const Bytes beginning = Bytes(room).first(source->read(room));
  if (begins_with(beginning, {0x1F, 0x8B})) {
    return std::make_unique<Gzip>(Input(std::move(source), beginning));
  }
  if (begins_with(beginning, {0x28, 0xB5, 0x2F, 0xFD})) {
    return std::make_unique<Zstd>(Input(std::move(source), beginning));
  }
  return std::make_unique<Plain>(std::move(source), beginning);
}

}  // namespace capture
