#include "flow_table.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

namespace capture {
namespace {

Flow as_sent(std::uint16_t owner, const Headers& headers) {
  Flow flow;
  flow.owner = owner;
  flow.ip_version = headers.ip_version;
  flow.protocol = headers.protocol;
  flow.source_port = headers.source_port;
  flow.destination_port = headers.destination_port;
  const std::uint8_t* addresses = headers.frame + headers.network + (headers.ip_version == 4 ? 12 : 8);
  if (headers.ip_version == 4) {
    std::copy_n(addresses, 4, flow.source.begin());
    std::copy_n(addresses + 4, 4, flow.destination.begin());
  } else {
    std::copy_n(addresses, 16, flow.source.begin());
    std::copy_n(addresses + 16, 16, flow.destination.begin());
  }
  return flow;
}

void turn_round(Flow& flow) {
  std::swap(flow.source, flow.destination);
  std::swap(flow.source_port, flow.destination_port);
}

bool is_backward(const Flow& flow, Direction direction) {
  if (direction != Direction::unknown) {
    return direction == Direction::up;
  }
  return std::tie(flow.destination_port, flow.destination) < std::tie(flow.source_port, flow.source);
}

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{a} * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// Folded multiplications of 64 by 64 bits: every bit of the key affects every bit of the hash.
std::uint64_t hash(const Flow& flow) {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;
  constexpr std::uint64_t other = 0xC2B2AE3D27D4EB4F;
  const Flow::Words words = flow.words();
  const std::uint64_t source = mixed(words[0] ^ odd, words[1] ^ other);
  const std::uint64_t destination = mixed(words[2] ^ other, words[3] ^ odd);
  return mixed(source ^ words[4], destination ^ odd);
}

}  // namespace

std::uint32_t FlowTable::number(std::uint16_t owner, const Headers& headers, Direction direction) {
  if (!headers.has(known_ports)) {
    return none;
  }
  Flow flow = as_sent(owner, headers);
  if (is_backward(flow, direction)) {
    turn_round(flow);
  }
  if (recent_ < flows_.size() && flow == flows_[recent_]) {
    return recent_;
  }
  std::size_t slot = slot_of(flow);
  if (slots_[slot] == none && flows_.size() < most_flows) {
    if (2 * flows_.size() >= slots_.size()) {
      grow();
      slot = slot_of(flow);
    }
    slots_[slot] = static_cast<std::uint32_t>(flows_.size());
    flows_.push_back(flow);
  }
  recent_ = slots_[slot];
  return recent_;
}

// The slot of the flow, or the empty slot for it.
std::size_t FlowTable::slot_of(const Flow& flow) const {
  std::size_t slot = hash(flow) & (slots_.size() - 1);
  while (slots_[slot] != none && !(flows_[slots_[slot]] == flow)) {
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return slot;
}

void FlowTable::grow() {
  slots_.assign(2 * slots_.size(), none);
  for (std::size_t number = 0; number < flows_.size(); ++number) {
    slots_[slot_of(flows_[number])] = static_cast<std::uint32_t>(number);
  }
}

}  // namespace capture
