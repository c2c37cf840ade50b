// Sources of a capture's bytes: a file or memory, decompressed if necessary.
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

  // Fills `room` from its beginning and returns the number of bytes; fewer than its size only at the end.
  virtual std::size_t read(std::span<std::uint8_t> room) = 0;

  // Valid after the end: `cut` if a compressed stream is incomplete, `corrupt` if it cannot be decompressed.
  virtual Ending ending() const { return Ending::ok; }

  // The number of bytes that were read from the underlying file.
  virtual std::uint64_t consumed() const = 0;
};

// Throws std::system_error if the file cannot be opened. read() throws it if the file cannot be read.
std::unique_ptr<ByteSource> file_source(const std::filesystem::path& path);

// The bytes must outlive the source.
std::unique_ptr<ByteSource> memory_source(Bytes bytes);

// The decompressed source if it begins with the magic number of gzip or zstd, otherwise the source itself.
std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source);

}  // namespace capture
