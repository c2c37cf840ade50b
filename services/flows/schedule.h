// The flows that a client starts: a JSON file with the keys of FlowSchedule (scripts/model/services.py).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace flows {

// Flow k has the source port first_port + k. So no two flows of a trial have the same ports, and a capture
// tells which flow a packet belongs to. The kernel gives these ports to no other connection: they are below
// its net.ipv4.ip_local_port_range.
inline constexpr std::uint16_t first_port = 10'000;
inline constexpr std::size_t most_flows = 15'000;

struct Schedule {
  std::vector<std::int64_t> starts_us;  // ascending, after the client's own start
  std::vector<std::uint64_t> sizes_bytes;
  std::uint64_t rate_limit_bytes_per_s = 0;  // of each flow; 0 means none
};

// Throws embedded::UserError: the file cannot be read or is not a schedule.
Schedule load_schedule(const std::string& path);

}  // namespace flows
