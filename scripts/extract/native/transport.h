// TCP and UDP headers: RFC 9293, RFC 7323 (window scale, timestamps), RFC 2018 (SACK), RFC 768; RFC 9000 (QUIC).
#pragma once

#include "headers.h"

namespace capture {

// Fills in what `segment`, the captured bytes behind the IP headers, says; `room` is how many there are on
// the wire by the IP header's own count, negative if it contradicts itself.
void read_transport(Bytes segment, std::int64_t room, Headers& headers);

}  // namespace capture
