// Reads captures in the format pcapng: draft-ietf-opsawg-pcapng, sections 4.1 to 4.4 and appendix A. Blocks
// without a packet or an interface description are skipped.
#pragma once

#include <vector>

#include "byte_order.h"
#include "interface.h"
#include "record.h"
#include "window.h"

namespace capture {

class PcapngReader : public RecordReader {
 public:
  // Whether a file that begins with these four bytes has this format.
  static bool knows(Bytes beginning);

  // Throws CaptureError if the first section header is incomplete or has no valid byte-order magic.
  explicit PcapngReader(Window& window);

  bool next(Record& record) override;

 private:
  enum class Found { packet, nothing, damage };

  bool take_byte_order(Bytes section_header);
  Found read_block(std::uint32_t kind, Bytes body, Record& record);
  Found read_description(Bytes body);
  Found read_enhanced(Bytes body, Record& record) const;
  Found read_old(Bytes body, Record& record) const;
  Found read_simple(Bytes body, Record& record) const;
  Found fill(Record& record, std::uint32_t interface, std::uint64_t ticks, Bytes data, std::uint32_t captured) const;

  Window& window_;
  ByteOrder order_;
  std::vector<Interface> interfaces_;     // in this section
  std::uint32_t interfaces_before_ = 0;  // in all previous sections
};

}  // namespace capture
