// The sources that do not decompress: files and memory.
#include "byte_source.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace capture {
namespace {

class FileSource : public ByteSource {
 public:
  explicit FileSource(const std::filesystem::path& path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ < 0) {
      throw std::system_error(errno, std::generic_category());
    }
  }
  ~FileSource() override { close(file_); }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  std::size_t read(std::span<std::uint8_t> room) override {
    std::size_t filled = 0;
    while (filled < room.size()) {
      const ssize_t got = ::read(file_, room.data() + filled, room.size() - filled);
      if (got < 0 && errno == EINTR) {
        continue;
      }
      if (got < 0) {
        throw std::system_error(errno, std::generic_category());
      }
      if (got == 0) {
        break;
      }
      filled += static_cast<std::size_t>(got);
    }
    consumed_ += filled;
    return filled;
  }

  std::uint64_t consumed() const override { return consumed_; }

 private:
  int file_;
  std::uint64_t consumed_ = 0;
};

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(Bytes bytes) : left_(bytes) {}

  std::size_t read(std::span<std::uint8_t> room) override {
    const std::size_t count = std::min(room.size(), left_.size());
    std::copy_n(left_.begin(), count, room.begin());
    left_ = left_.subspan(count);
    consumed_ += count;
    return count;
  }

  std::uint64_t consumed() const override { return consumed_; }

 private:
  Bytes left_;
  std::uint64_t consumed_ = 0;
};

}  // namespace

std::unique_ptr<ByteSource> file_source(const std::filesystem::path& path) {
  return std::make_unique<FileSource>(path);
}

std::unique_ptr<ByteSource> memory_source(Bytes bytes) { return std::make_unique<MemorySource>(bytes); }

}  // namespace capture
