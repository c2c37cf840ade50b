// Where the bytes of a capture come from: a file, memory, or either of them decompressed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace capture {

using Bytes = std::span<const std::uint8_t>;

// How a stream of bytes or of records ended.
enum class Ending { ok, cut, corrupt };

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Fills `room` from its beginning; fewer bytes than it takes are given only at the end of the stream.
  virtual std::size_t read(std::span<std::uint8_t> room) = 0;

  // After the end: `cut` if a compressed stream stops too early, `corrupt` if it cannot be decompressed.
  virtual Ending ending() const { return Ending::ok; }

  // How much of the file behind it has been read.
  virtual std::uint64_t consumed() const = 0;
};

// Throws std::system_error if the file cannot be opened; read() does if it cannot be read.
std::unique_ptr<ByteSource> file_source(const std::filesystem::path& path);

// The bytes must outlive the source.
std::unique_ptr<ByteSource> memory_source(Bytes bytes);

// The source itself or, if its first bytes are those of gzip or zstd, what it unfolds to.
std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source);

}  // namespace capture
