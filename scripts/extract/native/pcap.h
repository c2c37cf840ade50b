// Reads captures in the format pcap: draft-ietf-opsawg-pcap, sections 4 and 5.
#pragma once

#include "byte_order.h"
#include "record.h"
#include "window.h"

namespace capture {

class PcapReader : public RecordReader {
 public:
  // Whether a file that begins with these four bytes has this format.
  static bool knows(Bytes beginning);

  // Throws CaptureError if the file head is incomplete.
  explicit PcapReader(Window& window);

  bool next(Record& record) override;

 private:
  Window& window_;
  ByteOrder order_;
  std::uint32_t ticks_a_second_ = 0;
  std::uint16_t link_type_ = 0;
};

}  // namespace capture
