// The hash table of the flow table.
#include "flow_table.h"

#include <string_view>
#include <type_traits>

namespace embedded {

std::size_t FlowTable::Hash::operator()(const Flow& flow) const {
  static_assert(std::has_unique_object_representations_v<Flow>, "padding would be hashed");
  return std::hash<std::string_view>{}({reinterpret_cast<const char*>(&flow), sizeof flow});
}

std::uint32_t FlowTable::number(std::uint16_t client, const std::optional<FiveTuple>& tuple) {
  if (!tuple) {
    return none;
  }
  const Flow flow{*tuple, client};
  const auto [entry, is_new] = numbers_.try_emplace(flow, static_cast<std::uint32_t>(flows_.size()));
  if (is_new) {
    flows_.push_back(flow);
  }
  return entry->second;
}

}  // namespace embedded
