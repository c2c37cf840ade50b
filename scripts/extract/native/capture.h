// The packets of one capture up to the first missing or damaged byte, and how the capture ended.
#pragma once

#include <cstdint>
#include <memory>

#include "record.h"
#include "window.h"

namespace capture {

// Where reading stopped.
struct End {
  Ending ending = Ending::ok;
  std::uint64_t offset = 0;      // bytes of the (decompressed) capture that were read without an error
  std::uint64_t bytes_left = 0;  // bytes after them
};

class CaptureReader {
 public:
  // Throws CaptureError if the source is not a capture.
  explicit CaptureReader(std::unique_ptr<ByteSource> source);

  // Reads the next packet; returns false at the end.
  bool next(Record& record);

  // Valid after the end.
  const End& end() const { return end_; }

  // The number of bytes of the file that were read.
  std::uint64_t consumed() const { return window_.source().consumed(); }

 private:
  void finish();

  Window window_;
  std::unique_ptr<RecordReader> records_;
  End end_;
  bool over_ = false;
};

}  // namespace capture
