// TCP and UDP headers: RFC 9293, RFC 7323 (window scale, timestamps), RFC 2018 (SACK), RFC 768; RFC 9000 (QUIC).
#pragma once

#include "headers.h"

namespace capture {

// Reads `segment`, the captured bytes after the IP headers, into `headers`. `room` is the number of these bytes on
// the wire by the length in the IP header; it is negative if that length is inconsistent.
void read_transport(Bytes segment, std::int64_t room, Headers& headers);

}  // namespace capture
