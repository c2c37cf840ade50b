#include "pcapng.h"

#include <algorithm>

namespace capture {
namespace {

enum Block : std::uint32_t {
  interface_description = 1,
  old_packet = 2,
  simple_packet = 3,
  enhanced_packet = 6,
  section_header = 0x0A0D0D0A,  // the same in both byte orders
};

constexpr std::uint32_t byte_order_magic = 0x1A2B3C4D;
constexpr std::size_t block_overhead = 12;
constexpr std::size_t section_header_bytes = 28;

// The limit of Wireshark, 16 MiB. A larger length means damage.
constexpr std::uint32_t longest_block = 16 << 20;

// A capture has few interfaces. More mean damage, and would use memory.
constexpr std::size_t most_interfaces = 65'536;

}  // namespace

bool PcapngReader::knows(Bytes beginning) { return ByteOrder().u32(beginning.data()) == section_header; }

PcapngReader::PcapngReader(Window& window) : window_(window) {
  const Bytes head = window_.peek(section_header_bytes);
  if (head.size() < section_header_bytes) {
    throw CaptureError("its file head is incomplete");
  }
  if (!take_byte_order(head)) {
    throw CaptureError("is not a capture: its section header names no byte order");
  }
  const std::uint32_t length = order_.u32(head.data() + 4);  // read now: the next peek may move the bytes
  if (length > window_.peek(std::min(length, longest_block)).size()) {
    throw CaptureError("its file head is incomplete");
  }
}

bool PcapngReader::take_byte_order(Bytes section) {
  for (const bool swapped : {false, true}) {
    if (ByteOrder(swapped).u32(section.data() + 8) == byte_order_magic) {
      order_ = ByteOrder(swapped);
      interfaces_before_ += static_cast<std::uint32_t>(interfaces_.size());
      interfaces_.clear();
      return true;
    }
  }
  return false;
}

bool PcapngReader::next(Record& record) {
  while (true) {
    Bytes here = window_.peek(block_overhead);
    if (here.size() < block_overhead) {
      return stop(here.empty() ? Ending::ok : Ending::cut);
    }
    const std::uint32_t kind = order_.u32(here.data());
    if (kind == section_header && !take_byte_order(here)) {
      return stop(Ending::corrupt);
    }
    const std::uint32_t length = order_.u32(here.data() + 4);
    const std::size_t shortest = kind == section_header ? section_header_bytes : block_overhead;
    if (length < shortest || length % 4 != 0 || length > longest_block) {
      return stop(Ending::corrupt);
    }
    here = window_.peek(length);
    if (here.size() < length) {
      return stop(Ending::cut);
    }
    if (order_.u32(here.data() + length - 4) != length) {
      return stop(Ending::corrupt);
    }
    const Found found = read_block(kind, here.subspan(8, length - block_overhead), record);
    if (found == Found::damage) {
      return stop(Ending::corrupt);
    }
    window_.advance(length);
    if (found == Found::packet) {
      return true;
    }
  }
}

PcapngReader::Found PcapngReader::read_block(std::uint32_t kind, Bytes body, Record& record) {
  switch (kind) {
    case enhanced_packet:
      return read_enhanced(body, record);
    case interface_description:
      return read_description(body);
    case simple_packet:
      return read_simple(body, record);
    case old_packet:
      return read_old(body, record);
    default:
      return Found::nothing;
  }
}

PcapngReader::Found PcapngReader::read_description(Bytes body) {
  const std::optional<Interface> interface = read_interface(body, order_);
  if (!interface || interfaces_before_ + interfaces_.size() >= most_interfaces) {
    return Found::damage;
  }
  interfaces_.push_back(*interface);
  return Found::nothing;
}

PcapngReader::Found PcapngReader::read_enhanced(Bytes body, Record& record) const {
  if (body.size() < 20) {
    return Found::damage;
  }
  const std::uint8_t* at = body.data();
  record.original = order_.u32(at + 16);
  const std::uint64_t ticks = std::uint64_t{order_.u32(at + 4)} << 32 | order_.u32(at + 8);
  return fill(record, order_.u32(at), ticks, body.subspan(20), order_.u32(at + 12));
}

// Appendix A: the obsolete packet block.
PcapngReader::Found PcapngReader::read_old(Bytes body, Record& record) const {
  if (body.size() < 20) {
    return Found::damage;
  }
  const std::uint8_t* at = body.data();
  record.original = order_.u32(at + 16);
  const std::uint64_t ticks = std::uint64_t{order_.u32(at + 4)} << 32 | order_.u32(at + 8);
  return fill(record, order_.u16(at), ticks, body.subspan(20), order_.u32(at + 12));
}

// Section 4.4: a packet of the first interface without a time, which becomes 0.
PcapngReader::Found PcapngReader::read_simple(Bytes body, Record& record) const {
  if (body.size() < 4 || interfaces_.empty()) {
    return Found::damage;
  }
  record.original = order_.u32(body.data());
  const std::uint32_t snapshot = interfaces_.front().snapshot;
  const std::uint32_t captured = snapshot == 0 ? record.original : std::min(record.original, snapshot);
  const Found found = fill(record, 0, 0, body.subspan(4), captured);
  record.time_ns = 0;
  return found;
}

PcapngReader::Found PcapngReader::fill(Record& record, std::uint32_t interface, std::uint64_t ticks, Bytes data,
                                       std::uint32_t captured) const {
  if (interface >= interfaces_.size() || captured > data.size() || captured > record.original ||
      record.original > longest_frame) {
    return Found::damage;
  }
  record.bytes = data.first(captured);
  record.time_ns = interfaces_[interface].to_ns(ticks);
  record.link_type = interfaces_[interface].link_type;
  record.interface = interfaces_before_ + interface;
  return Found::packet;
}

}  // namespace capture
