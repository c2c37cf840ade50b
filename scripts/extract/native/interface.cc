#include "interface.h"

#include <algorithm>

#include "record.h"

namespace capture {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t ns_a_second = 1'000'000'000;
constexpr std::uint16_t option_resolution = 9;
constexpr std::uint16_t option_offset = 14;

std::uint64_t power_of_ten(unsigned exponent) {
  std::uint64_t power = 1;
  for (unsigned step = 0; step < exponent; ++step) {
    power *= 10;
  }
  return power;
}

Wide unlimited_ns(std::uint64_t ticks, std::uint8_t resolution) {
  const unsigned exponent = resolution & 0x7F;
  if (resolution & 0x80) {
    return Wide{ticks} * ns_a_second >> exponent;
  }
  if (exponent <= 9) {
    return Wide{ticks} * power_of_ten(9 - exponent);
  }
  // 64 bits hold fewer than 10^20 ticks.
  return exponent - 9 > 19 ? 0 : ticks / power_of_ten(exponent - 9);
}

}  // namespace

std::int64_t Interface::to_ns(std::uint64_t ticks) const {
  const Wide ns = resolution == 9 ? ticks : unlimited_ns(ticks, resolution);
  const auto since = static_cast<std::int64_t>(std::min<Wide>(ns, latest_ns));
  const std::int64_t offset = offset_s * std::int64_t{ns_a_second};
  return offset > latest_ns - since ? latest_ns : std::max<std::int64_t>(since + offset, 0);
}

std::optional<Interface> read_interface(Bytes body, ByteOrder order) {
  if (body.size() < 8) {
    return std::nullopt;
  }
  Interface found{.link_type = order.u16(body.data()), .snapshot = order.u32(body.data() + 4)};
  Bytes options = body.subspan(8);
  while (options.size() >= 4) {
    const std::uint16_t code = order.u16(options.data());
    const std::size_t size = order.u16(options.data() + 2);
    options = options.subspan(4);
    if (code == option_resolution && size == 1 && options.size() >= size) {
      found.resolution = options[0];
    } else if (code == option_offset && size == 8 && options.size() >= size) {
      found.offset_s = static_cast<std::int64_t>(order.u64(options.data()));
    }
    options = options.subspan(std::min(options.size(), (size + 3) / 4 * 4));
  }
  constexpr std::int64_t furthest_s = latest_ns / static_cast<std::int64_t>(ns_a_second);
  if (found.offset_s > furthest_s || found.offset_s < -furthest_s) {
    return std::nullopt;
  }
  return found;
}

}  // namespace capture
