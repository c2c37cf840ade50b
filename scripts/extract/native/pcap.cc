#include "pcap.h"

namespace capture {
namespace {

constexpr std::uint32_t magic_us = 0xA1B2C3D4;
constexpr std::uint32_t magic_ns = 0xA1B23C4D;
constexpr std::size_t file_head_bytes = 24;
constexpr std::size_t record_head_bytes = 16;

// The limit of libpcap. A larger length means damage.
constexpr std::uint32_t longest_snapshot = 262'144;

bool is_magic(std::uint32_t number) { return number == magic_us || number == magic_ns; }

}  // namespace

bool PcapReader::knows(Bytes beginning) {
  return is_magic(ByteOrder(false).u32(beginning.data())) || is_magic(ByteOrder(true).u32(beginning.data()));
}

PcapReader::PcapReader(Window& window) : window_(window) {
  const Bytes head = window_.peek(file_head_bytes);
  if (head.size() < file_head_bytes) {
    throw CaptureError("its file head is incomplete");
  }
  order_ = ByteOrder(!is_magic(ByteOrder(false).u32(head.data())));
  ticks_a_second_ = order_.u32(head.data()) == magic_ns ? 1'000'000'000 : 1'000'000;
  link_type_ = static_cast<std::uint16_t>(order_.u32(head.data() + 20) & 0xFFFF);
  window_.advance(file_head_bytes);
}

bool PcapReader::next(Record& record) {
  Bytes here = window_.peek(record_head_bytes);
  if (here.size() < record_head_bytes) {
    return stop(here.empty() ? Ending::ok : Ending::cut);
  }
  const std::uint32_t seconds = order_.u32(here.data());
  const std::uint32_t fraction = order_.u32(here.data() + 4);
  const std::uint32_t captured = order_.u32(here.data() + 8);
  const std::uint32_t original = order_.u32(here.data() + 12);
  // Sixteen zero bytes are a hole in the file, not an empty packet from 1970.
  const bool hole = seconds == 0 && fraction == 0 && original == 0;
  if (hole || fraction >= ticks_a_second_ || captured > longest_snapshot || captured > original ||
      original > longest_frame) {
    return stop(Ending::corrupt);
  }
  here = window_.peek(record_head_bytes + captured);
  if (here.size() < record_head_bytes + captured) {
    return stop(Ending::cut);
  }
  record.bytes = here.subspan(record_head_bytes, captured);
  record.original = original;
  record.time_ns = std::int64_t{seconds} * 1'000'000'000 + std::int64_t{fraction} * (1'000'000'000 / ticks_a_second_);
  record.link_type = link_type_;
  record.interface = 0;
  window_.advance(record_head_bytes + captured);
  return true;
}

}  // namespace capture
