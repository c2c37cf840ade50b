// Numbers the TCP and UDP flows of the downlink in the order of their first packets. The log refers to flows
// by these numbers.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "frame.h"

namespace embedded {

struct Flow {
  FiveTuple tuple;
  std::uint16_t client = 0;  // counted from 0; clients may share addresses

  bool operator==(const Flow&) const = default;
};

class FlowTable {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  FlowTable() { numbers_.reserve(4096); }

  // The flow's number, a new one for its first packet; `none` without a 5-tuple.
  std::uint32_t number(std::uint16_t client, const std::optional<FiveTuple>& tuple);

  const std::vector<Flow>& flows() const { return flows_; }

 private:
  struct Hash {
    std::size_t operator()(const Flow& flow) const;
  };

  std::unordered_map<Flow, std::uint32_t, Hash> numbers_;
  std::vector<Flow> flows_;
};

}  // namespace embedded
