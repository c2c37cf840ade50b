// The packets of one capture, up to the first byte that is missing or wrong, and how it ended.
#pragma once

#include <cstdint>
#include <memory>

#include "record.h"
#include "window.h"

namespace capture {

// Where reading stopped.
struct End {
  Ending ending = Ending::ok;
  std::uint64_t offset = 0;      // bytes of the (decompressed) capture that were read well
  std::uint64_t bytes_left = 0;  // bytes of it behind that place
};

class CaptureReader {
 public:
  // Throws CaptureError if the source is no capture at all.
  explicit CaptureReader(std::unique_ptr<ByteSource> source);

  // The next packet; false at the end, and ever after.
  bool next(Record& record);

  // After the end.
  const End& end() const { return end_; }

  // How much of the file has been read.
  std::uint64_t consumed() const { return window_.source().consumed(); }

 private:
  void finish();

  Window window_;
  std::unique_ptr<RecordReader> records_;
  End end_;
  bool over_ = false;
};

}  // namespace capture
