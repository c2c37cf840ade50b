// Classifies the segments of one TCP connection, as seen at one place of its path.
//
// Late segments (retransmitted or out of order) and duplicate acknowledgements are found as in Wireshark's
// analysis (Wireshark User's Guide, 7.5), so that both counts equal tshark's. A late segment is out of order if
// it was sent before the segment that overtook it, and retransmitted if it was sent after. tshark guesses this
// from the time since the segment with the highest number arrived. It therefore takes a retransmission within a
// running flow for a segment out of order.
#pragma once

#include <cstdint>
#include <optional>

#include "holes.h"
#include "segment.h"

namespace capture {

enum class Kind { plain, retransmission, out_of_order, duplicate_ack };

// The state of one end, from the segments it sent so far.
struct Sender {
  std::optional<std::uint32_t> first;  // the first sequence number
  std::optional<std::uint32_t> next;   // the number after the highest byte sent
  std::uint32_t last_ack = 0;          // 0: none yet, as in tshark
  std::uint32_t window = 0;
  std::uint32_t sacked = 0;
  bool kept_alive = false;   // its last segment was a keep-alive
  bool numbered = false;     // its last segment had a SYN or FIN, which takes a sequence number but is no byte
  bool hole_unseen = false;  // a segment is missing since the last acknowledgement from the other end
  Holes holes;
};

class Connection {
 public:
  // Takes the next segment, sent by the service or by the client, and returns its kind.
  Kind add(bool of_service, const Segment& segment);

  // Bytes that this end sent and that were not acknowledged when `add` returned; 0 if unknown.
  std::uint32_t bytes_in_flight(bool of_service) const;

 private:
  Kind kind_of(Sender& own, const Sender& other, const Segment& segment) const;

  Sender service_, client_;
};

}  // namespace capture
