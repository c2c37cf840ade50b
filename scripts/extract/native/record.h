// One packet of a capture file of any format.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>

#include "byte_source.h"

namespace capture {

// Registered link types (www.tcpdump.org/linktypes.html).
enum LinkType : std::uint16_t { ethernet = 1, linux_cooked = 113, linux_cooked_2 = 276 };

// The limit of 64 bits, in the year 2262. A later time is damage and must not stop the reader.
constexpr std::int64_t latest_ns = std::numeric_limits<std::int64_t>::max();

// A longer frame is damage.
constexpr std::uint32_t longest_frame = std::numeric_limits<std::int32_t>::max();

struct Record {
  Bytes bytes;                  // the captured bytes; valid until the next record is read
  std::uint32_t original = 0;   // the length of the packet on the wire
  std::int64_t time_ns = 0;     // since the Unix epoch, never negative
  std::uint16_t link_type = 0;
  std::uint32_t interface = 0;  // numbered over the whole file
};

// The file is not a capture: unknown magic number, incomplete file head, or empty.
class CaptureError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Reads the records of one format.
class RecordReader {
 public:
  virtual ~RecordReader() = default;

  // Reads the next record; false at the end of the file or at the first record that is cut or inconsistent.
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
