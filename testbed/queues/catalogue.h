// From a discipline's name in a configuration to the discipline. A new one is added here and in a header
// of its own.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "droptail.h"

namespace queues {

// Null if there is no discipline of that name.
inline std::unique_ptr<Discipline> make_discipline(std::string_view name, std::size_t queue_packets) {
  if (name == "droptail") {
    return std::make_unique<DropTail>(queue_packets);
  }
  return nullptr;
}

}  // namespace queues
