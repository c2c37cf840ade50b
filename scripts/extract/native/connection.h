// What the segments of one TCP connection are, seen at one place of its path.
//
// Which segments are sent again or overtaken, and which acknowledgements are duplicates, is decided as
// Wireshark's analysis does (Wireshark User's Guide, 7.5), so that the sum of the first two and the count of
// the last equal tshark's. Which of the first two a segment is, is told by when it was sent: before the segment
// that overtook it, or after. tshark guesses this from the time since the highest segment came, and so takes a
// retransmission into a running flow for one that was overtaken.
#pragma once

#include <cstdint>
#include <optional>

#include "holes.h"
#include "segment.h"

namespace capture {

enum class Kind { plain, retransmission, out_of_order, duplicate_ack };

// One end's segments so far.
struct Sender {
  std::optional<std::uint32_t> first;  // the first sequence number
  std::optional<std::uint32_t> next;   // behind the highest byte sent
  std::uint32_t last_ack = 0;          // 0: none yet, as tshark has it
  std::uint32_t window = 0;
  std::uint32_t sacked = 0;
  bool kept_alive = false;   // its last segment was a keep-alive
  bool numbered = false;     // its last segment had a SYN or FIN: a number of the sequence, but no byte
  bool hole_unseen = false;  // a segment is missing since the other end was last heard
  Holes holes;
};

class Connection {
 public:
  // The next segment, of the service or of the client; says what it is.
  Kind add(bool of_service, const Segment& segment);

  // Bytes of that end that were sent and not acknowledged when `add` returned; 0 if that cannot be known.
  std::uint32_t bytes_in_flight(bool of_service) const;

 private:
  Kind kind_of(Sender& own, const Sender& other, const Segment& segment) const;

  Sender service_, client_;
};

}  // namespace capture
