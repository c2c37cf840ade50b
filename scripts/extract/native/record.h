// One packet as a capture file holds it, whatever its format.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>

#include "byte_source.h"

namespace capture {

// Link types by their registered numbers (www.tcpdump.org/linktypes.html).
enum LinkType : std::uint16_t { ethernet = 1, linux_cooked = 113, linux_cooked_2 = 276 };

// The year 2262: what 64 bits hold. A time beyond it is damage and must not stop the reader.
constexpr std::int64_t latest_ns = std::numeric_limits<std::int64_t>::max();

// Frames longer than that are damage.
constexpr std::uint32_t longest_frame = std::numeric_limits<std::int32_t>::max();

struct Record {
  Bytes bytes;                  // what was captured; valid until the next record is asked for
  std::uint32_t original = 0;   // the packet's length on the wire
  std::int64_t time_ns = 0;     // since the Unix epoch, never negative
  std::uint16_t link_type = 0;
  std::uint32_t interface = 0;  // counted over the whole file
};

// No capture at all: unknown magic, an incomplete file head, an empty file.
class CaptureError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The records of one format.
class RecordReader {
 public:
  virtual ~RecordReader() = default;

  // The next record; false at the end of the file or before the first record that is cut or contradicts itself.
  virtual bool next(Record& record) = 0;

  Ending ending() const { return ending_; }

 protected:
  bool stop(Ending ending) {
    ending_ = ending;
    return false;
  }

 private:
  Ending ending_ = Ending::ok;
};

}  // namespace capture
