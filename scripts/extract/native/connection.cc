#include "connection.h"

#include <algorithm>

namespace capture {
namespace {

// Without timestamps the sending time is unknown. A segment that arrives within this time after the one that
// overtook it cannot be a retransmission.
constexpr std::int64_t soon_ns = 3'000'000;

constexpr std::uint16_t opens_or_ends = Segment::syn | Segment::fin | Segment::rst;

// A keep-alive: it repeats the last byte or has none, and only requests an answer (RFC 9293, 3.8.4).
bool keeps_alive(const Sender& own, const Segment& segment) {
  return segment.payload <= 1 && !segment.has(opens_or_ends) && own.next && segment.seq == *own.next - 1;
}

// One byte sent into a closed window (RFC 9293, 3.8.6.1). It will be sent again as if it were new.
bool probes_window(const Sender& own, const Sender& other, const Segment& segment) {
  return segment.payload == 1 && own.next && segment.seq == *own.next && other.window == 0;
}

// An acknowledgement without new information that does not answer a keep-alive.
bool repeats_ack(const Sender& own, const Sender& other, const Segment& segment) {
  const bool same = segment.window == own.window && own.next && segment.seq == *own.next &&
                    segment.ack == own.last_ack;
  return same && segment.payload == 0 && segment.window != 0 && !segment.has(opens_or_ends) && !other.kept_alive;
}

// All its bytes were acknowledged already, or it begins before the highest byte sent so far.
bool comes_late(const Sender& own, const Sender& other, const Segment& segment) {
  const bool acknowledged =
      segment.payload > 0 && other.last_ack != 0 && !before(other.last_ack, segment.seq + segment.payload);
  // The segment after a window probe begins with the byte of the probe.
  const bool after_probe = segment.payload > 1 && own.next && segment.seq == *own.next - 1;
  return acknowledged || (own.next && before(segment.seq, *own.next) && !after_probe);
}

// Whether a segment that fills a hole was sent before the segment that opened the hole.
bool was_overtaken(const Segment& segment, const Hole& hole) {
  if (segment.timestamp && hole.timestamp) {
    return !before(*hole.timestamp, *segment.timestamp);
  }
  return segment.time_ns - hole.opened_ns < soon_ns;
}

// Whether a SYN opens a new connection between the same two ports.
bool opens_another(const Sender& own, const Segment& segment) {
  const bool opens = segment.has(Segment::syn) && !segment.has(Segment::acknowledges);
  return opens && own.first && *own.first != segment.seq;
}

void remember(Sender& own, Sender& other, const Segment& segment, bool probe) {
  own.first = own.first.value_or(segment.seq);
  if (!probe && (!own.next || before(*own.next, segment.end()))) {
    own.next = segment.end();
  }
  own.last_ack = segment.ack;
  own.window = segment.window;
  own.numbered = segment.has(Segment::syn | Segment::fin);
  own.sacked = segment.sacked;
  if (segment.has(Segment::acknowledges)) {
    other.hole_unseen = false;
  }
}

}  // namespace

Kind Connection::add(bool of_service, const Segment& segment) {
  if (opens_another(of_service ? service_ : client_, segment)) {
    *this = Connection();
  }
  Sender& own = of_service ? service_ : client_;
  Sender& other = of_service ? client_ : service_;
  const bool probe = probes_window(own, other, segment);
  const bool kept_alive = !probe && keeps_alive(own, segment);
  if (own.next && before(*own.next, segment.seq) && !segment.has(Segment::rst)) {
    own.holes.open(*own.next, segment);
    own.hole_unseen = true;
  }
  const Kind kind = kept_alive ? Kind::plain : kind_of(own, other, segment);
  own.kept_alive = kept_alive;
  remember(own, other, segment, probe);
  return kind;
}

Kind Connection::kind_of(Sender& own, const Sender& other, const Segment& segment) const {
  if (!segment.counts()) {
    return repeats_ack(own, other, segment) ? Kind::duplicate_ack : Kind::plain;
  }
  if (!comes_late(own, other, segment)) {
    return Kind::plain;
  }
  const std::optional<Hole> hole = own.holes.fill(segment);
  return hole && was_overtaken(segment, *hole) ? Kind::out_of_order : Kind::retransmission;
}

std::uint32_t Connection::bytes_in_flight(bool of_service) const {
  const Sender& own = of_service ? service_ : client_;
  const Sender& other = of_service ? client_ : service_;
  if (own.hole_unseen || !own.next || other.last_ack == 0 || !before(other.last_ack, *own.next)) {
    return 0;
  }
  const std::uint32_t sent = *own.next - other.last_ack - (own.numbered ? 1 : 0);
  return sent - std::min(sent, other.sacked);
}

}  // namespace capture
