// One option of a queue discipline, as a configuration and the report see it.
// The parameters of a discipline list their options, so that the same code reads, checks and reports those of
// every discipline.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

namespace queues {

constexpr std::int64_t day_ns = 86'400'000'000'000;  // the longest time that a configuration may give

struct Option {
  std::string_view key;
  std::variant<std::int64_t*, double*, bool*> value;  // points into the parameters that listed this option
  std::int64_t least = 0;                             // the bounds of a number, both allowed
  std::int64_t most = 0;
};

// The parameters of a discipline without options.
struct NoOptions {
  std::vector<Option> options() { return {}; }
};

}  // namespace queues
