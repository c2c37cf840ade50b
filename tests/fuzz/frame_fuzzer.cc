// For any bytes of a frame: no memory error occurs, a mark is read again, and changes nothing else that is read.
#include <cstdlib>
#include <vector>

#include "frame.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint8_t> frame(data, data + size);
  const embedded::FrameFacts before = embedded::parse_frame(frame, 1);
  embedded::mark_congestion(frame);
  const embedded::FrameFacts after = embedded::parse_frame(frame, 1);
  const bool same = before.flow == after.flow && before.flow_hash == after.flow_hash &&
                    before.ip_bytes == after.ip_bytes && before.tcp_seq == after.tcp_seq;
  if (!same || (before.ecn_capable && !after.ecn_capable)) {
    std::abort();
  }
  return 0;
}
