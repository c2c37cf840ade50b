#include "publication.h"

#include <algorithm>
#include <array>

#include "headers.h"

namespace capture {
namespace {

constexpr std::uint32_t interface_description = 1;
constexpr std::uint32_t enhanced_packet = 6;
constexpr std::uint32_t packet_overhead = 32;

void put(std::string& copy, std::initializer_list<std::uint32_t> words) {
  for (const std::uint32_t word : words) {
    copy.append(reinterpret_cast<const char*>(&word), sizeof word);
  }
}

// Section 4.1, with an unspecified section length.
void put_section(std::string& copy) {
  put(copy, {0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0xFFFFFFFF, 0xFFFFFFFF, 28});
}

// Section 4.2, with if_tsresol 9 as the only option.
void put_interface(std::uint16_t link_type, std::string& copy) {
  put(copy, {interface_description, 32, link_type, 0, 0x0001'0009, 9, 0, 32});
}

// Two bits of the first payload byte of UDP are kept: they distinguish long from short QUIC headers.
std::uint32_t kept_bytes(Bytes frame, const Headers& headers) {
  const bool datagram = headers.has(known_payload) && headers.protocol == udp && headers.payload_bytes > 0;
  return static_cast<std::uint32_t>(std::min<std::size_t>(headers.kept + (datagram ? 1 : 0), frame.size()));
}

// Ends the copy as its source ended: with an incomplete block, or with a block of an impossible length.
void put_end(Ending ending, std::string& copy) {
  if (ending == Ending::cut) {
    put(copy, {enhanced_packet, 64});
  } else if (ending == Ending::corrupt) {
    put(copy, {0, 0, 0});
  }
}

}  // namespace

std::string Publication::next(std::size_t size) {
  std::string copy;
  if (!begun_) {
    begun_ = true;
    put_section(copy);
  }
  Record record;
  while (!over_ && copy.size() < size) {
    if (reader_.next(record)) {
      const std::uint32_t number = interface(record, copy);
      put_packet(record, number, copy);
    } else {
      over_ = true;
      put_end(reader_.end().ending, copy);
    }
  }
  return copy;
}

void Publication::put_packet(const Record& record, std::uint32_t interface, std::string& copy) {
  constexpr char quic_bits = static_cast<char>(0xC0);
  const Headers headers = find_headers(record.bytes, record.link_type);
  const std::uint32_t kept = kept_bytes(record.bytes, headers);
  const std::uint32_t size = packet_overhead + (kept + 3) / 4 * 4;
  const auto time = static_cast<std::uint64_t>(record.time_ns);
  put(copy, {enhanced_packet, size, interface, static_cast<std::uint32_t>(time >> 32),
             static_cast<std::uint32_t>(time), kept, record.original});
  copy.append(reinterpret_cast<const char*>(record.bytes.data()), kept);
  if (kept > headers.kept) {
    copy.back() &= quic_bits;
  }
  if (pseudonyms_) {
    auto* const begin = reinterpret_cast<std::uint8_t*>(copy.data() + copy.size() - kept);
    pseudonyms_->replace({begin, kept}, headers);
  }
  copy.append((4 - kept % 4) % 4, '\0');
  put(copy, {size});
}

// The number in the copy of a packet's interface. The interface description precedes its first packet.
std::uint32_t Publication::interface(const Record& record, std::string& copy) {
  const auto [entry, is_new] =
      interfaces_.try_emplace(record.interface, static_cast<std::uint32_t>(interfaces_.size()));
  if (is_new) {
    put_interface(record.link_type, copy);
  }
  return entry->second;
}

}  // namespace capture
